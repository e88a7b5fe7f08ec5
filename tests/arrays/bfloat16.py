"""bfloat16, which NumPy does not have: numbers of float32 whose lower halves are zero. An operation computes as float32 and is rounded
once, so that is what NumPy is asked for; here its results are rounded."""
import numpy as np

BITS = np.dtype([("lower", "<u2"), ("upper", "<u2")])  # how such a number lies in a float32


def truncated(x):
    return (np.ascontiguousarray(x).view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32).reshape(np.shape(x))


def rounded(x):
    """To the nearest one, of two to the even one; a NaN stays one."""
    bits = np.ascontiguousarray(x).view(np.uint32)
    up = bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))
    return np.where(np.isnan(x), np.float32(np.nan), truncated(up.view(np.float32).reshape(np.shape(x)))).astype(np.float32)


def has_bits(types):
    """Whether operands of these types give one. What is wider makes of it a float32 or float64."""
    return "bfloat16" in types and set(types) <= {"bfloat16", "bool", "int8", "uint8"}


def result_of(value, bounds):
    """A result of float32, and how far a right one may be from it (None: exact; a float: ulps; an array: differences)."""
    if value.dtype != np.float32:
        return value, bounds
    y = rounded(value)
    if isinstance(bounds, np.ndarray):
        finite = np.where(np.isfinite(y), np.abs(y), 0).astype(np.float64)
        return y.view(BITS), bounds + 2.0 ** -8 * finite + 2.0 ** -133
    return y.view(BITS), min(bounds, 1.0) if bounds else bounds
