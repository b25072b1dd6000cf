"""Reading evaluation files into pydantic models; errors name the file and the place in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, TypeAdapter, ValidationError

from forethought.memory.errors import InvalidInput
from forethought.memory.formats.dates import aware


class Given(BaseModel):
    """Base of all that is read: keys that nobody needs are ignored, values are immutable."""

    model_config = ConfigDict(frozen=True, extra="ignore")


G = TypeVar("G")


def _moment(value: object) -> datetime:
    try:
        return aware(value, UTC)
    except InvalidInput as error:
        raise ValueError(str(error)) from None  # so that pydantic adds the place


def _end_of_day(value: object) -> datetime:
    moment = _moment(value)
    bare = isinstance(value, str) and len(value.strip()) <= len("2025-03-01")
    return moment + timedelta(days=1, seconds=-1) if bare else moment


Said = Annotated[datetime, BeforeValidator(_moment)]
"""When something was said: aware UTC, a bare date is its midnight."""

Asked = Annotated[datetime, BeforeValidator(_end_of_day)]
"""When something is asked: aware UTC, a bare date is its last second: the day's facts count."""


def read_json(path: Path, kind: type[G]) -> G:
    """The JSON document in `path` as a `kind`. Raises InvalidInput naming file and place."""
    read: G = _checked(TypeAdapter(kind), _text(path), str(path))
    return read


def read_lines(path: Path, kind: type[G]) -> list[G]:
    """The JSON Lines in `path`, each as a `kind`. Raises InvalidInput naming file and line."""
    adapter = TypeAdapter(kind)
    lines = _text(path).splitlines()
    return [
        _checked(adapter, line, f"{path}: line {number}")
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]


def files(folder: Path, *, unless: Sequence[str] = ()) -> Iterator[Path]:
    """The *.json files in `folder` by name. Raises InvalidInput if there is no such folder."""
    if not folder.is_dir():
        raise InvalidInput(f"{folder}: expected a folder of evaluation files, found none")
    for path in sorted(folder.glob("*.json")):
        if path.name not in unless and not path.name.startswith("."):
            yield path


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InvalidInput(f"{path}: no such file") from None
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path}: byte {error.start}: is not UTF-8 text") from None
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read ({error.strerror})") from error


def _checked(adapter: TypeAdapter[Any], text: str, where: str) -> Any:
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in problem["loc"])
        message = problem["msg"].removeprefix("Value error, ")
        raise InvalidInput(": ".join(part for part in (where, place, message) if part)) from None
