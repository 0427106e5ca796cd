"""Studies: what evaluations say about measures and collections. Here so far: simulation.

vocabulary   concepts, how frequent they are, and which exclude each other
simulation   a seeded truth, and the runs of systems whose quality is known
campaign     a field of systems such as a benchmark receives
incomplete   what unjudged cells do to scores, and what bounds and estimates make of them
"""
