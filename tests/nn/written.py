"""Numbers as arrays of C++, for the scripts that write tables."""
import numpy as np


def array(name, t, kind="double"):
    t = np.asarray(t.detach() if hasattr(t, "detach") else t)
    print(f"inline constexpr {kind} {name}[] = {{{', '.join(repr(v) for v in t.ravel().tolist())}}};")
