"""Names that other tools give to measures, and which measures of ours they are: one table.

trec_eval's names mean its rules: equal scores are ordered by id (ties=trec), a topic without
relevant documents scores 0, a recall level asks for level · R documents, rounded as in trec_eval
10. They are for data that it reads, which are open truths; elsewhere only `map` has a meaning, the
usual one. Another tool's names are further rows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_RULES = "ties=trec,undefined=0"
_STYLE = "only --style trec prints it; in tables"


@dataclass(frozen=True)
class PeerName:
    """A name of another tool, or all names of one form."""

    tool: str
    form: str
    """A regular expression; what its group matches stands for {} in the spellings."""
    searching: str | None
    """The measure on open truths, such as those of TREC files; None: there is no such measure."""
    elsewhere: str | None = None
    """On other truths, if it has a meaning there."""
    advice: str = ""
    """What to write where it has none."""


PEER_NAMES: tuple[PeerName, ...] = (
    PeerName("trec_eval", "map", f"concept.AP({_RULES})", "concept.AP"),
    PeerName("trec_eval", "gm_map", f"concept.GMAP({_RULES})", advice="concept.GMAP"),
    PeerName("trec_eval", "Rprec", f"concept.RP({_RULES})", advice="concept.RP"),
    PeerName("trec_eval", "bpref", f"concept.bpref({_RULES})", advice="concept.bpref"),
    PeerName("trec_eval", "recip_rank", f"concept.RR({_RULES})", advice="concept.RR"),
    PeerName("trec_eval", "infAP", f"concept.infAP({_RULES})", advice="concept.infAP"),
    PeerName("trec_eval", "ndcg", f"concept.nDCG({_RULES})", advice="concept.nDCG or example.nDCG"),
    PeerName("trec_eval", "11pt_avg", f"concept.iAP(rule=trec10,{_RULES})", advice="concept.iAP"),
    PeerName(
        "trec_eval", "rbp", f"concept.RBP(gain=graded,p=0.9,{_RULES})", advice="concept.RBP(p=0.9)"
    ),
    PeerName("trec_eval", "set_P", "concept.P(undefined=0)", advice="concept.P"),
    PeerName("trec_eval", "set_recall", "concept.R(undefined=0)", advice="concept.R"),
    PeerName("trec_eval", "set_F", "concept.F(undefined=0)", advice="concept.F"),
    PeerName("trec_eval", r"P_(\d+)", f"concept.P@{{}}({_RULES})", advice="concept.P@{}"),
    PeerName("trec_eval", r"recall_(\d+)", f"concept.R@{{}}({_RULES})", advice="concept.R@{}"),
    PeerName(
        "trec_eval", r"ndcg_cut_(\d+)", f"concept.nDCG@{{}}({_RULES})", advice="concept.nDCG@{}"
    ),
    PeerName(
        "trec_eval",
        r"success_(\d+)",
        f"concept.success@{{}}({_RULES})",
        advice="concept.success@{}",
    ),
    PeerName(
        "trec_eval",
        r"iprec_at_recall_(\d*\.?\d+)",
        f"concept.P_at_recall(recall={{}},rule=trec10,{_RULES})",
        advice="concept.P_at_recall(recall={})",
    ),
    PeerName("trec_eval", r"map_cut_\d+|set_map", None, advice=f"{_STYLE} write concept.AP"),
    PeerName(
        "trec_eval", r"relative_P_\d+|set_relative_P", None, advice=f"{_STYLE} write P_10, say"
    ),
    PeerName("trec_eval", r"Rprec_mult_[\d.]+", None, advice=f"{_STYLE} write Rprec"),
    PeerName("trec_eval", "gm_bpref", None, advice=f"{_STYLE} write bpref"),
    PeerName("trec_eval", "rbp_resid", None, advice=f"{_STYLE} write rbp"),
    PeerName(
        "trec_eval",
        r"official|all_trec|runid|utility|num_(q|ret|rel|rel_ret|nonrel_judged_ret)|unj_\d+",
        None,
        advice=f"{_STYLE} write map, P_10 or ndcg_cut_10, say",
    ),
    PeerName(
        "trec_eval",
        "ndcg_cut|iprec_at_recall",
        None,
        advice="write ndcg_cut_10, iprec_at_recall_0.10 …",
    ),
)


@dataclass(frozen=True)
class PeerMeaning:
    """What a name of another tool stands for: canonical spellings."""

    name: str
    tool: str
    searching: str | None
    elsewhere: str | None
    advice: str


@lru_cache(maxsize=1024)
def peer_meaning(name: str) -> PeerMeaning | None:
    """What a name stands for, in either case; None if no other tool is known to use it."""
    for peer in PEER_NAMES:
        match = re.fullmatch(peer.form, name, re.IGNORECASE)
        if match is not None:
            searching, elsewhere, advice = (
                None if text is None else text.format(*match.groups())
                for text in (peer.searching, peer.elsewhere, peer.advice)
            )
            return PeerMeaning(name, peer.tool, searching, elsewhere, advice or "")
    return None
