"""`cranfield votes simulate`: what people might say of items whose truth is known."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import deliver, require_folders, require_votes, spare
from cranfield.cli.options import OntologyOption, TruthPath, output_option
from cranfield.cli.study.inputs import Seed

if TYPE_CHECKING:
    from cranfield.studies.annotators import Crew

_SHARES = ("slips", "unclear", "careless")
_DEFAULT = ("expert=11", "worker=60/9,slips=0.05,careless=0.12")


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield simulate photos --items 99",
            "cranfield votes simulate photos --ontology pto2009 -o votes.csv --crews people.csv",
            "cranfield votes simulate truth.csv --crew ann=3 --crew crowd=20/5,careless=0.3 "
            "-o votes.csv",
        ),
    )(simulate)


def simulate(
    truth: TruthPath,
    output: Annotated[Path, output_option("Write the votes: CSV item,annotator,concept,value.")],
    crew: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=COUNT[/N][,slips=…,unclear=…,careless=…]",
            help="People of one kind: how many, how many of them see each item, shares of errors "
            "on easy and on unclear questions, share of sheets without a look; may be repeated. "
            f"Default: {' and '.join(_DEFAULT)}.",
            show_default=False,
        ),
    ] = None,
    crews: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write who belongs to which crew: CSV annotator,group."),
    ] = None,
    unclear: Annotated[
        float,
        typer.Option(
            metavar="SHARE", min=0.0, max=1.0, help="Questions about items that are unclear."
        ),
    ] = 0.15,
    ontology: OntologyOption = None,
    seed: Seed = 0,
) -> None:
    """Simulate annotators: experts who rarely err, workers who err more, sheets without a look.

    Concepts that exclude each other by --ontology are asked as one choice. Useful to try the other
    commands, and to know what to expect before people are paid.
    """
    spare((truth,), output)
    spare((truth, output), crews, option="--crews")
    require_votes(output)
    require_folders((output, crews))

    from cranfield import formats
    from cranfield.assessment.votes import groups_of
    from cranfield.cli.screen import inform
    from cranfield.knowledge import Ontology
    from cranfield.studies.annotators import simulated_votes

    people = [_crew(one) for one in crew or _DEFAULT]
    if len({one.name for one in people}) < len(people):
        raise typer.BadParameter("two crews have the same name", param_hint="--crew")
    known = formats.read_collection(truth).truth
    groups = groups_of(Ontology.load(ontology), known.concepts) if ontology else {}
    votes = simulated_votes(known, people, groups=groups, unclear=unclear, seed=seed)
    votes.write(output)
    inform(f"wrote {output}: {len(votes)} votes of {len(votes.annotators)} annotators")
    if crews is not None:
        members = "".join(f"{name},{one.name}\n" for one in people for name in one.members)
        deliver(f"annotator,group\n{members}", crews)


def _crew(text: str) -> Crew:
    """A crew as the command line spells it."""
    from cranfield.errors import InputError
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
        raise typer.BadParameter(f"{text}: {error}", param_hint="--crew") from None
    except ValueError:
        raise typer.BadParameter(
            f"{text!r}; write NAME=COUNT, NAME=COUNT/SEEN or NAME=COUNT,careless=0.1",
            param_hint="--crew",
        ) from None
