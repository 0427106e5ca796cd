"""The format `trec`: runs and judgements; preferences are known too, to say what they are."""

from __future__ import annotations

from cranfield.formats.contents import IDS, JUDGEMENTS, Content
from cranfield.formats.registry import Format, register
from cranfield.formats.source import Source
from cranfield.formats.trec.kinds import EXTENSIONS, kind_of
from cranfield.formats.trec.qrels import read_qrels, write_qrels
from cranfield.formats.trec.runs import read_run, write_run


def is_trec(source: Source) -> bool:
    return source.extension == ".trec" or kind_of(source) is not None


register(
    Format(
        name="trec",
        extensions=EXTENSIONS,
        asked=1,
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
    )
)
