"""Settings from the environment and `.env`: the only file that reads either."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from forethought.memory.embedding import MINILM, check_name
from forethought.memory.errors import InvalidInput

_WEB = re.compile(r"https?://", re.IGNORECASE)


class Settings(BaseSettings):
    """Every setting, each as `FORETHOUGHT_<NAME>`; all are optional (see `.env.example`).

    `model` is `openai:NAME` (with or without `base_url`: OpenAI itself, vLLM, Ollama, llama.cpp) or
    `azure:DEPLOYMENT` (Azure's own variables apply). Without it everything but imagining,
    extracting and answering works. `timeout` is in seconds, for one call of the model or of an
    embedder behind OpenAI's API; `max_tokens` bounds one reply (default: the endpoint's own limit).
    """

    model_config = SettingsConfigDict(env_prefix="FORETHOUGHT_", env_file=".env", extra="ignore")

    data_dir: Path = Path("~/.forethought")
    bank: str = "default"
    zone: str = "UTC"
    model: str | None = None
    base_url: str | None = None
    api_key: SecretStr | None = None
    timeout: float = Field(default=60.0, gt=0, le=3600)
    max_tokens: int | None = Field(default=None, ge=16, le=1_000_000)
    embedder: str = MINILM
    reranker: Path | None = None
    chroma_url: str | None = None
    neo4j_uri: str | None = None
    neo4j_user: str = "neo4j"
    neo4j_password: SecretStr | None = None

    @field_validator(
        *("model", "base_url", "api_key", "max_tokens", "chroma_url", "reranker"),
        *("neo4j_uri", "neo4j_password"),
        mode="before",
    )
    @classmethod
    def _blank_is_unset(cls, value: object) -> object:
        return None if value == "" else value

    @field_validator("data_dir", mode="before")
    @classmethod
    def _blank_is_the_default(cls, value: object) -> object:
        return cls.model_fields["data_dir"].default if value == "" else value

    @field_validator("base_url")
    @classmethod
    def _web_address(cls, value: str | None) -> str | None:
        if value is not None and not (urlsplit(value).hostname and _WEB.match(value)):
            raise ValueError(f"{value!r} is no address such as http://localhost:8080/v1")
        return value

    @field_validator("api_key")
    @classmethod
    def _fit_for_a_header(cls, value: SecretStr | None) -> SecretStr | None:
        key = value.get_secret_value() if value else ""
        if not (key.isascii() and key.isprintable()):
            raise ValueError("holds a line end, or a character that no key has (only ASCII can be)")
        return value

    @field_validator("zone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError, OSError):  # OSError: "Europe" is a folder there
            raise ValueError(f"{value!r} is no IANA time zone such as Europe/Helsinki") from None
        return value

    @field_validator("model")
    @classmethod
    def _known_provider(cls, value: str | None) -> str | None:
        if value is not None and value.partition(":")[0] not in {"openai", "azure"}:
            raise ValueError(f"{value!r} is neither openai:MODEL nor azure:DEPLOYMENT")
        return value

    @field_validator("embedder")
    @classmethod
    def _known_embedder(cls, value: str) -> str:
        check_name(value)
        return value

    @property
    def directory(self) -> Path:
        """The data directory, with `~` resolved."""
        return self.data_dir.expanduser()

    def embedded(self, directory: Path) -> Settings:
        """The same over embedded stores in `directory`: whatever the user has is out of reach."""
        return self.model_copy(
            update={"data_dir": directory, "chroma_url": None, "neo4j_uri": None}
        )

    @property
    def tzinfo(self) -> ZoneInfo:
        """The time zone of naive dates."""
        return ZoneInfo(self.zone)


def load_settings(**overrides: object) -> Settings:
    """Settings from the environment, with what the caller sets on top. Raises InvalidInput."""
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        return Settings(**given)  # type: ignore[arg-type]  # pydantic validates what mypy cannot see
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        name = "_".join(str(part) for part in problem["loc"]).upper()
        raise InvalidInput(f"setting FORETHOUGHT_{name}: {problem['msg']}") from None
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"the settings file .env of this folder is not UTF-8 (byte {error.start}): save it as "
            "UTF-8"
        ) from None
