"""Small score files in the structure of each format, written by hand for these tests."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

TABLE = b"""run,item,score,measure,repeat,cluster
A,q1,1,acc,1,d1
A,q2,0,acc,1,d1
A,q3,0.5,acc,1,d2
B,q1,1,acc,1,d1
B,q2,true,acc,1,d1
B,q3,1,acc,1,d2
"""

INSPECT: dict[str, Any] = {
    "version": 2,
    "status": "success",
    "eval": {"task": "sums", "model": "lab/small", "dataset": {"name": "sums", "samples": 2}},
    "plan": {"name": "plan", "steps": []},
    "results": {"total_samples": 2, "scores": []},
    "stats": {"started_at": "2026-05-01T10:00:00+00:00"},
    "samples": [
        {
            "id": "one",
            "epoch": epoch,
            "input": "1 + 1",
            "target": "2",
            "scores": {"match": {"value": value, "answer": "2"}, "judge": {"value": grades}},
        }
        for epoch, value, grades in ((1, "C", {"style": 3, "tone": True}), (2, "I", {"style": 4}))
    ]
    + [
        {"id": 7, "epoch": 1, "input": "2", "target": "2", "scores": {"match": {"value": "P"}}},
        {"id": 8, "epoch": 1, "input": "3", "target": "3", "scores": {"match": {"value": "N"}}},
        {"id": 9, "epoch": 1, "input": "4", "target": "4", "error": {"message": "timed out"}},
    ],
}


def inspect_archive(log: dict[str, Any] = INSPECT, *, summaries: bool = True) -> bytes:
    """The same log as .eval."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        header = {name: value for name, value in log.items() if name != "samples"}
        archive.writestr("header.json", json.dumps(header))
        for sample in log["samples"]:
            name = f"samples/{sample['id']}_epoch_{sample['epoch']}.json"
            archive.writestr(name, json.dumps(sample | {"messages": [], "events": []}))
        if summaries:
            archive.writestr("summaries.json", json.dumps(log["samples"]))
    return stream.getvalue()


def lm_eval_samples(right: list[int], *, listed: bool = True) -> bytes:
    """Two filters of the answers of a task, and a metric that is no number."""
    lines = []
    for chosen in ("strict-match", "flexible-extract"):
        for number, hit in enumerate(right):
            record = {
                "doc_id": number,
                "doc": {"question": "1 + 1"},
                "target": "2",
                "arguments": {"gen_args_0": {"arg_0": "1 + 1"}},
                "resps": [["2"]],
                "filtered_resps": ["2"],
                "filter": chosen,
                "metrics": ["exact_match", "byte_perplexity"],
                "doc_hash": "0" * 8,
                "prompt_hash": "1" * 8,
                "target_hash": "2" * 8,
                "exact_match": float(hit),
                "byte_perplexity": [-3.5, 7],
            }
            if not listed:
                del record["metrics"]
            lines.append(json.dumps(record))
    return "\n".join(lines).encode()


def promptfoo_results(*, prompts: int = 1) -> bytes:
    """Two providers, two tests, each twice (--repeat 2)."""
    results = []
    for test in range(4):
        for prompt in range(prompts):
            for provider, hit in (("lab:small", test == 0), ("lab:large", True)):
                results.append(
                    {
                        "promptIdx": prompt,
                        "testIdx": test,
                        "testCase": {"vars": {"city": "Oslo" if test % 2 else "Rome"}},
                        "vars": {"city": "Oslo" if test % 2 else "Rome"},
                        "prompt": {"raw": "Where?", "label": f"prompt {prompt}"},
                        "provider": {"id": provider, "label": ""},
                        "success": hit,
                        "score": 0.75 if hit else 0.25,
                        "namedScores": {"Tone (formal)": 0.5},
                        "latencyMs": 12,
                        "failureReason": 0 if hit else 1,
                    }
                )
    summary = {"version": 3, "timestamp": "2026-05-01", "prompts": [], "results": results}
    return json.dumps({"evalId": "eval-x", "results": summary, "config": {}}, indent=1).encode()
