"""Makes torch_values.hpp: pooling, and convolutions of volumes, with their derivatives by PyTorch, in float64.

    python3 tests/conv/torch_values.py > tests/conv/torch_values.hpp

Operands are sin(seed + 1.7 k^2), element by element, with channels last; for max_pool three times that, rounded, so
that there are equal elements. Of each result the table holds its sum, its sum with weights cos(k), and three elements."""
import numpy as np
import torch
import torch.nn.functional as F


def sample(shape, seed):
    k = np.arange(int(np.prod(shape)), dtype=float)
    return np.sin(seed + 1.7 * k * k).reshape(shape)


def numbers(y):
    y = np.asarray(y).ravel()
    k = np.arange(y.size)
    at = [y[0], y[y.size // 2], y[-1]] if y.size else [0, 0, 0]
    return "{" + ", ".join(repr(float(v)) for v in [y.size, y.sum(), (y * np.cos(k)).sum()] + at) + "}"


def first(x):  # channels
    return torch.movedim(x, -1, 1)


def last(x):
    return torch.movedim(x, 1, -1)


def row(f, *x):
    x = [torch.tensor(v).requires_grad_(True) for v in x]
    y = f(*x)
    y.backward(torch.tensor(sample(tuple(y.shape), 3)))
    print("    {" + ", ".join(numbers(v.detach()) for v in [y] + [v.grad for v in x]) + "},")


def ties(shape):
    return np.round(3 * sample(shape, 1))


print("// Made by torch_values.py with PyTorch", torch.__version__ + ": do not edit.\n#pragma once\n")
print("#include \"numbers.hpp\"\n")
print("struct pool_values {\n  conv_numbers y, by_x;\n};\n// clang-format off")
print("inline constexpr pool_values max_cases[] = {")
for shape, f in [
    ((2, 9, 3), lambda x: F.max_pool1d(x, 2)),
    ((2, 30, 20), lambda x: F.max_pool1d(x, 5, 3, 2, 1)),
    ((2, 8, 9, 5), lambda x: F.max_pool2d(x, 2)),
    ((1, 12, 11, 33), lambda x: F.max_pool2d(x, 3, 2, 1)),
    ((2, 10, 9, 1), lambda x: F.max_pool2d(x, 3, 1, 1)),
    ((1, 13, 12, 3), lambda x: F.max_pool2d(x, (3, 2), (1, 2), (1, 0), (2, 3))),
    ((1, 1, 2, 2), lambda x: F.max_pool2d(x, 2, 1, 1)),
    ((1, 40, 50, 17), lambda x: F.max_pool2d(x, 3, 1, 1)),
    ((2, 6, 7, 8, 4), lambda x: F.max_pool3d(x, (2, 3, 2), (2, 1, 2), (1, 1, 0))),
    ((1, 9, 5, 6, 18), lambda x: F.max_pool3d(x, 3, (1, 2, 2), 1)),
]:
    row(lambda x: last(f(first(x))), ties(shape))
print("};\ninline constexpr pool_values avg_cases[] = {")
for shape, f in [
    ((2, 9, 3), lambda x: F.avg_pool1d(x, 2)),
    ((2, 30, 20), lambda x: F.avg_pool1d(x, 5, 3, 2)),
    ((2, 30, 20), lambda x: F.avg_pool1d(x, 5, 3, 2, count_include_pad=False)),
    ((2, 8, 9, 5), lambda x: F.avg_pool2d(x, 2)),
    ((1, 12, 11, 33), lambda x: F.avg_pool2d(x, 3, 2, 1)),
    ((1, 12, 11, 33), lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False)),
    ((2, 10, 9, 1), lambda x: F.avg_pool2d(x, 3, 1, 1, count_include_pad=False)),
    ((1, 13, 12, 3), lambda x: F.avg_pool2d(x, (3, 2), (4, 3), (1, 0))),
    ((1, 40, 50, 17), lambda x: F.avg_pool2d(x, 3, 1, 1)),
    ((2, 6, 7, 8, 4), lambda x: F.avg_pool3d(x, (2, 3, 2), (2, 1, 2), (1, 1, 0), count_include_pad=False)),
]:
    row(lambda x: last(f(first(x))), sample(shape, 1))
print("};\ninline constexpr pool_values adaptive_cases[] = {")
for shape, f in [
    ((2, 10, 3), lambda x: F.adaptive_avg_pool1d(x, 4)),
    ((1, 7, 11, 18), lambda x: F.adaptive_avg_pool2d(x, (3, 4))),
    ((2, 3, 5, 2), lambda x: F.adaptive_avg_pool2d(x, (5, 5))),
    ((1, 5, 6, 7, 3), lambda x: F.adaptive_avg_pool3d(x, (2, 6, 3))),
]:
    row(lambda x: last(f(first(x))), sample(shape, 1))
print("};\ninline constexpr pool_values resize_cases[] = {")
for shape, size, mode in [
    ((2, 5, 3), 8, "linear"),
    ((2, 6, 5, 3), (9, 15), "bilinear"),
    ((1, 7, 11, 2), (3, 4), "bilinear"),
    ((1, 3, 2, 4, 2), (5, 2, 3), "trilinear"),
    ((2, 6, 5, 3), (9, 3), "nearest"),
]:
    how = {} if mode == "nearest" else dict(align_corners=False)
    row(lambda x: last(F.interpolate(first(x), size, mode=mode, **how)), sample(shape, 1))
print("};\nstruct volume_values {\n  conv_numbers y, by_x, by_w;\n};\ninline constexpr volume_values volume_cases[] = {")
for shape, weights, how in [
    ((2, 5, 6, 7, 3), (3, 3, 3, 3, 5), dict(padding=1)),
    ((1, 6, 5, 8, 4), (2, 3, 2, 4, 33), dict(stride=(2, 1, 2), padding=(1, 0, 1))),
    ((1, 7, 6, 5, 2), (3, 2, 2, 2, 7), dict(padding=(2, 1, 0), dilation=(2, 3, 1))),
    ((2, 5, 4, 4, 6), (2, 2, 3, 3, 4), dict(stride=(1, 2, 1), padding=(0, 1, 1), groups=2)),
    ((1, 2, 3, 3, 2), (1, 1, 1, 2, 3), dict()),
    ((1, 9, 20, 18, 16), (3, 3, 3, 16, 40), dict(stride=(3, 2, 1), padding=1)),
]:
    row(lambda x, w: last(F.conv3d(first(x), w.permute(4, 3, 0, 1, 2), **how)), sample(shape, 1), sample(weights, 2))
print("};\ninline constexpr volume_values transposed_cases[] = {")
for shape, weights, how in [
    ((1, 3, 4, 3, 5), (3, 2, 3, 4, 5), dict(stride=(2, 1, 3), padding=(1, 0, 1), output_padding=(1, 0, 2))),
    ((2, 3, 3, 2, 4), (2, 3, 2, 3, 4), dict(padding=(0, 1, 0), dilation=(2, 1, 1))),
]:
    row(lambda x, w: last(F.conv_transpose3d(first(x), w.permute(4, 3, 0, 1, 2), **how)),
        sample(shape, 1), sample(weights, 2))
print("};\n// clang-format on")
