# Writes tests/io/samples: small files by other people's writers, which tests/io reads. Elements of all arrays are
# 0, 1, 2 ... in row-major order, as bools whether they are odd, as complex numbers k - k i.
# Needs numpy, safetensors and gguf.  Call: python3 samples.py
import gzip, io, os, struct
import numpy as np

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "samples")
os.makedirs(folder, exist_ok=True)


def counted(type_, shape):
    x = np.arange(int(np.prod(shape, dtype=int)))
    x = x % 2 if np.dtype(type_) == np.bool_ else x
    x = x - 1j * x if np.dtype(type_).kind == "c" else x
    return x.astype(type_).reshape(shape)


def path(name):
    return os.path.join(folder, name)


types = "?1 i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 c8 c16".split()
with open(path("types.npys"), "wb") as f:  # one array behind the other, in either order of bytes
    for t in types:
        t = "?" if t == "?1" else t
        for order in "<>":
            np.save(f, counted(np.dtype(t).newbyteorder(order), (2, 3)))
with open(path("shapes.npys"), "wb") as f:  # in either order of axes
    for shape in [(), (1,), (0,), (5,), (3, 4), (2, 3, 4), (2, 0, 3), (2, 1, 3, 1, 2), (40, 3, 35)]:
        x = counted("i2", shape)
        np.save(f, x)
        np.save(f, np.asfortranarray(x) if x.ndim else x)
with open(path("versions.npys"), "wb") as f:
    for version in [(1, 0), (2, 0), (3, 0)]:
        np.lib.format.write_array(f, counted("f8", (2, 2)), version)
np.save(path("objects.npy"), np.array([None, {}], dtype=object), allow_pickle=True)
np.save(path("structured.npy"), np.zeros(3, dtype=[("x", "f4"), ("y", "i4")]))
np.save(path("text.npy"), np.array(["a", "bc"]))
np.save(path("dates.npy"), np.array(["2020-01-01"], dtype="datetime64[D]"))

# archives: w is (2, 3) of float32, b (3,) of int64, s () of float64
three = {"w": counted("f4", (2, 3)), "b": counted("i8", (3,)), "s": np.float64(7)}
np.savez(path("stored.npz"), **three)
np.savez_compressed(path("deflated.npz"), **three, large=counted("i4", (100, 100)))
import safetensors.numpy

import gguf

w = gguf.GGUFWriter(path("types.gguf"), "llama")
w.add_string("general.name", "samples")
w.add_array("tokenizer.ggml.tokens", ["a", "bc", ""])
w.add_array("numbers", [1, 2, 3])
w.add_bool("flag", True)
w.add_custom_alignment(64)
for t in "f4 f2 f8 i1 i2 i4 i8".split():
    w.add_tensor(t, counted(t, (2, 3)))
rng = np.random.default_rng(1)
rows = rng.normal(size=(3, 64)).astype("f4")
for kind in (gguf.GGMLQuantizationType.Q8_0, gguf.GGMLQuantizationType.Q4_0, gguf.GGMLQuantizationType.Q4_1):
    packed = gguf.quants.quantize(rows, kind)
    w.add_tensor("blk.0." + kind.name, packed, raw_dtype=kind)
    w.add_tensor("blk.0." + kind.name + ".plain", gguf.quants.dequantize(packed, kind))
w.add_tensor("bf16", gguf.quants.quantize(counted("f4", (2, 3)), gguf.GGMLQuantizationType.BF16), raw_dtype=gguf.GGMLQuantizationType.BF16)
w.add_tensor("k", np.zeros((1, 210), dtype="u1"), raw_dtype=gguf.GGMLQuantizationType.Q6_K)
w.write_header_to_file()
w.write_kv_data_to_file()
w.write_tensors_to_file()
w.close()

safetensors.numpy.save_file({k: np.asarray(v) for k, v in three.items()}, path("three.safetensors"), {"made": "by \"samples.py\"\n"})

# IDX: bytes of shape (2, 3, 4), alone and by gzip; int16 of shape (5,)
idx = bytes([0, 0, 8, 3]) + struct.pack(">3I", 2, 3, 4) + bytes(range(24))
with open(path("bytes-idx3-ubyte.gz"), "wb") as f:
    f.write(gzip.compress(idx, mtime=0))
with open(path("int16.idx"), "wb") as f:
    f.write(bytes([0, 0, 11, 1]) + struct.pack(">I", 5) + np.arange(-2, 3).astype(">i2").tobytes())

# images: pixel (y, x, c) is (7 y + 13 x + 50 c + x y) mod 256, which makes the writer use several filters
from PIL import Image

y, x, c = np.meshgrid(np.arange(20), np.arange(30), np.arange(4), indexing="ij")
pixels = ((7 * y + 13 * x + 50 * c + x * y) % 256).astype("u1")
Image.fromarray(pixels[:, :, 0], "L").save(path("grey.png"))
Image.fromarray(pixels[:, :, :2], "LA").save(path("grey_alpha.png"))
Image.fromarray(pixels[:, :, :3], "RGB").save(path("rgb.png"))
Image.fromarray(pixels, "RGBA").save(path("rgba.png"), optimize=True)
Image.fromarray(pixels[:, :, 0], "L").convert("P").save(path("palette.png"))
Image.fromarray(pixels[:, :, 0].astype("u2") * 257).save(path("deep.png"))
# JPEG beside what Pillow makes of it, as PNG
smooth = np.stack([4 * y + 2 * x, 255 - 3 * x, 128 + y - x], -1)[:, :, 0].clip(0, 255).astype("u1")
for name, mode, options in [
    ("grey", "L", {}),
    ("rgb", "RGB", {"quality": 95, "subsampling": 0}),
    ("progressive", "RGB", {"progressive": True}),
    ("cmyk", "CMYK", {}),
]:
    Image.fromarray(smooth, "RGB").convert(mode).save(path(name + ".jpg"), **options)
    if mode != "CMYK":
        Image.open(path(name + ".jpg")).save(path(name + ".jpg.png"))
Image.fromarray(pixels[:5, :, 0], "L").save(path("grey.pgm"))
Image.fromarray(pixels[:5, :, :3], "RGB").save(path("rgb.ppm"))

# sound: frames counted up, two channels
from scipy.io import wavfile

for t in ["i2", "f4", "i4", "u1"]:
    wavfile.write(path(t + ".wav"), 8000, counted(t, (6, 2)))

np.savetxt(path("table.csv"), counted("f8", (3, 4)) / 8, delimiter=",", header="p,q,r,s", comments="")
np.savetxt(path("table.txt"), counted("i4", (3, 4)), fmt="%5d")

# HDF5: every type, groups, filters; what is refused, and a link that is passed over
import h5py

with h5py.File(path("h5py.h5"), "w") as f:
    for t in "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 complex64 complex128".split():
        f["types/" + t] = counted(t, (2, 3))
    f["big_endian"] = np.arange(3, dtype=">i4")
    f.create_dataset("deep/er/compressed", data=np.arange(1000.0).reshape(100, 10), chunks=(30, 7), compression="gzip", shuffle=True)
    f["number"] = 2.5
    f["nothing"] = np.zeros((0, 3), "f4")
with h5py.File(path("refused.h5"), "w") as f:
    f["words"] = ["a", "bc"]
    f["pairs"] = np.zeros(2, dtype=[("x", "f4"), ("y", "i4")])
    f["none"] = h5py.Empty("f4")
    f.create_dataset("huge", (10**6, 10**6), "f4", chunks=(1000, 1000))
    f["elsewhere"] = h5py.ExternalLink("other.h5", "/a")
