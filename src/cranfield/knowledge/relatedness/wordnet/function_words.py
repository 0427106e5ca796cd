"""English words that hold sentences together and say nothing about their subject."""

_DETERMINERS = """
    a an the this that these those each every either neither any some such another other both all
    enough few fewer many more most several own sundry various
"""
_PRONOUNS = """
    i me mine myself you yours yourself yourselves he him his himself she her hers herself it its
    itself we us our ours ourselves they them their theirs themselves oneself who whom whose whoever
    what whatever which whichever somebody someone something anybody anyone anything everybody
    everyone nobody none nothing there self
"""
_PREPOSITIONS = """
    about above across after against along alongside amid among amongst around as at before behind
    below beneath beside besides between beyond by concerning considering despite down during except
    excluding following for from in including inside into like minus near of off on onto opposite
    outside over past per plus regarding round since than through throughout till to toward towards
    under underneath unlike until up upon versus via with within without
"""
_CONJUNCTIONS = """
    and or but nor so yet if because although though unless while whereas when notwithstanding
    otherwise somewhat
"""

FUNCTION_WORDS = frozenset(
    (_DETERMINERS + _PRONOUNS + _PREPOSITIONS + _CONJUNCTIONS).split(),
)
