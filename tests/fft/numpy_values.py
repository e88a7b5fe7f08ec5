"""Writes numpy_values.hpp: what NumPy and SciPy give for calls of rc::fft. Run it in this folder: python3 numpy_values.py > numpy_values.hpp"""
import numpy as np
import scipy.fft


def real(*shape):
    k = np.arange(np.prod(shape))
    return (((k * 7919 + 13) % 31 - 15) / 8).reshape(shape)


def whole(*shape):
    k = np.arange(np.prod(shape))
    return real(*shape) + 1j * (((k * 104729 + 7) % 29 - 14) / 8).reshape(shape)


operands = {"x7": real(7), "x8": real(8), "z7": whole(7), "z8": whole(8), "m": real(3, 4), "w": whole(2, 3, 5)}
calls = []


def call(name, operand, n=None, axes=None, norm=None, known=False):
    x, many = operands[operand], name[-1] in "2n"
    python = {} if norm is None else {"norm": norm}
    said = ["rc::fft::" + name + "(" + operand]
    if n is not None:
        python["s" if many else "n"] = n
        said.append("rc::shape(" + ", ".join(map(str, n)) + ")" if many else f"rc::known<{n}>" if known else str(n))
    if axes is not None:
        python["axes" if many else "axis"] = axes
        said.append("rc::axis<" + (", ".join(map(str, axes)) if many else str(axes)) + ">")
    elif many and n is not None:
        python["axes"] = tuple(range(-len(n), 0))
    if norm is not None:
        said.append("rc::fft::" + norm)
    calls.append((", ".join(said) + ")", getattr(np.fft, name)(x, **python)))


for name, odd, even in (("fft", "z7", "z8"), ("ifft", "z7", "z8"), ("rfft", "x7", "x8"), ("irfft", "z7", "z8"), ("hfft", "z7", "z8"), ("ihfft", "x7", "x8")):
    call(name, odd)
    call(name, even)
    call(name, even, norm="ortho")
    call(name, odd, norm="forward")
    call(name, even, 5)
    call(name, odd, 10, known=True)
    call(name, even, 6, norm="ortho")
    call(name, "m" if odd[0] == "x" else "w", axes=0)
    call(name, "m" if odd[0] == "x" else "w", 4, axes=1, norm="forward")
call("fft", "x7")
call("rfft", "x8", 9)
call("irfft", "x8", 9)
for name, operand in (("fftn", "w"), ("ifftn", "w"), ("rfftn", "m"), ("irfftn", "w")):
    call(name, operand)
    call(name, operand, norm="ortho")
    call(name, operand, axes=(1, 0))
    call(name, operand, (4, 3), (0, 1), norm="forward")
    call(name, operand, (2, 6))
for name, operand in (("fft2", "w"), ("ifft2", "w"), ("rfft2", "m"), ("irfft2", "w")):
    call(name, operand)
    call(name, operand, (5, 4), (0, 1))
for n in (7, 8):
    calls.append((f"rc::fft::fftfreq({n}, .5)", np.fft.fftfreq(n, 0.5)))
    calls.append((f"rc::fft::rfftfreq(rc::known<{n}>)", np.fft.rfftfreq(n)))
    calls.append((f"rc::fft::fftshift(x{n})", np.fft.fftshift(operands[f"x{n}"])))
    calls.append((f"rc::fft::ifftshift(x{n})", np.fft.ifftshift(operands[f"x{n}"])))
calls.append(("rc::fft::fftshift(w)", np.fft.fftshift(operands["w"])))
calls.append(("rc::fft::ifftshift(w, rc::axis<2, 0>)", np.fft.ifftshift(operands["w"], axes=(2, 0))))

for name in ("dct", "idct", "dst", "idst"):
    for operand, kind, norm in (("x7", 1, None), ("x8", 1, "ortho"), ("x7", 4, "ortho"), ("x8", 4, None), ("x8", 4, "forward"), ("x8", 1, "forward"), ("x7", 2, None), ("x8", 2, "ortho"), ("x8", 3, None), ("x7", 3, "ortho"), ("x8", 2, "forward")):
        said = f"rc::fft::{name}({operand}" + (f", rc::fft::type<{kind}>" if kind != 2 else "") + (f", rc::fft::{norm}" if norm else "") + ")"
        calls.append((said, getattr(scipy.fft, name)(operands[operand], kind, norm=norm or "backward")))
    calls.append((f"rc::fft::{name}(m, rc::axis<0>)", getattr(scipy.fft, name)(operands["m"], axis=0)))

print("// What NumPy and SciPy give for these calls, real and imaginary parts in turn: made by numpy_values.py.")
print("#pragma once\n\n#include <ricci/fft.hpp>\n\nnamespace rc = ricci;\n\n// clang-format off")
print("template <class Compare, class X7, class X8, class Z7, class Z8, class M, class W>")
print("void compare_with_numpy(Compare const& compare, X7 const& x7, X8 const& x8, Z7 const& z7, Z8 const& z8, M const& m, W const& w) {")
for text, y in calls:
    parts = y.view(float).ravel() if np.iscomplexobj(y) else y.ravel()
    shape = ", ".join(map(str, y.shape))
    numbers = ", ".join(f"{v:.15g}" if abs(v) > 1e-13 else "0" for v in parts)
    print(f'  compare("{text}", {text}, {{{shape}}}, {{{numbers}}});')
print("}\n// clang-format on")
