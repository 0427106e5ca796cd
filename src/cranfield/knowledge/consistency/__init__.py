"""The nearest label sets that follow all rules, found exactly.

Rules become clauses (`clauses`), in parts that have nothing to do with each other. Of a part, the
cheapest choice of labels is found by eliminating one concept after another (`elimination`), or,
where rules are too entangled for that, by cuts through a network (`branching`, `flow`). `nearest`
says what a choice costs.
"""
