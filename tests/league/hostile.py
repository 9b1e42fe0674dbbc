"""Entries that nobody would want in a league: each does one thing to end it, or to look like it."""

HEAD = """\
import ctypes, json, os, random, signal, sys, threading, time
from coursekit.core.strategy import AtRandom, Strategy
"""
GOOD = f"{HEAD}class Good(AtRandom): pass\n"
CLEAR = r"\x1b[2J\x1b]0;owned\x07\r"
TURN = r"\u202e\u2066\u200b\u3164\U000e0041\ufeff\x85\u2028\0"


def entry(body: str, members: str = "", before: str = "") -> str:
    """Return the source of an entry whose moves do *body*, with more *members* of its class."""
    lines = "\n".join(f"        {line}" for line in body.split("\n"))
    return f"{HEAD}{before}\nclass Entry(AtRandom):\n{members}    def decide(self, obs):\n{lines}\n"


def raising(error: str) -> str:
    """Return an entry that raises an error of the class *error*, whose name is ``Bad``."""
    return entry("raise Bad()", before=error)


def named(name: str) -> str:
    """Return an entry whose class has the *name*, and fails."""
    return entry("1 / 0") + f"Entry.__name__ = Entry.__qualname__ = {name}\n"


STOPPED = {
    "half a character": entry(r"raise ValueError('\ud800')"),
    "half a character alone": entry(r"raise ValueError(chr(0xdfff) + chr(0xd800))"),
    "clears a terminal": entry(f"raise ValueError('{CLEAR}')"),
    "turns a line": entry(f"raise ValueError('{TURN}')"),
    "pretends to be a line": entry(r"raise ValueError('x\nann.py cannot take part: cheated')"),
    "quotes a line of it": entry(
        "raise ValueError  # \x07\u202e\u2067 \u200b", before="# \u200b\u202e"
    ),
    "long": entry("raise ValueError('x' * 10**7)"),
    "HTML": entry("raise ValueError('<script>1</script>{{ 1 }}{seat}%s')"),
    "a digit too many": entry("return 10 ** 5000"),
    "many digits": entry("return 10 ** 4000"),
    "not a number": entry("return float('nan')"),
    "infinite": entry("return -float('inf')"),
    "half an action": entry(r"return 'a\ud800'"),
    "control action": entry(f"return '{CLEAR}'"),
    "nested": entry("a = []\nfor _ in range(500): a = [a]\nreturn a"),
    "nested without end": entry("a = []\na.append(a)\nreturn a"),
    "a dictionary": entry("return {'error': {'text': 'league.died', 'values': {'names': 'ann'}}}"),
    "a dictionary of tuples": entry("return {(1, 2): 3}"),
    "bytes": entry("return b'\\xff'"),
    "itself": entry("return self"),
    "a class": entry("return type('\\x1b', (), {})"),
    "a generator": entry("yield 1"),
    "a coroutine": HEAD + "class Entry(AtRandom):\n    async def decide(self, obs): return 1\n",
    "an action that fails": entry(
        "return A()",
        before="class A(dict):\n    def items(self): raise SystemError\n    __iter__ = items",
    ),
    "no name": raising(
        "class M(type):\n    __name__ = property(lambda kind: 1 / 0)\n"
        "class Bad(Exception, metaclass=M): pass"
    ),
    "no text": raising("class Bad(Exception):\n    def __str__(self): raise SystemExit"),
    "a text that is none": raising("class Bad(Exception):\n    def __str__(self): return 5"),
    "a text that ends the process": raising(
        "class Bad(Exception):\n    def __str__(self): os._exit(3)"
    ),
    "an endless text": raising(
        "class Bad(Exception):\n    def __str__(self):\n        while True: pass"
    ),
    "a base": raising("class Bad(BaseException): pass"),
    "an interruption": entry("raise KeyboardInterrupt"),
    "a generator's end": entry("raise GeneratorExit"),
    "a stop": entry("raise StopIteration"),
    "a group": entry("raise BaseExceptionGroup('x', [SystemExit(), ValueError('\\ud800')])"),
    "an error of the kit": entry(
        "raise LocalizedError('', 'league.died', names='ann.py')",
        before="from coursekit.core.errors import LocalizedError",
    ),
    "an error without text": entry(
        "raise LocalizedError('nogame', 'no.text', names=self)",
        before="from coursekit.core.errors import LocalizedError",
    ),
    "a stop of another seat": entry(
        "from coursekit.league.referee import Stop\nraise Stop(1, None)",
    ),
    "leaves": entry("sys.exit(5)"),
    "leaves at once": entry("os._exit(0)"),
    "dies": entry("os.kill(os.getpid(), 9) if sys.platform != 'win32' else os.abort()"),
    "crashes": entry("ctypes.string_at(0)"),
    "recurses": entry("return self.decide(obs)"),
    "closes all files": entry("os.closerange(0, 99)"),
    "writes into all files": entry(
        "for each in range(3, 20):\n    try: os.write(each, b'\\xff\\x1b[2J\\n')\n    except OSError: pass\n1 / 0"
    ),
    "answers without end": entry(
        "for each in range(3, 20):\n    try: os.write(each, b'9' * 70_000)\n    except OSError: pass\n1 / 0"
    ),
    "answers for the kit": entry(
        "line = json.dumps({'error': {'text': 'strategy.raised', 'values': {'strategy': 'ann', 'line': 10**4000,"
        " 'code': {'text': 'strategy.raised', 'values': {}}, 'error': '\\x1b'}}}).encode() + b'\\n'\n"
        "for each in range(3, 20):\n    try: os.write(each, line)\n    except OSError: pass\n1 / 0"
    ),
    "patched json": entry("json.dumps = lambda *_: '\\x1b[2J'\nreturn 1"),
    "patched builtins": entry(
        "import builtins\nbuiltins.isinstance = builtins.type = builtins.len = None\n1 / 0"
    ),
    "patched clock": entry("time.monotonic = time.time = lambda: 0\nwhile True: pass"),
    "an own name": named(repr("\x1b[2J\u202eann.py")),
    "an emoji": named(repr("👩\u200d💻\ufe0f")),
    "a long name": named("'x' * 10**6"),
    "HTML as a name": named("'<img src=x onerror=alert(1)>'"),
    "a formula as a name": named("'=1+1'"),
}
"""Each is named with the reason, at least once, and harms nobody else."""

LEFT_OUT = {
    "a mistake": "\x1b[2J(",
    "half a character": HEAD + r"raise SyntaxError('\ud800\x1b[2J')",
    "a warning": HEAD + "raise ImportWarning(chr(0x202e))",
    "leaves": HEAD + "sys.exit()",
    "leaves at once": HEAD + "os._exit(0)",
    "never ends": HEAD + "while True: pass",
    "no strategy": HEAD,
    "a strategy of the kit": HEAD + "Entry = AtRandom",
    "what has no module": HEAD
    + "class X:\n    __module__ = property(lambda self: 1 / 0)\n    __class__ = property(lambda self: 1 / 0)\nx = X()\n",
    "a loader": HEAD + "class L:\n    def get_source(self, name): raise SystemExit\n"
    "__loader__ = L()\n1 / 0",
    "a zero": "x = 1\0",
    "spaces": " \n",
}
"""Each is left out with a reason before the league begins."""

HARMLESS = {
    "an action that fails": entry(
        "return Action(super().decide(obs))",
        before="class Action(str):\n    def __eq__(self, other): raise SystemExit\n"
        "    def __hash__(self): raise SystemExit\n    __repr__ = __hash__",
    ),
    "is deleted badly": entry(
        "return super().decide(obs)", members="    def __del__(self): raise SystemExit\n"
    ),
    "prints half a character": entry(r"print('\ud800\x1b[2J')" + "\nreturn super().decide(obs)"),
    "closes what it prints to": entry(
        "sys.stdout.close(); sys.stderr.close(); sys.stdin = None\nreturn super().decide(obs)"
    ),
    "ends its referee by a signal that Python refuses": entry(
        "try: os.kill(os.getppid(), 0)\nexcept BaseException: pass\nreturn super().decide(obs)"
    ),
}
"""Each plays on."""

KILLS = "ctypes.CDLL(None).kill(os.getppid(), {})"
KILLERS = {
    "kills": entry(KILLS.format(9)),
    "kills and goes on": entry(
        KILLS.format(9)
        + "\nwhile True:\n    try:\n        while True: pass\n    except BaseException: pass"
    ),
    "kills as it sits down": f"{HEAD}class Entry(AtRandom):\n    def __init__(self, *how):\n"
    f"        super().__init__(*how)\n        {KILLS.format(9)}\n        1 / 0\n",
    "kills as it is loaded": f"{HEAD}{KILLS.format(9)}\n1 / 0\n",
    "asks to end": entry(KILLS.format("signal.SIGTERM") + "\n1 / 0"),
    "interrupts": entry(KILLS.format("signal.SIGINT") + "\n1 / 0"),
    "halts": entry(KILLS.format("signal.SIGSTOP") + "\n1 / 0"),
}
"""Each tries to end the process of its referee; where the system forbids that, it fails."""
