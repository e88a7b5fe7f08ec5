"""Faults that are known and not mended yet: what they are, and a function that tells whether a statement or function meets one. Such are
kept out of the programs, so that a run shows what is new; `--known meet` tries them all the same. An entry goes when its fault does."""

KNOWN = {
    # "argmin of conditions does not compile": lambda item: any(n.op == "argmin" and n.args[0].type == BOOL for n in item.expression.walk()),
}
