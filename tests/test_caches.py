"""What the kit keeps of its functions' answers."""

import ast
from pathlib import Path

import pytest

KIT = Path(__file__).parents[1] / "coursekit"
CACHES = {"cache", "lru_cache"}


def cached_functions(source: str) -> list[ast.FunctionDef]:
    """Return the functions of *source* whose answers are kept."""
    return [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef)
        and any(
            isinstance(part, ast.Name) and part.id in CACHES
            for decorator in node.decorator_list
            for part in ast.walk(decorator)
        )
    ]


@pytest.mark.parametrize(
    "file", sorted(KIT.rglob("*.py")), ids=lambda file: str(file.relative_to(KIT))
)
def test_a_cached_function_has_no_default(file: Path) -> None:
    """A call with an argument and one without are two answers to a cache: work is done twice, and
    a default that stands for what is current stays what it was at the first call.
    """
    for function in cached_functions(file.read_text(encoding="utf-8")):
        arguments = function.args
        assert not arguments.defaults, function.name
        assert not any(arguments.kw_defaults), function.name


def test_such_a_function_is_found() -> None:
    (found,) = cached_functions("@lru_cache(64)\ndef look(game, names=()):\n    return names\n")
    assert found.args.defaults
