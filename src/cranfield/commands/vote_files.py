"""Files that commands about votes write: votes, truths, maps, decisions; and simulated votes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cranfield.assessment.vote_description import VoteDescription
from cranfield.assessment.votes import Votes
from cranfield.assessment.votes.columns import VoteFormat
from cranfield.commands.outputs import require_table
from cranfield.commands.votes import in_order
from cranfield.core.options import Argument, Option, Seed
from cranfield.core.progress import Notify, unheard
from cranfield.core.table import Table
from cranfield.errors import InputError, several

if TYPE_CHECKING:
    from cranfield.assessment.agreement import ConceptAgreement
    from cranfield.assessment.merging import Consensus
    from cranfield.assessment.quality import Quality
    from cranfield.studies.annotators import Crew


def write_votes_as(
    votes: Votes,
    *,
    output: Annotated[Path | None, Option(short="-o", writes="file")] = None,
    written_as: Annotated[VoteFormat, Option(name="as", metavar="FORMAT", needs="output")] = "long",
) -> None:
    """Write votes.

    output      Write all votes here, as item,annotator,concept,value.
    written_as  Of --output: long, choices (item,annotator,label), label-studio (JSON) or mturk.
    """
    if output is not None:
        if written_as in ("long", "choices"):
            require_table(output, parameter="output")
        votes.write(output, format=written_as)


def write_agreement_map(
    analysis: ConceptAgreement,
    *,
    output: Annotated[Path | None, Option(short="-o", writes="map")] = None,
) -> None:
    """Write an agreement map.

    output  Write the map, as evaluate --agreement takes it: CSV concept,value.
    """
    from cranfield.formats import write_map

    if output is not None:
        write_map(analysis.map, output)


def write_consensus(
    analysis: Consensus,
    *,
    output: Annotated[Path | None, Option(short="-o", writes="truth")] = None,
    confidence: Annotated[Path | None, Option(writes="file")] = None,
    graded: Annotated[Path | None, Option(writes="truth")] = None,
    reliability: Annotated[Path | None, Option(writes="file")] = None,
    map: Annotated[Path | None, Option(writes="map")] = None,
    concepts: Annotated[Path | None, Option(needs=("output", "graded"))] = None,
) -> None:
    """Write what merging came to.

    output       Write the truth here, in any format that evaluate reads.
    confidence   Write how sure each cell is: CSV item,concept,value,belief,confidence,share.
    graded       Write a truth with grades 0 to 10: tenths of the annotators who chose a concept.
    reliability  Write CSV annotator,votes,reliability.
    map          Write how far people agree with the majority by concept.
    concepts     The order of the concepts, one a line, which runs without names follow.
    """
    from cranfield.formats import write_map, write_truth

    for path, truth in ((output, analysis.truth), (graded, analysis.graded)):
        if path is not None:
            write_truth(in_order(truth, concepts), path)
    if confidence is not None:
        write_rows(analysis.by_cell(), confidence)
    if reliability is not None:
        write_rows(analysis.by_reliability(), reliability)
    if map is not None:
        write_map(analysis.votes.agreement_map(), map)


def write_rows(rows: Iterable[dict[str, Any]], path: Path) -> None:
    """Records as CSV; a name that ends in .gz is packed."""
    from cranfield.formats.source import written
    from cranfield.show.csv import csv_text

    with written(path) as target:
        target.stream.write(csv_text(Table("rows", list(rows))).encode())


def write_quality(
    analysis: Quality,
    *,
    accepted: Annotated[Path | None, Option(writes="votes")] = None,
    uploads: Mapping[Path, Path | None] | None = None,
    notify: Notify = unheard,
) -> None:
    """Write what follows from quality.

    accepted  Write the votes that are not rejected.
    """
    from cranfield.assessment.quality.decisions import write_decisions

    if accepted is not None:
        analysis.accepted.write(accepted)
    for path, results in (uploads or {}).items():
        made = write_decisions(analysis, path, results=results)
        notify(
            f"wrote {path}: {several(made.approved, 'assignment')} to approve, {made.rejected} to "
            f"reject, {made.left} left as they are"
        )


# ── simulation ────────────────────────────────────────────────────────────────────────────────

_CREWS = ("expert=11", "worker=60/9,slips=0.05,careless=0.12")
_SHARES = ("slips", "unclear", "careless")


def simulate_votes(
    truth: Annotated[Path, Argument(metavar="TRUTH")],
    *,
    output: Annotated[Path, Option(short="-o", writes="votes")],
    crew: Annotated[
        list[str] | None,
        Option(
            metavar="NAME=COUNT[/N][,slips=…,unclear=…,careless=…]", default=" and ".join(_CREWS)
        ),
    ] = None,
    crews: Annotated[Path | None, Option(writes="file")] = None,
    unclear: Annotated[float, Option(metavar="SHARE", minimum=0.0, maximum=1.0)] = 0.15,
    ontology: Annotated[str | None, Option(metavar="NAME|FILE")] = None,
    seed: Seed = 0,
) -> VoteDescription:
    """Simulate annotators: experts who rarely err, workers who err more, sheets without a look.

    Concepts that exclude each other by --ontology are asked as one choice. Useful to try the other
    commands, and to know what to expect before people are paid.

    truth     A truth file, or a collection folder.
    output    Write the votes: CSV item,annotator,concept,value.
    crew      People of one kind: how many, how many of them see each item, shares of errors on easy
              and on unclear questions, share of sheets without a look; may be repeated.
    crews     Write who belongs to which crew: CSV annotator,group.
    unclear   Questions about items that are unclear.
    ontology  Hierarchy and rules: pto2009, pto2010, pto2011, or a file (.owl .ttl .obo .json …).
    seed      Seed of what is drawn.
    """
    from cranfield import formats
    from cranfield.assessment.votes import groups_of as exclusive_groups
    from cranfield.knowledge import Ontology
    from cranfield.studies.annotators import simulated_votes

    people = [_crew(text) for text in crew or _CREWS]
    if len({kind.name for kind in people}) < len(people):
        raise InputError("two crews have the same name", parameter="crew")
    known = formats.read_collection(truth).truth
    groups = exclusive_groups(Ontology.load(ontology), known.concepts) if ontology else {}
    votes = simulated_votes(known, people, groups=groups, unclear=unclear, seed=seed)
    votes.write(output)
    if crews is not None:
        members = [
            {"annotator": name, "group": kind.name} for kind in people for name in kind.members
        ]
        write_rows(members, crews)
    return VoteDescription(votes)


def _crew(text: str) -> Crew:
    """A crew from NAME=COUNT/SEEN,careless=0.1."""
    from cranfield.studies.annotators import Crew

    name, _, rest = text.partition("=")
    size, *shares = rest.split(",")
    count, _, per_item = size.partition("/")
    try:
        named = dict(share.split("=") for share in shares)
        if not name.strip() or "," in name or set(named) - set(_SHARES):
            raise ValueError
        return Crew(
            name.strip(),
            int(count),
            int(per_item) if per_item else None,
            **{share: float(value) for share, value in named.items()},
        )
    except InputError as error:
        raise InputError(f"{text}: {error}", parameter="crew") from None
    except ValueError:
        raise InputError(
            f"{text!r}",
            mend="write NAME=COUNT, NAME=COUNT/SEEN or NAME=COUNT,careless=0.1",
            parameter="crew",
        ) from None
