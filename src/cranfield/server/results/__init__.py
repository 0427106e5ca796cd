"""Results: boards, pages of runs, and everything that is published of them."""
