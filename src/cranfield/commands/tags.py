"""Tags with features of their items, and files with what filtering left of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from cranfield.assessment.tags import FilteredTags
from cranfield.commands.vote_files import write_rows
from cranfield.core.options import Argument, Option
from cranfield.errors import FileError, first_ten, several

if TYPE_CHECKING:
    from cranfield.core.run import Run
    from cranfield.core.truth import Truth


class Tags(NamedTuple):
    """Tags, features of their items, and a truth to judge by."""

    tags: Truth
    features: Any
    gold: Truth | None


def tags_with_features(
    tags: Annotated[Path, Argument(metavar="TAGS")],
    features: Annotated[Path, Argument(metavar="FEATURES")],
    *,
    gold: Annotated[Path | None, Option(metavar="TRUTH")] = None,
) -> Tags:
    """Tags with features.

    tags      What users tagged, in any format of a truth: 1 = the item has the tag.
    features  Numbers of each item, in any format of a run: CSV item,feature,…, NPZ, Parquet.
    gold      What is really on the items: judge the filter by it.
    """
    from cranfield import formats
    from cranfield.core.matrices import dense

    tagged, seen = formats.read_truth(tags), formats.read_run(features)
    _require_features(features, tagged, seen)
    rows = tagged.item_axis.locate(
        seen.item_axis, run=seen.name, missing="error", strangers="absent"
    )
    numbers = dense(seen.ranking)
    return Tags(
        tagged,
        numbers if rows is None else numbers[rows],
        None if gold is None else formats.read_truth(gold),
    )


def _require_features(path: Path, tagged: Truth, seen: Run) -> None:
    """Refuse features that some items have none of."""
    items, with_features = tagged.item_axis, seen.item_axis
    if items.ids is None or with_features.ids is None:
        if items.size != with_features.size:
            raise FileError(
                path,
                f"has features of {several(with_features.size, 'item')}, and {items.size} are "
                "tagged; without ids on both sides give one row for each",
            )
        return
    lacking = with_features.strangers(items)
    if lacking:
        raise FileError(
            path,
            f"has no features of {several(len(lacking), 'tagged item')}: {first_ten(lacking)}; "
            "add them, or take these items from the tags",
        )


def write_tags(
    analysis: FilteredTags,
    *,
    output: Annotated[Path | None, Option(short="-o", writes="truth")] = None,
    listed: Annotated[Path | None, Option(name="list", writes="file")] = None,
) -> None:
    """Write filtered tags.

    output  Write the tags that are kept, as a truth.
    listed  Write CSV item,tag,kept,score: every tag of every item, the most unlikely first.
    """
    from cranfield.formats import write_truth

    if output is not None:
        write_truth(analysis.kept, output)
    if listed is not None:
        write_rows(analysis.by_item(), listed)
