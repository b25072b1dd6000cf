"""Words that only hold a sentence together: in nearly every turn, so worth no search.

A keyword search must score whatever has one of its words; without these that is a small part of a
large log, and the better part too (ARCHITECTURE, "The log").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

# As `words.words` gives them: no case, no accents, and "don't" is "don" and "t". Words that are
# names or nouns too (will, may, us) and negations stay out: they can be what is asked for.
_FUNCTION_WORDS: dict[str, frozenset[str]] = {
    name: frozenset(some.split())
    for name, some in {
        "en": "a about am an and any are as at be been being but by can could d did do does doing "
        "for from had has have having he her hers him his how i if in into is it its ll m me my "
        "of on or our ours re s she should so t than that the their theirs them then there these "
        "they this those to too ve was we were what when where which who whom whose why with "
        "would you your yours",
        "de": "aber als am an auch auf aus bei bin bis da das dass dein deine dem den der des die "
        "dich dir du ein eine einem einen einer es fur hab habe haben hast hat hatte hatten ich "
        "ihm ihn ihr ihre im in ist ja man mein meine meinem meinen meiner mich mir mit nach noch "
        "oder sein seine sich sie sind so uber um und uns unser vom von war waren warst wann warum "
        "was wenn wer wie wir wird wo wohin zu zum zur",
        "fr": "a ai au aux avec c ce ces cet cette comment d dans de des du elle elles en es est "
        "et etait eu il ils j je l la le les leur leurs lui m ma mais me mes moi mon n nos notre "
        "nous on ont ou par pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa se "
        "ses son sont sur t ta te tes toi ton tu un une vos votre vous y",
        "es": "a al como con cual cuales cuando de del desde donde e el ella ellas ellos en era es "
        "esta estaba este esto fue ha han has hay he la las le les lo los me mi mis muy nos o para "
        "pero por porque que quien quienes se ser si son su sus te tu tus un una unas unos y ya yo",
        "it": "a ai al alla alle anche che chi ci come con cosa cui d da dal dalla de degli dei "
        "del della delle di dove e era fu gli ha hai hanno ho i il in io l la le lei lo loro lui "
        "ma mi mia mie miei mio nel nella noi o per perche piu quale quali quando se si sono su "
        "sua sue suo suoi ti tu tua tue tuo tuoi un una uno",
        "pt": "a ao aos as com como da das de dela dele do dos e ela elas ele eles em era essa "
        "esse esta este eu foi ha isso isto ja lhe mas me meu meus minha minhas na nas no nos o "
        "onde os ou para pela pelo por porque qual quais quando que quem se ser seu seus sua suas "
        "te tem tu um uma voce voces",
        "nl": "aan als bij dan dat de den der die dit een en er haar had hadden heb hebben heeft "
        "hem hen het hij hoe hun ik in is je jij jou jouw jullie kan maar me mij mijn naar nog of "
        "om onze ook op over te toen tot u uit van voor waar waarom wanneer waren was wat we wel "
        "welke wie wij zal ze zich zij zijn zo",
    }.items()
}


def telling(asked: Sequence[str]) -> list[str]:
    """The words of a query that tell texts apart: all but the function words of its language.

    Its language is the one that has the most of them, so that "war" and "son" are looked for in
    English though other languages hardly say a sentence without them. All are kept where nothing
    else would be left.
    """
    return content(asked) or list(asked)


def content(asked: Sequence[str]) -> list[str]:
    """The same, but nothing where there are only function words."""
    language = max(_FUNCTION_WORDS.values(), key=lambda some: _of(asked, some))
    return [word for word in asked if word not in language]


def _of(asked: Iterable[str], some: frozenset[str]) -> int:
    return sum(word in some for word in asked)
