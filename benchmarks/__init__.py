"""Benchmarks: scripts that print ratios against peers, measured in one process.

    make bench                     everything (some minutes)
    python -m benchmarks columns   one of them

Each compares `cf.evaluate(truth, [cf.Run(scores=S)], …)`, validation included, with what users of
the peer would write. Times are the best of several, on all cores. Numbers are compared before they
are timed.
"""
