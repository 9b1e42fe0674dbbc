"""Traditional Chinese turned into simplified: characters, words, and every lesson of the kit."""

import json
import re
import tomllib
from typing import Any

import pytest

from coursekit.kit import GAMES
from coursekit.serve.notebooks import NotebookShelf, packaged_folder, simplify_notebook
from coursekit.serve.pages import Site, data
from coursekit.words.normalise import load_simplified_table
from coursekit.words.simplified import simplify
from coursekit.words.texts import THE_KIT, files, load_texts

TRADITIONAL = set(map(chr, load_simplified_table()))
CHINESE = re.compile("[\u3400-\u9fff]")
MEANT = {"電視", "臺灣", "繁體中文"}
"""Words that stay traditional: examples of how to write, and the name of a language."""
TEXTS = [
    (game, text_id, languages)
    for game in (THE_KIT, *GAMES)
    for text_id, languages in load_texts(game).items()
]
LESSONS = {notebook.name: notebook for notebook in NotebookShelf(packaged_folder()).derived()}


def unusual(text: str) -> set[str]:
    """Return the characters of *text* that simplified Chinese does not have.

    GB 2312, the mainland's standard of 1980, is a judge that our own table did not help to make.
    """
    for word in MEANT:
        text = text.replace(word, "")
    foreign = {
        character for character in CHINESE.findall(text) if not character.encode("gb2312", "ignore")
    }
    return foreign | {character for character in text if character in TRADITIONAL}


@pytest.mark.parametrize(
    ("taiwan", "mainland"),
    [
        ("他著手寫一部著作，編著者很著名", "他着手写一部著作，编著者很著名"),
        ("乾杯，乾隆年間乾坤朗朗，很能幹", "干杯，乾隆年间乾坤朗朗，很能干"),
        ("皇后以後，這裏和公里裡", "皇后以后，这里和公里里"),
        ("一目瞭然，在瞭望塔上瞭解", "一目了然，在瞭望塔上了解"),
        ("臺北、台灣、颱風", "台北、台湾、台风"),
        ("頭髮發光；鬆開松樹；稻穀山谷；麵粉面前", "头发发光；松开松树；稻谷山谷；面粉面前"),
        (
            "瘂弦、鍾理和、於梨華、葉石濤、余光中、范姜",
            "痖弦、钟理和、於梨华、叶石涛、余光中、范姜",
        ),
        (
            "《自由中國》刊登〈和平宣言〉，他說「『好』」",
            "《自由中国》刊登《和平宣言》，他说“‘好’”",
        ),
        ("用滑鼠在螢幕上選檔案，列印或存檔", "用鼠标在屏幕上选文件，打印或保存"),
        (
            "資訊素養、軟體、網路、程式的預設值、方程式",
            "信息素养、软件、网络、程序的默认值、方程式",
        ),
        ("國家檔案局的檔案管理", "国家档案局的档案管理"),
        ("每一列，前四列；排成一列，並列，列出", "每一行，前四行；排成一列，并列，列出"),
    ],
)
def test_words_and_names_are_written_as_on_the_mainland(taiwan: str, mainland: str) -> None:
    assert simplify(taiwan) == mainland


def test_no_text_of_the_kit_stays_traditional() -> None:
    assert {
        text_id: found
        for _, text_id, languages in TEXTS
        if (found := unusual(simplify(languages["zh-Hant"])))
    } == {}
    assert {
        text_id: found
        for _, text_id, languages in TEXTS
        if (found := unusual(languages["zh-Hans"]))
    } == {}


def own_lines() -> dict[str, tuple[str, str]]:
    """Return the texts with a line zh-Hans: id -> what the converter writes, what the line says."""
    lines = {}
    for game in (THE_KIT, *GAMES):
        for file in files(game):
            flat = flatten(tomllib.loads(file.read_text(encoding="utf-8")))
            for text_id, languages in flat.items():
                if "zh-Hans" in languages:
                    lines[text_id] = simplify(languages["zh-Hant"]), languages["zh-Hans"]
    return lines


def flatten(table: dict[str, Any], prefix: str = "") -> dict[str, dict[str, str]]:
    texts = {}
    for key, value in table.items():
        if isinstance(value.get("zh-Hant"), str):
            texts[prefix + key] = value
        else:
            texts |= flatten(value, f"{prefix}{key}.")
    return texts


CHOICES = {
    "the word has an everyday sense, too, which keeps it": """
        印→打印 存→保存 存起来→保存 存下来→保存 打→输入 拿回来→恢复 拿掉→去掉 加→添加
        贴→粘贴 转贴→转发 按→点 点两下→双击 复制→拷贝 拖曳→拖动 分枝→分支 条列→列表 条列→列
        清单→列表 栏→列 列→行 笔→条 资料→数据 影片→视频 文字→文本 意思→含义 行程→进程
        装置→设备 类别→类 类别名称→类名 埠→端口 检视→视图 滑杆→滑块 卷动→滚动 边界→边距
        留白→留空 简报→演示文稿 设定→设置 直线→竖线 连线→连接 连接→链接 远端连线→远程连接
        行动热点→移动热点 没有回应→没有响应 送出→发出""",
    "the converter takes it for the word of a computer": """
        运行→执行 提交→送出 提交去→送出去 撤销→恢复 自定义线轴→自定线轴
        文件和人们→档案和人们 投影幕布→投影幕 报道文学→报导文学""",
    "the converter does not know the word: lessons keep it, or one text only has it": """
        回报→报告 想像→想象 永不→从不 盖上→合上 ␣QR␣code→二维码 牌桌→桌 一支手机→一部手机 封闭模式→锁定模式""",
    "style": """
        照→按 依→按 不只→不止 接着就→随后就 有人叫到→被调用""",
    "the converter writes 〈〉 as 《》, and the sentence is about the two": """
        写␣book␣是《》，写␣piece␣是《》→写␣book␣或␣piece""",
    "each language is named in itself": """
        繁体中文→繁體中文""",
}
"""Why a text has a line of its own: what is converted, and what is written."""


def remove_choices(text: str) -> str:
    """Return *text* without the words of :data:`CHOICES`, whichever of two it has."""
    words = {
        word
        for pairs in CHOICES.values()
        for pair in pairs.split()
        for word in pair.replace("␣", " ").split("→")
    }
    longest_first = sorted(words, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, longest_first)), "", text)


def test_texts_have_simplified_lines_only_for_words_that_are_chosen() -> None:
    lines = own_lines()
    assert [
        text_id for text_id, (converted, written) in lines.items() if converted == written
    ] == []
    unexplained = {
        text_id: pair
        for text_id, pair in lines.items()
        if remove_choices(pair[0]) != remove_choices(pair[1])
    }
    assert unexplained == {}
    assert len(lines) / len(TEXTS) < 0.04  # 3 % in November 2026


@pytest.mark.parametrize("name", LESSONS)
def test_nothing_of_a_lesson_stays_traditional(name: str) -> None:
    notebook = LESSONS[name].read()
    simplify_notebook(notebook)
    assert '"zh-Hans"' in json.dumps(notebook["metadata"])
    source = "\n".join(cell["source"] for cell in notebook["cells"])
    assert 'use_language("zh-Hans")' in source
    assert "zh-Hant" not in source
    assert unusual(source) == set()


def test_nothing_of_the_page_about_data_stays_traditional() -> None:
    assert unusual(data(Site(NotebookShelf(packaged_folder())), "zh-Hans")) == set()


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_names_the_buttons_as_the_pages_do(name: str) -> None:
    """A quotation that is a text of the kit is its reviewed text, not what the converter makes of
    it.
    """
    reviewed: dict[str, set[str]] = {}
    for _, _, languages in TEXTS:
        reviewed.setdefault(languages["zh-Hant"], set()).add(languages["zh-Hans"])
    source = "\n".join("".join(cell["source"]) for cell in LESSONS[name].read()["cells"])
    quoted = {
        quotation for quotation in re.findall("「([^「」]*)」", source) if quotation in reviewed
    }
    assert quoted or name == "welcome"
    assert {
        quotation for quotation in quoted if simplify(quotation) not in reviewed[quotation]
    } == set()


@pytest.mark.parametrize("name", LESSONS)
def test_links_inside_a_lesson_lead_to_its_headings(name: str) -> None:
    notebook = LESSONS[name].read()
    simplify_notebook(notebook)
    text = "\n".join(
        cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "markdown"
    )
    headings = {
        heading.strip().replace(" ", "-") for heading in re.findall("^#+ (.+)$", text, re.M)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= headings
