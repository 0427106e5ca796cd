"""The page that annotators see: a form that Mechanical Turk fills with an item and hands in.

It needs nothing but itself and the image. Mechanical Turk writes what stands in a row of the input
for ${image_url} and ${item}; every other $ is escaped, so that no concept's name can ask for more.
Without scripts the browser itself insists on an answer to each single choice.

Fields: how questions, answers and items are called on the way to Mechanical Turk and back.

Plain names stay as they are, so that results can be read by eye. Everything else is written as %XX:
what HTML, CSV, spreadsheets, readers of results or Mechanical Turk itself would take for something
of their own (quotes, points, ${…}, a = in front, letters beyond ASCII, words such as "comment").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from importlib.resources import files
from urllib.parse import quote, unquote

from cranfield.assessment.files.tables import role_of
from cranfield.assessment.jobs.forms import Block, Form, Section
from cranfield.assessment.votes.columns import NOT_ASKED
from cranfield.show.markup import NOTHING, Html, element, joined

_ACTION = "https://www.mturk.com/mturk/externalSubmit"
_HINTS = {
    "one": "Choose exactly one.",
    "any": "Tick all that apply, or none.",
    "yes_no": "Choose one.",
}


def template_page(form: Form, *, per_hit: int = 1) -> str:
    """The template of a job, with several items on a page or one."""
    return _page(form, per_hit, preview=False)


def preview_page(form: Form, row: Mapping[str, str], *, per_hit: int = 1) -> str:
    """The page with a row of the input filled in; instead of handing in, it shows the answers."""
    template = _page(form, per_hit, preview=True)
    return re.sub(r"\$\{(\w+)\}", lambda found: row[found[1]], template)


def _page(form: Form, per_hit: int, *, preview: bool) -> str:
    head = joined(
        [
            Html('<head>\n<meta charset="utf-8">\n'),
            Html('<meta name="viewport" content="width=device-width, initial-scale=1">\n'),
            Html('<meta name="color-scheme" content="light dark">\n'),
            element("title", _said(form.title)),
            # Neither may hold a closing tag or ${, which the tests see to.
            Html(f"\n<style>\n{_resource('form.css')}</style>\n</head>\n"),
        ]
    )
    script = Html(f"\n<script>\n{_resource('form.js')}</script>\n")
    body = element("body", "\n", _form(form, per_hit, preview=preview), script)
    return "<!doctype html>\n" + element("html", "\n", head, body, lang="en") + "\n"


def _form(form: Form, per_hit: int, *, preview: bool) -> Html:
    numbers = iter(range(1, 1 << 30))
    parts = [
        part
        for position in range(1, per_hit + 1)
        for part in _Item(form, position, per_hit, numbers).parts()
    ]
    rules = (element("li", _said(rule)) for rule in form.instructions)
    head = element(
        "header", element("h1", _said(form.title)), element("ul", *rules, class_="rules")
    )
    return element(
        "form",
        "\n",
        Html('<input type="hidden" id="assignmentId" name="assignmentId" value="">\n'),
        head,
        "\n",
        *parts,
        _end(preview=preview),
        _progress(),
        "\n",
        id="mturk_form",
        method="post",
        action=_ACTION,
        data_preview=preview,
    )


def _end(*, preview: bool) -> Html:
    comment = element(
        "p",
        element("label", "Comments, if you have any", for_="comment"),
        element("textarea", id="comment", name=COMMENT, rows="3", maxlength="2000"),
        class_="comment",
    )
    button = element("button", "Hand in", type="submit", id="hand-in")
    state = element("p", id="state", role="status")
    handed = element("pre", id="handed", hidden=True, tabindex="-1") if preview else NOTHING
    return element("footer", comment, state, button, handed)


def _progress() -> Html:
    """How much is answered, in sight wherever the page is scrolled to."""
    bar = element("progress", id="bar", value="0", max="1", aria_labelledby="count")
    return element(
        "div", bar, element("span", id="count"), class_="progress", id="progress", hidden=True
    )


class _Item:
    """The questions about one of the items on a page."""

    def __init__(self, form: Form, position: int, places: int, numbers: Iterator[int]) -> None:
        self.form = form
        self.position = position
        self.places = places
        self.numbers = numbers

    def parts(self) -> Iterator[Html]:
        if self.places > 1:
            yield element("h2", f"Image {self.position} of {self.places}", class_="which")
        for section in self.form.sections:
            yield self._section(section)

    def _section(self, section: Section) -> Html:
        tag = "h3" if self.places > 1 else "h2"
        lead = self.form.descriptions.get(section.name)
        return _line(
            "section",
            "\n",
            self._image(),
            "\n",
            element(
                "div",
                element(tag, _said(self.form.title_of(section.name))) if section.name else NOTHING,
                element("p", _said(lead), class_="lead") if lead and section.name else NOTHING,
                "\n",
                *(self._block(block, section) for block in section.blocks),
                class_="asked",
            ),
            data_item=_variable(item_field(self.position, self.places)),
        )

    def _image(self) -> Html:
        """The image beside each section, so that nobody answers from memory."""
        address = _variable(address_field(self.position, self.places))
        which = f"Image {self.position}" if self.places > 1 else "The image"
        image = Html(
            f'<img src="{address}" alt="{which} that these questions are about" '
            'referrerpolicy="no-referrer">'
        )
        link = element(
            "a", image, href=address, target="_blank", rel="noopener noreferrer",
            title="Open in full size",
        )  # fmt: skip
        lost = "The image cannot be loaded. Please say so in the comments."
        return element("figure", link, element("figcaption", lost, hidden=True))

    def _block(self, block: Block, section: Section) -> Html:
        number = next(self.numbers)
        own = block.name if block.name != section.name or block.ask != "any" else ""
        title = self.form.title_of(own) if own else "Which of these apply?"
        description = self.form.descriptions.get(own)
        required = block.ask != "any"
        named = element("legend", _said(f"{title}, further" if block.further and own else title))
        return _line(
            "fieldset",
            named,
            element("p", _said(description), class_="lead") if description else NOTHING,
            element("p", _HINTS[block.ask], class_="hint", id=f"q{number}-hint"),
            element("p", id=f"q{number}-open", class_="open", hidden=True) if required else NOTHING,
            element("div", *self._inputs(block, number), class_=_options(block)),
            id=f"q{number}",
            class_="required" if required else None,
            role="radiogroup" if required else None,
            aria_required="true" if required else None,
            aria_describedby=f"q{number}-hint" + (f" q{number}-open" if required else ""),
        )

    def _inputs(self, block: Block, number: int) -> Iterator[Html]:
        if block.ask == "yes_no":
            field = field_of(block.concepts[0], self.position, self.places)
            for order, answer in enumerate(("yes", "no")):
                yield _input("radio", f"q{number}-{order}", field, answer, answer.title())
            return
        for order, concept in enumerate(block.concepts):
            radio = block.ask == "one"
            yield _input(
                "radio" if radio else "checkbox",
                f"q{number}-{order}",
                field_of(block.name if radio else concept, self.position, self.places),
                coded(concept) if radio else "on",
                self.form.title_of(concept),
                self.form.descriptions.get(concept),
                depth=block.depths[order] if block.depths else 0,
            )


def _options(block: Block) -> str:
    return "options nested" if block.depths else "options"


def _input(
    kind: str,
    id: str,
    field: str,
    value: str,
    title: str,
    description: str | None = None,
    *,
    depth: int = 0,
) -> Html:
    required = " required" if kind == "radio" else ""
    box = Html(
        f'<input type="{kind}" id="{id}" name="{_said(field)}" value="{_said(value)}"{required}>'
    )
    more = element("small", _said(description)) if description else NOTHING
    words = element("span", _said(title), more)
    inner = f"inner{min(depth, 4)}" if depth else None
    return _line("label", box, words, for_=id, class_=inner)


def _line(tag: str, *content: object, **attributes: object) -> Html:
    """An element on a line of its own, so that the source can be read."""
    return joined([element(tag, *content, **attributes), "\n"])


def _variable(name: str) -> Html:
    """What Mechanical Turk writes into the page."""
    return Html(f"${{{name}}}")


def _said(text: str) -> Html:
    """Text of other people; no $ of theirs begins a variable."""
    return Html(escape(text).replace("$", "&#36;"))


@cache
def _resource(name: str) -> str:
    return (files("cranfield.assessment.jobs") / name).read_text(encoding="utf-8")


# ── fields ────────────────────────────────────────────────────────────────────────────────────────


COMMENT = "comment"
_RESERVED = (NOT_ASKED - {""}) | {"assignmentid", "taskanswers", "on", "off", "true", "false"}


def coded(name: str) -> str:
    """A name of a question or an answer, such that nothing takes it for something else."""
    return _unlike_words(quote(name, safe=" ").replace(".", "%2E"))


def coded_item(item: str) -> str:
    """The id of an item; names of files stay readable."""
    return _unlike_words(quote(item, safe=" /:"))


def decoded(text: str) -> str:
    """What was coded."""
    return unquote(text)


def field_of(name: str, position: int, places: int) -> str:
    """The field of a question about one of several items on a page; places count from 1."""
    return coded(name) if places == 1 else f"{position}_{coded(name)}"


def item_field(position: int, places: int) -> str:
    return "item" if places == 1 else f"item{position}"


def address_field(position: int, places: int) -> str:
    return "image_url" if places == 1 else f"image_url{position}"


def _unlike_words(text: str) -> str:
    """The first letter coded where the word means something, blanks where one might be lost."""
    text = re.sub(r"^ | $|(?<= ) ", "%20", text)
    if text.startswith("-") or text.casefold() in _RESERVED or role_of(text) == COMMENT:
        return f"%{ord(text[0]):02X}{text[1:]}"
    return text
