"""Declared commands: signatures, notes and docstrings are all that a front end needs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import pytest

from cranfield.commands.declaration import Command, described, parameters_of
from cranfield.core.options import Argument, Option
from cranfield.core.progress import Progress, silent
from cranfield.errors import InputError


class Numbers(NamedTuple):
    numbers: list[float]


def numbers_in(path: Annotated[Path, Argument(metavar="FILE")]) -> Numbers:
    """Numbers in a file.

    path  A file with a number a line.
    """
    return Numbers([float(line) for line in path.read_text().split()])


def halves(text: str) -> tuple[float, ...]:
    return tuple(float(part) / 2 for part in text.split(","))


def total(
    numbers: Sequence[float],
    *,
    how: Annotated[Literal["sum", "mean"], Option()] = "sum",
    scale: Annotated[float, Option(minimum=0.0)] = 1.0,
    offsets: Annotated[Sequence[float], Option(parse=halves, needs="how")] = (),
    names: Annotated[list[str] | None, Option(name="name", short="-n")] = None,
    verbose: Annotated[bool, Option(excludes=("scale",))] = False,
    hidden: int = 3,
    progress: Progress = silent,
) -> float:
    """Add numbers.

    A second paragraph.

    how      sum or mean,
             over all of them
    scale    What to multiply by.
    """
    with progress("adding", len(numbers)) as step:
        step(1)
    return scale * (sum(numbers) + sum(offsets)) / (len(numbers) if how == "mean" else 1)


HERE = __name__
COMMAND = Command(
    "add up", "Add numbers.", function=f"{HERE}:total", inputs=(f"{HERE}:numbers_in",)
)


def test_arguments_come_first_then_own_options() -> None:
    assert [(p.name, p.positional) for p in COMMAND.parameters] == [
        ("path", True),
        ("how", False),
        ("scale", False),
        ("offsets", False),
        ("names", False),
        ("verbose", False),
    ]


def test_a_command_may_omit_parameters_of_its_inputs() -> None:
    command = Command(
        "add", "Add.", function=f"{HERE}:total", inputs=(f"{HERE}:numbers_in",), omits=("path",)
    )
    assert "path" not in [parameter.name for parameter in command.parameters]


def test_types_choices_defaults_and_words_come_from_the_signature_and_the_docstring() -> None:
    by_name = {p.name: p for p in parameters_of(total)}
    assert by_name["how"].choices == ("sum", "mean")
    assert by_name["how"].help == "Sum or mean, over all of them."
    assert by_name["how"].default == "sum"
    assert by_name["scale"].type == "number"
    assert by_name["names"].many
    assert by_name["names"].label == "name"
    assert by_name["verbose"].type == "flag"
    assert "hidden" not in by_name
    assert described(total)[0] == "Add numbers.\n\nA second paragraph."


def test_what_inputs_read_is_handed_on(tmp_path: Path) -> None:
    path = tmp_path / "numbers"
    path.write_text("1\n2\n3\n")
    assert COMMAND.execute({"path": path}) == 6.0
    assert COMMAND.execute({"path": path, "how": "mean", "offsets": "2,4"}) == 3.0


def greedy(*, how: Annotated[str, Option()] = "", **others: object) -> dict[str, object]:
    """Take whatever inputs supply."""
    return {"how": how, **others}


def test_a_function_that_takes_anything_gets_all_that_inputs_supply(tmp_path: Path) -> None:
    path = tmp_path / "numbers"
    path.write_text("1\n")
    command = Command("take", "Take.", function=f"{HERE}:greedy", inputs=(f"{HERE}:numbers_in",))
    assert command.execute({"path": path, "how": "x"}) == {"how": "x", "numbers": [1.0]}


def test_a_text_that_cannot_be_parsed_names_its_parameter(tmp_path: Path) -> None:
    path = tmp_path / "numbers"
    path.write_text("1\n")
    with pytest.raises(InputError) as caught:
        COMMAND.execute({"path": path, "offsets": "x"})
    assert caught.value.parameter == "offsets"


def test_options_that_mean_nothing_alone_or_contradict_are_refused() -> None:
    with pytest.raises(InputError, match="how="):
        COMMAND.require_consistent({"offsets"})
    COMMAND.require_consistent({"offsets", "how"})
    with pytest.raises(InputError, match="scale="):
        COMMAND.require_consistent({"verbose", "scale"})


def test_errors_spell_parameters_as_each_front_end_does() -> None:
    error = InputError("3 items are missing", mend="count them as such by {missing=absent}")
    assert str(error) == '3 items are missing; count them as such by missing="absent"'
    spelled = error.message(lambda name, value: f"--{name} {value}")
    assert spelled == "3 items are missing; count them as such by --missing absent"


def test_braces_in_data_are_not_taken_for_parameters() -> None:
    assert str(InputError("item '{missing}' is unknown")) == "item '{missing}' is unknown"


Shared = Annotated[int, Option(help="how often to draw")]


def drawn(
    *,
    repeats: Shared = 3,
    seed: Annotated[int, Option(help="of what is drawn")] = 0,
    paired: Annotated[bool, Option()] = True,
    style: Annotated[str, Option(needs=("picture", "html"))] = "",
) -> None:
    """Draw.

    seed  Seed of draws.
    """


def test_a_shared_parameter_brings_its_words_and_a_docstring_goes_before_them() -> None:
    by_name = {p.name: p for p in parameters_of(drawn)}
    assert by_name["repeats"].help == "How often to draw."
    assert by_name["seed"].help == "Seed of draws."


def test_any_of_several_needed_options_will_do() -> None:
    command = Command("draw", "Draw.", function=f"{HERE}:drawn")
    command.require_consistent({"style", "html"})
    with pytest.raises(InputError, match="picture= or html= too"):
        command.require_consistent({"style"})


def test_a_flag_that_is_set_by_default_can_be_taken_back() -> None:
    import typer
    from typer.testing import CliRunner

    from cranfield.cli.program import declare

    app = typer.Typer()
    app.callback()(lambda: None)
    declare(app, Command("draw", "Draw.", function=f"{HERE}:drawn"))
    assert "--no-paired" in CliRunner().invoke(app, ["draw", "--help"]).output
