"""The build of the site: what goes in, what stays out, and what is said when it cannot be built."""

import gzip
import io
import json
import re
import zipfile

import pytest

from coursekit import cli
from coursekit.site import build
from coursekit.words.texts import LANGUAGES, text


def test_the_same_sources_give_the_same_archive():
    sources = [("a.py", b"1"), ("b/c.py", b"2")]
    assert build.compress(build.pack(sources)) == build.compress(build.pack(sources))
    with zipfile.ZipFile(io.BytesIO(build.pack(sources))) as made:
        assert [(each.filename, made.read(each)) for each in made.infolist()] == sources


def test_the_worker_gets_rules_and_texts_and_nothing_for_servers_or_readers():
    names = {name for name, _ in build._sources()}
    assert {
        "coursekit/games/wizard/rules/game.py",
        "coursekit/games/knitwit/texts.toml",
        "coursekit/site/browser/anywidget.py",
        "coursekit/maps/static/map.js",
        "traitlets/__init__.py",
        "defusedxml/ElementTree.py",
    } <= names
    assert not [
        name
        for name in names
        if re.match(
            r"coursekit/((serve|room|league|testing|figures/fonts)/|site/build|.*(emblem|vendor))",
            name,
        )
    ]


LOADED = (
    "json/decoder encodings/cp437 encodings/cp950 encodings/big5 _pyrepl/main _pyrepl/utils doctest pydoc statistics "
    "unittest/case xml/etree/ElementTree xml/parsers/expat"
)


@pytest.mark.parametrize("name", LOADED.split())
def test_modules_that_a_lesson_loads_stay_in_the_library(name):
    assert not build.DROPPED.match(f"{name}.py")


def test_a_page_of_other_files_is_another_version():
    files = {"index.html": b"a", "site.js": b"b"}
    version = re.compile(r'const VERSION = "([0-9a-f]{16})";\nconst FILES = (.*);\n')
    first, same, other = (
        version.match(build.service_worker(each))
        for each in (files, dict(files), {**files, "site.js": b"c"})
    )
    assert first[1] == same[1] != other[1]
    assert json.loads(first[2]) == ["./", "index.html", "site.js"]


def test_the_one_file_holds_every_file_and_allows_its_own_opener_alone():
    page = build.join_files(
        {"index.html": b"<p>hello", "a.gz": build.compress(b"1"), "service-worker.js": b""}
    )
    held = dict(re.findall(r'data-name="([^"]+)"><!--([^-]+)-->', page))
    assert set(held) == {"index.html", "a.gz"}
    assert gzip.decompress(build.base64.b64decode(held["index.html"])) == b"<p>hello"
    assert re.search(
        r"script-src ('sha256-[A-Za-z0-9+/=]+' ){2}blob: 'wasm-unsafe-eval';",
        page.replace("&#39;", "'"),
    )


def test_another_pyodide_is_refused():
    with pytest.raises(build.BuildError) as found:
        build._substitute("something else", build.CLASSIC, "")
    assert all("Pyodide" in found.value.sentence(language) for language in LANGUAGES)


def test_without_node_one_sentence_says_what_is_missing(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("LANG", "en")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(build.shutil, "which", lambda name: None)
    assert cli.main(["site", str(tmp_path / "pages")]) == 2
    assert capsys.readouterr().err.strip() == text("site.no_npm", "en")


def test_where_to_write_must_be_said(monkeypatch, capsys):
    monkeypatch.setenv("LANG", "en")
    assert cli.main(["site"]) == 2
    assert capsys.readouterr().err.strip() == text("cli.site_where", "en")


def test_a_place_that_cannot_be_written_is_said(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("LANG", "en")
    monkeypatch.setattr(build, "files", lambda: {"index.html": b""})
    (tmp_path / "pages").write_text("a file")
    assert cli.main(["site", str(tmp_path / "pages")]) == 2
    assert "pages" in capsys.readouterr().err


def test_the_page_about_jupyterlite_takes_the_same_pyodide():
    page = (build.HERE.parents[1] / "docs/teach/jupyterlite.md").read_text(encoding="utf-8")
    pinned = json.loads((build.HERE / "package.json").read_text())["dependencies"]["pyodide"]
    assert set(re.findall(r"pyodide[@-](\d[\d.]*\d)", page)) == {pinned}
