"""Words that stand beside a name and are no part of it, in six languages, without accents.

Only what stands beside people's names every day: a word that is missing here costs a joining that
the user can make by hand; a word too many makes two names one.
"""

from __future__ import annotations


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


NOBODY = _words(
    "user users assistant person speaker i me myself you he she they them him it we us "
    "yo usted el ella ich er sie wir je moi il elle eu ele ela io lui lei usuario usuaria "
    "benutzer nutzer utilisateur utente usuário 用户 助手 我 ユーザー 私"
)
"""Names of nobody in particular: the user, of whom every fact is, the assistant, and pronouns."""

OWN = _words("my our his her their your the mein meine meinen meinem meiner unser unsere")
"""Possessives and articles that begin no name in these languages, so in any case of letters."""

OWN_LOWER = OWN | _words(
    "a an mi mis tu su sus nuestro nuestra el la los las un una uno sein seine ihr ihre der die "
    "das den dem ein eine mon ma mes ton ta sa son ses notre nos votre le les l une des meu minha "
    "nosso nossa seu sua o os as um uma mio mia tuo tua suo sua nostro nostra il lo i gli"
)
"""Those that may begin a name too (Mia, Los Angeles, Die Hard), so only in lower case."""

ARTICLES = _words(
    "the a an el la los las un una uno der die das den dem ein eine le les l une des o os as um uma "
    "il lo i gli"
)
"""Those of them that say nothing of whose it is."""

MEN = _words("mr mister sir herr senor sr monsieur signor signore senhor")
WOMEN = _words("mrs ms miss madam frau senora sra senorita madame mme mademoiselle signora senhora")
TITLES = MEN | WOMEN | _words("dr doctor prof professor doktor docteur dottore")
"""What stands before a name and tells two people apart only as men and women."""

LEGAL_FORMS = _words("inc ltd llc gmbh ag corp corporation plc sa srl spa bv oy")
GENERATIONS = _words("jr junior sr senior ii iii iv")

JOINING = _words("and or of with und oder mit y o e con et ou avec com")
"""What makes of a name one of several, or of a part of something."""

PARTICLES = _words("de da do dos das del della di van von der den bin ibn al el la le")
"""What is in lower case in a person's name."""

DESCRIBING = _words(
    "best old older elder young younger little big twin ex late former dear mejor mayor menor "
    "beste bester grosse kleine altere jungere grande petite petit meilleure meilleur melhor migliore"
)
"""What may stand before a role: "my best friend Ana"."""

HONORIFICS = (
    "さん",
    "さま",
    "様",
    "君",
    "くん",
    "ちゃん",
    "先生",
    "氏",
    "씨",
    "님",
    "女士",
    "小姐",
)
"""What is written behind a name without a space."""

_KIN = {
    "mother": "mother mom mum mama mami mommy mummy madre mutter mutti mere maman mae",
    "father": "father dad daddy papa padre vater vati pere pai babbo",
    "sister": "sister sis hermana schwester soeur sœur irma sorella",
    "brother": "brother bro hermano bruder frere irmao fratello",
    "daughter": "daughter hija tochter fille filha figlia",
    "son": "son hijo sohn fils filho figlio",
    "grandmother": "grandmother grandma granny nana abuela oma grossmutter grandmere avo nonna",
    "grandfather": "grandfather grandpa granddad abuelo opa grossvater grandpere nonno",
    "aunt": "aunt auntie aunty tia tante zia",
    "uncle": "uncle tio onkel oncle zio",
    "cousin": "cousin cousine primo prima kusine cugino cugina",
    "niece": "niece sobrina nichte sobrinha",
    "nephew": "nephew sobrino neffe neveu sobrinho",
    "wife": "wife esposa ehefrau epouse moglie",
    "husband": "husband esposo marido ehemann mari marito",
    "stepmother": "stepmother stepmom madrastra stiefmutter matrigna",
    "stepfather": "stepfather stepdad padrastro stiefvater patrigno",
}
_OTHERS = {
    "boss": "boss manager supervisor jefe jefa chef chefin patron chefe capo",
    "doctor": "gp physician dentist therapist medico medica arzt arztin",
    "teacher": "teacher tutor coach trainer profesor profesora lehrer lehrerin entrenador",
    "landlord": "landlord landlady casero casera vermieter vermieterin",
    "client": "client customer patient student pupil cliente kunde kundin alumno alumna",
    "pet": "pet cat dog kitten puppy horse gato gata perro perra katze hund kater chat chien",
}
_FREE = {
    "friend": "friend bestie buddy pal amigo amiga freund freundin ami amie amico amica",
    "colleague": "colleague coworker teammate classmate companero companera kollege kollegin",
    "neighbour": "neighbour neighbor vecino vecina nachbar nachbarin voisin voisine vizinho",
    "roommate": "roommate flatmate housemate mitbewohner mitbewohnerin coloc",
    "partner": "partner girlfriend boyfriend fiance fiancee novio novia pareja verlobte namorado",
}


def _by_word(*groups: dict[str, str]) -> dict[str, str]:
    return {
        word: role for group in groups for role, names in group.items() for word in names.split()
    }


ROLES = _by_word(_KIN, _OTHERS, _FREE)
"""From a word to what somebody is to the user: two who are different things are two people."""

KIN = frozenset(_KIN)
FREE = frozenset(_FREE)
"""What the same person may be beside anything but kin: a friend may be one's boss."""
