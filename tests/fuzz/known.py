"""Faults that are known and not mended yet. What is listed here is kept out of the random programs, so that a run shows what is new;
`--known meet` tries it all the same. An entry goes when its fault does."""
KNOWN = {
    "run-time broadcasting": "an extent that turns out to be 1 beside others: wrong values, reads outside of memory",
    "extent 0": "extents of 0 that show at run time",
}
