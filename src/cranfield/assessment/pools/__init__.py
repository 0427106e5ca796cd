"""Pools: which documents people judge, who judges them, and how far the result can be trusted.

making        the way in: `pool(runs, depth=100)`; pools of one depth, and stratified samples
growing       pools that follow their judgements: by yield, and move to front
rankings      what runs retrieved, in order
pooled        the noun, and the truth that judgements make of it
assignment    who judges what; draws: chance that depends on names alone
judgements    what people said: one grade out of several, and how far they got
folder        files of a pool, and the sheets that people fill in
left_out      scores without what one group alone found
missed        how many relevant documents were missed, and how many each depth brings
uncertainty   what unjudged documents leave open
reuse         these three together
qrels         judgements that change, and runs scored with them
"""

from cranfield._public import publish

publish(__name__)
