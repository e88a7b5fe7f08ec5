"""Numbers as arrays of C++, and as files, for the scripts that write tables."""
import json
import os
import struct

import numpy as np


def array(name, t, kind="double"):
    t = np.asarray(t.detach() if hasattr(t, "detach") else t)
    print(f"inline constexpr {kind} {name}[] = {{{', '.join(repr(v) for v in t.ravel().tolist())}}};")


def safetensors(name, arrays):
    """A file of the safetensors format beside the scripts, made without its package."""
    header, at = {}, 0
    for key, a in arrays.items():
        kind = {"float32": "F32", "int64": "I64"}[str(a.dtype)]
        header[key] = {"dtype": kind, "shape": list(a.shape), "data_offsets": [at, at + a.nbytes]}
        at += a.nbytes
    text = json.dumps(header).encode()
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + b"".join(np.ascontiguousarray(a).tobytes() for a in arrays.values()))
