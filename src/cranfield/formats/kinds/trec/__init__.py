"""The format `trec`: runs and judgements; preferences are known too, to say what they are. The
format `diversity`: judgements of subtopics, which `trec` reads as well where they show."""

from __future__ import annotations

from functools import partial

from cranfield.formats.contents import IDS, JUDGEMENTS, Content
from cranfield.formats.kinds.trec.diversity_writing import write_diversity
from cranfield.formats.kinds.trec.files import EXTENSIONS, kind_of
from cranfield.formats.kinds.trec.qrels import read_qrels, write_qrels
from cranfield.formats.kinds.trec.runs import read_run, write_run
from cranfield.formats.kinds.trec.subtopics import is_called_diverse
from cranfield.formats.registry import Format, register
from cranfield.formats.source import Source


def is_trec(source: Source) -> bool:
    return source.extension == ".trec" or kind_of(source) is not None


register(
    Format(
        name="trec",
        extensions=EXTENSIONS,
        priority=1,
        lists=True,
        holds=IDS
        | JUDGEMENTS
        | {
            Content.AS_NEGATIVE,
            Content.POOL,
            Content.STRATA,
            Content.OPEN,
            Content.ABSENT,
            Content.RETRIEVED,
        },
        recognises=is_trec,
        read_truth=read_qrels,
        read_run=read_run,
        write_truth=write_qrels,
        write_run=write_run,
    ),
    Format(
        name="diversity",
        extensions=(".dqrels",),
        priority=0,
        lists=True,
        holds=IDS
        | JUDGEMENTS
        | {
            Content.AS_NEGATIVE,
            Content.POOL,
            Content.SUBTOPICS,
            Content.OPEN,
            Content.ABSENT,
            Content.RETRIEVED,
        },
        recognises=is_called_diverse,
        read_truth=partial(read_qrels, diverse=True),
        read_run=read_run,
        write_truth=write_diversity,
        write_run=write_run,
    ),
)
