"""The page with the licences of all that the site delivers, and its icons and manifests."""

import io
import json

import pytest
from PIL import Image

from coursekit.serve.notebooks import NotebookShelf, packaged_folder
from coursekit.site import build
from coursekit.site.licences import PYODIDE, licences
from coursekit.site.pages import FileSite, licences_page
from coursekit.words.texts import LANGUAGES


@pytest.fixture
def modules(tmp_path):
    """Packages as npm lays them: two that are needed, and one that only builds."""
    needs = {"editor": ["@parts/keys"], "@parts/keys": [], "builder": []}
    for name, dependencies in needs.items():
        folder = tmp_path / name
        folder.mkdir(parents=True)
        about = {"name": name, "version": "1.2.3", "dependencies": dict.fromkeys(dependencies, "1")}
        (folder / "package.json").write_text(json.dumps(about))
        (folder / "LICENSE").write_text(f"Do with <{name}> as you like.\n")
    return tmp_path


@pytest.fixture
def site():
    return FileSite(NotebookShelf(packaged_folder()))


def test_every_part_has_its_licence_in_full(modules):
    found = licences(modules, ["editor"], build.PACKAGES)
    parts = [licence.part for licence in found]
    assert len(parts) == len(set(parts))
    named = [part.lower().partition(" ")[0] for part in parts]
    assert {"coursekit-games", "pyodide", "cpython,", "emscripten", "musl,"} <= set(named)
    assert {"cytoscape", "@parts/keys", "editor", *build.PACKAGES} <= set(named)
    assert "builder" not in named
    for part, text in found:
        assert len(text) > 25, part
        assert "-----\n" not in part


def test_what_is_linked_into_python_is_looked_through_with_each_new_version():
    wanted = json.loads((build.HERE / "package.json").read_text())["dependencies"]["pyodide"]
    first = PYODIDE.read_text(encoding="utf-8").partition("\n")[0]
    assert first.startswith(f"Pyodide {wanted} "), "have the libraries in it changed?"


def test_the_page_shows_them_as_they_are(modules, site):
    page = licences_page(site, licences(modules, ["editor"], ()))
    assert "Do with &lt;editor&gt; as you like." in page
    assert page.count("<h2") == page.count("<li>") == page.count("<pre")


def test_each_language_is_installed_with_its_own_start_page(site):
    drawn = dict(build.icons())
    for language in LANGUAGES:
        about = build.manifest(site, language)
        assert about["lang"] == language
        assert about["start_url"] == about["id"] == site.home(language)
        pictures = [icon for icon in about["icons"] if icon["type"] == "image/png"]
        assert {icon["sizes"] for icon in pictures} == {"192x192", "512x512"}
        assert {icon["src"] for icon in pictures} < set(drawn)
    names = [build.manifest(site, language)["name"] for language in LANGUAGES]
    assert len(set(names)) == len(names)


def test_icons_have_their_sizes_and_no_corner_that_shines_through():
    for name, content in build.icons():
        side = int(name.partition("/")[2].partition(".")[0])
        with Image.open(io.BytesIO(content)) as icon:
            assert icon.size == (side, side)
            assert icon.convert("RGBA").getextrema()[3] == (255, 255)
