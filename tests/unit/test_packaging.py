from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT

LINKED = ("evals", "graphs", "memory", "nodes", "prompts")
NOT_IN_A_CLONE = shutil.ignore_patterns(
    ".*", "__pycache__", "build", "dist", "*.egg-info", "node_modules"
)
PYPI = re.compile(r"https://(pypi\.org/simple|files\.pythonhosted\.org/)")

BUILD = """
import sys
from setuptools import build_meta
kind, target = sys.argv[1:]
print(getattr(build_meta, f"build_{kind}")(target))
"""

# Imports each module that the wheel holds, and prints where it was found.
IMPORT_ALL = """
import importlib, json, pkgutil, sys
sys.path.insert(0, sys.argv[1])
import forethought
found = {"forethought": forethought.__file__}
for module in pkgutil.walk_packages(forethought.__path__, "forethought."):
    found[module.name] = importlib.import_module(module.name).__file__
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def lock() -> dict[str, Any]:
    return tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree as git would lay it: links as links, nothing that an earlier build left."""
    folder = tmp_path_factory.mktemp("clone") / "forethought"
    shutil.copytree(ROOT, folder, symlinks=True, ignore=NOT_IN_A_CLONE)
    return folder


@pytest.fixture(scope="module")
def sdist(clone: Path) -> Path:
    return build("sdist", source=clone)


@pytest.fixture(scope="module")
def wheel(clone: Path) -> Path:
    return build("wheel", source=clone)


def build(kind: str, *, source: Path) -> Path:
    """Build as `pip` and `build` do, with the setuptools that is installed: nothing is fetched."""
    target = source.parent / kind
    command = [sys.executable, "-c", BUILD, kind, str(target)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target / done.stdout.splitlines()[-1]


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def package_files() -> set[str]:
    """Each file below forethought/, as it would be named in a wheel."""
    files = {file for file in (ROOT / "forethought").iterdir() if file.is_file()}
    for folder in ("data", *LINKED):
        files |= {file for file in (ROOT / "forethought" / folder).rglob("*") if file.is_file()}
    return {file.relative_to(ROOT).as_posix() for file in files if "__pycache__" not in file.parts}


def test_a_wheel_holds_forethought_and_nothing_else_at_top_level(wheel: Path) -> None:
    top = {name.partition("/")[0] for name in names_in(wheel)}
    assert {name for name in top if not name.endswith(".dist-info")} == {"forethought"}


def test_a_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    packed = {name for name in names_in(wheel) if name.startswith("forethought/")}
    assert packed == package_files()
    assert "forethought/py.typed" in packed


def test_a_source_archive_holds_real_files(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        members = archive.getmembers()
    assert not [member.name for member in members if member.issym() or member.islnk()]
    inside = {member.name.partition("/")[2] for member in members if member.isfile()}
    assert package_files() - inside == set()


def test_a_wheel_made_from_the_source_archive_is_the_same(
    sdist: Path, wheel: Path, tmp_path: Path
) -> None:
    with tarfile.open(sdist) as archive:
        # as the documentation has it for versions before 3.11.4, which know no filters
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
        archive.extractall(tmp_path)
    (source,) = tmp_path.iterdir()
    assert names_in(build("wheel", source=source)) == names_in(wheel)


def test_every_module_of_an_installed_wheel_can_be_imported(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    command = [sys.executable, "-I", "-c", IMPORT_ALL, str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    assert {name.split(".")[1] for name in found if "." in name} >= set(LINKED)
    assert not [file for file in found.values() if not Path(file).is_relative_to(tmp_path)]


def test_the_listed_packages_are_the_folders_that_hold_code(project: dict[str, Any]) -> None:
    folders = {file.rpartition("/")[0] for file in package_files() if file.endswith(".py")}
    listed = project["tool"]["setuptools"]["packages"]
    assert sorted(listed) == sorted(folder.replace("/", ".") for folder in folders)
    assert not [folder for folder in folders if not (ROOT / folder / "__init__.py").is_file()]


def test_the_lock_answers_what_the_project_asks_for(
    project: dict[str, Any], lock: dict[str, Any]
) -> None:
    asked = {(line, "") for line in project["project"]["dependencies"]}
    for extra, lines in project["project"]["optional-dependencies"].items():
        asked |= {(line, f"extra == '{extra}'") for line in lines}
    (own,) = (package for package in lock["package"] if package["name"] == "forethought")
    locked = {
        (entry["name"], entry.get("specifier", ""), entry.get("marker", ""))
        for entry in own["metadata"]["requires-dist"]
    }
    assert locked == {(name, specifier, marker) for name, specifier, marker in map(_parts, asked)}


def _parts(line_and_marker: tuple[str, str]) -> tuple[str, str, str]:
    line, marker = line_and_marker
    requirement = Requirement(line)
    return requirement.name, line.split("]")[-1].removeprefix(requirement.name), marker


def test_every_library_that_the_code_imports_is_asked_for(project: dict[str, Any]) -> None:
    asked = {
        canonicalize_name(Requirement(line).name)
        for line in (
            *project["project"]["dependencies"],
            *project["project"]["optional-dependencies"]["graph"],
        )
    }
    providers = packages_distributions()
    sources = [file for folder in LINKED for file in (ROOT / folder).rglob("*.py")]
    imported = set().union(*(imports_in(file.read_text("utf-8")) for file in sources))
    others = imported - sys.stdlib_module_names - {"forethought"}
    assert others
    assert not [
        module
        for module in sorted(others)
        if not asked & {canonicalize_name(name) for name in providers.get(module, ())}
    ]


def imports_in(source: str) -> set[str]:
    modules: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                modules |= {name.name for name in names}
            case ast.ImportFrom(module=str(module)):
                modules.add(module)
    return {module.partition(".")[0] for module in modules}


def test_pip_and_uv_install_the_same_versions(lock: dict[str, Any]) -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    constrained = {line.partition(" ;")[0] for line in lines}
    packages = [package for package in lock["package"] if package["name"] != "forethought"]
    assert constrained == {f"{package['name']}=={package['version']}" for package in packages}


def test_the_lock_names_no_registry_but_pypi(lock: dict[str, Any]) -> None:
    urls = re.findall(r"https?://[^\"\s]+", (ROOT / "uv.lock").read_text("utf-8"))
    assert urls
    assert [url for url in urls if not PYPI.match(url)] == []
