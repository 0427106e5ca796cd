"""`cranfield votes filter`: which of users' tags do not describe the item."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import deliver, require_folders, require_format, spare
from cranfield.cli.options import Json, output_option

if TYPE_CHECKING:
    from cranfield.core.axes import Axis


class Kernel(StrEnum):
    """Kernels of the support vector machine."""

    rbf = "rbf"
    linear = "linear"
    poly = "poly"
    sigmoid = "sigmoid"


def register(app: typer.Typer) -> None:
    app.command(
        "filter",
        cls=Command,
        epilog=examples(
            "cranfield votes filter tags.csv features.csv -o kept.csv",
            "cranfield votes filter tags.csv features.npz --outliers 0.3 --list tags-by-item.csv",
            "cranfield votes filter tags.csv features.csv --gold truth.csv",
        ),
    )(filter_tags)


def filter_tags(
    tags: Annotated[
        Path,
        typer.Argument(
            metavar="TAGS",
            help="What users tagged, in any format of a truth: 1 = the item has the tag.",
            show_default=False,
        ),
    ],
    features: Annotated[
        Path,
        typer.Argument(
            metavar="FEATURES",
            help="Numbers of each item, in any format of a run: CSV item,feature,…, NPZ, Parquet.",
            show_default=False,
        ),
    ],
    gold: Annotated[
        Path | None,
        typer.Option(metavar="TRUTH", help="What is really on the items: judge the filter by it."),
    ] = None,
    outliers: Annotated[
        float,
        typer.Option(
            metavar="SHARE", min=0.001, max=0.999, help="Items of a tag that may be outliers."
        ),
    ] = 0.2,
    kernel: Annotated[
        Kernel, typer.Option(metavar="rbf|linear|poly|sigmoid", help="Of the one-class SVM.")
    ] = Kernel.rbf,
    least: Annotated[
        int, typer.Option(metavar="N", min=2, help="Tags of fewer items are left as they are.")
    ] = 10,
    output: Annotated[
        Path | None, output_option("Write the tags that are kept, as a truth.")
    ] = None,
    listed: Annotated[
        Path | None,
        typer.Option(
            "--list",
            metavar="FILE",
            help="Write CSV item,tag,kept,score: every tag of every item, the most unlikely first.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Separate items that a tag describes from outliers, by what they look like.

    A one-class SVM for each tag; nobody needs to say which items are right. Most items of a tag
    must show what it says, and look alike. Needs scikit-learn: pip install 'cranfield\\[learn]'.
    """
    for option, path in (("--output", output), ("--list", listed)):
        others = [other for other in (output, listed) if other is not path]
        spare((tags, features, gold, *others), path, option=option)
    require_format(output)
    require_folders((output, listed))

    from cranfield import formats
    from cranfield.assessment.weak_labels import filter_tags as filtered
    from cranfield.assessment.weak_labels import judge
    from cranfield.cli.screen import data, inform, progress
    from cranfield.cli.screen import output as screen
    from cranfield.core.matrices import dense
    from cranfield.report.filtered_tags import filtered_content, filtered_table, tag_list

    given = formats.read_truth(tags)
    seen = formats.read_run(features)
    _require_features(features, given.item_axis, seen.item_axis)
    places = given.item_axis.locate(
        seen.item_axis, run=seen.name, missing="error", strangers="absent"
    )
    numbers = dense(seen.ranking)
    with progress("learning", len(given.concepts)) as step:
        found = filtered(
            given,
            numbers if places is None else numbers[places],
            outliers=outliers,
            kernel=kernel.value,
            least=least,
            progress=step,
        )
    judged = None if gold is None else judge(found, formats.read_truth(gold))
    if output is not None:
        formats.write_truth(found.kept, output)
        inform(f"wrote {output}")
    if listed is not None:
        deliver(tag_list(found), listed)
    if as_json:
        data(json.dumps(filtered_content(found, judged), indent=2, ensure_ascii=False) + "\n")
    else:
        screen().print(filtered_table(found, judged))


def _require_features(path: Path, tagged: Axis, seen: Axis) -> None:
    """Refuse features that some items have none of."""
    from cranfield.errors import FileError, first_ten, several

    if tagged.ids is None or seen.ids is None:
        if tagged.size != seen.size:
            raise FileError(
                path,
                f"has features of {several(seen.size, 'item')}, and {tagged.size} are tagged; "
                "without ids on both sides give one row for each",
            )
        return
    lacking = seen.strangers(tagged)
    if lacking:
        raise FileError(
            path,
            f"has no features of {several(len(lacking), 'tagged item')}: {first_ten(lacking)}; "
            "add them, or take these items from the tags",
        )
