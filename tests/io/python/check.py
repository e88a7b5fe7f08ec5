# Reads what write.cpp wrote. Call: python3 check.py <folder>. It says "skipped: " where there is no NumPy, and reads
# safetensors and HDF5 where these packages are.
import os, sys

try:
    import numpy as np
except ImportError:
    sys.exit(print("skipped: there is no NumPy"))
try:
    import safetensors.numpy
except ImportError:
    safetensors = None
    print("there is no package safetensors: its files are not checked")
try:
    import h5py
except ImportError:
    h5py = None
    print("there is no package h5py: its files are not checked")

folder = sys.argv[1]
checked = 0


def path(name):
    return os.path.join(folder, name)


def check(condition, what):
    global checked
    checked += 1
    if not condition:
        sys.exit("wrong: " + what)


expected = np.arange(12).reshape(3, 4) % 2
for t in "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 complex64 complex128".split():
    x = np.load(path(t + ".npy"))
    check(x.dtype == np.dtype(t) and np.array_equal(x, expected), t + ".npy")
    check(np.load(path(t + "_none.npz")).files == [], t + "_none.npz")
    check(np.load(path(t + ".npy"), mmap_mode="r").flags.aligned, t + ".npy mapped")
    if safetensors and not t.startswith("complex"):
        all = safetensors.numpy.load_file(path(t + ".safetensors"))
        check(all["x"].dtype == np.dtype(t) and np.array_equal(all["x"], expected), t + ".safetensors")
        check(np.array_equal(all['y "\\'], expected[1]), t + ".safetensors, y")
check(np.load(path("order0.npy")) == 2.5 and np.load(path("order0.npy")).shape == (), "order0.npy")
check(np.load(path("empty.npy")).shape == (0, 3), "empty.npy")
check(np.load(path("order12.npy")).shape == (1,) * 11 + (2,), "order12.npy")


def check_record(all, name):
    check(sorted(all.keys()) == ["b", "bytes.0", "bytes.1", "s", "w"], name + ": names")
    check(np.array_equal(all["w"], [[1, 2, 3], [4, 5, 6]]) and all["w"].dtype == np.float32, name + ": w")
    check(np.array_equal(all["b"], [7, 8]) and all["b"].dtype == np.int64, name + ": b")
    check(all["s"] == 0.5 and all["s"].shape == (), name + ": s")
    check(all["bytes.1"].dtype == np.uint8, name + ": bytes.1")


for name in ["record.npz", "compressed.npz"]:
    if os.path.exists(path(name)):
        check_record(np.load(path(name)), name)
for name in ["x", "y"]:
    check(np.array_equal(np.load(path("zip64.npz"))[name], [1, 2, 3]), "zip64.npz")
if safetensors:
    check_record(safetensors.numpy.load_file(path("record.safetensors")), "record.safetensors")
if h5py and os.path.exists(path("record.h5")):
    with h5py.File(path("record.h5")) as f:
        check(sorted(f) == ["b", "bytes", "s", "w"], "record.h5: names")
        members = {"w": f["w"], "b": f["b"], "s": f["s"], "bytes.0": f["bytes/0"], "bytes.1": f["bytes/1"]}
        check_record({name: np.asarray(x) for name, x in members.items()}, "record.h5")
    with h5py.File(path("types.h5")) as f:
        for t in "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 complex64 complex128".split():
            check(f[t].dtype == np.dtype(t) and np.array_equal(f[t][()], expected), "types.h5: " + t)
print(checked, "checks")
