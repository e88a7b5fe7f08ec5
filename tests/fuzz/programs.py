"""C++ programs of many statements, the data that they read, and a program of its own for one case."""
import struct

import numpy as np

from expressions import BOOL, INT, LONG, NUMPY


class Buffer:
    def __init__(self):
        self.parts = []

    def integers(self, *numbers):
        self.parts.append(struct.pack(f"<{len(numbers)}q", *map(int, numbers)))

    def array(self, x, t):
        self.parts.append(np.ascontiguousarray(x, dtype=t).tobytes())

    def bytes(self):
        return b"".join(self.parts)


def packed_case(statement, case):
    b = Buffer()
    for v in statement.variables:
        x = case.operands[v.name].value
        b.integers(*x.shape)
        b.array(x, NUMPY[v.type])
    b.integers(*case.numbers)
    for results in [[]] * len(statement.groups) if case.errors else case.results:
        b.integers(case.errors)
        if case.errors:
            continue
        b.integers(len(results))
        for y in results:
            integers = y.type in (INT, LONG)
            b.integers(y.value.ndim, *y.value.shape, integers)
            b.array(y.value, np.int64 if integers else np.float64)
            # twice the bound: what the library computes has errors of its own, and so has the oracle
            b.array(2 * y.error, np.float64)
    return b.bytes()


def packed(statements):
    b = Buffer()
    for s in statements:
        cases = [packed_case(s, c) for c in s.cases]
        b.integers(len(cases), sum(8 + len(c) for c in cases))
        for c in cases:
            b.integers(len(c))
            b.parts.append(c)
    return b.bytes()


def body(statement):
    """The statement on operands that exist: x0, x1 ..., n."""
    lines = []
    for group in statement.groups:
        lines.append("c.expect();")
        for name, text in group:
            if statement.target is not None:
                t = statement.target.name
                lines.append(f'c.check_writes("{name}", {t}, [&](auto& {t}) {{ {text} }});')
            else:
                lines.append(f'c.check("{name}", [&] {{ return {text}; }});')
    return lines


def source(statements):
    """One function for each; a statement's lines are marked by its number, so that the compiler's errors can be told apart."""
    out = ['#include "run.hpp"', "namespace rc = ricci;"]
    spans = []
    for k, s in enumerate(statements):
        first = len(out) + 1
        g = s.generator
        out.append(f"static void statement_{k}(fuzz::cases& c) {{")
        out.append("  while (c.next()) {")
        for v in s.variables:
            out.append(f"    auto const {v.name} = c.operand<{v.cpp_type(g.values)}>();")
        out.append(f"    [[maybe_unused]] std::array<rc::index_t, {max(1, len(g.numbers))}> n{{}};")
        if g.numbers:
            out.append("    for (auto& k : n) k = c.number();")
        out += ["    " + line for line in body(s)]
        out += ["  }", "}"]
        spans.append((first, len(out)))
    out += ["namespace fuzz {", "void run(cases& c) {"]
    out += [f"  if (c.begin({k})) statement_{k}(c);" for k in range(len(statements))]
    out += ["}", "}"]
    return "\n".join(out) + "\n", spans


def literal(x, t):
    if t == BOOL:
        return "true" if x else "false"
    if t in (INT, LONG):
        return str(int(x))
    if np.isnan(x):
        return "NAN"
    if np.isinf(x):
        return "INFINITY" if x > 0 else "-INFINITY"
    return repr(float(x))


def braces(x, t):
    return "{" + ", ".join(literal(e, t) for e in np.asarray(x).reshape(-1)) + "}"


def standalone(statement, index, message, about):
    """A program that shows one case by itself."""
    case = statement.cases[index]
    g = statement.generator
    out = [f"// {about}", f"// Got: {message}"]
    if case.errors:
        kinds = [n for n, bit in (("shape_error", 1), ("index_error", 2), ("value_error", 4)) if case.errors & bit]
        out.append(f"// Expected: {' or '.join(kinds)}")
    else:
        for group, results in zip(statement.groups, case.results):
            for y in results:
                shown = np.array2string(np.asarray(y.value), threshold=60, separator=", ", max_line_width=100000).replace("\n", "")
                out.append(f"// Expected: {group[0][0]}: shape {y.value.shape}: {shown}")
    out += ["#include <algorithm>", "#include <cmath>", "#include <iostream>", "#include <ricci/ricci.hpp>", "namespace rc = ricci;",
            "template <class X>",
            "void show(X const& x) {",
            "  if constexpr (requires { x.second; })",
            "    show(x.first), show(x.second);",
            "  else if constexpr (requires { std::tuple_size<X>::value; })",
            "    std::apply([](auto const&... each) { (show(each), ...); }, x);",
            "  else {",
            '    for (auto n : x.shape()) std::cout << n << " ";',
            '    std::cout << ": " << x << "\\n";',
            "  }",
            "}"]
    out.append("int main() {")
    for v in statement.variables:
        x = case.operands[v.name].value
        dynamic = not all(s and not n for s, n in zip(v.static, v.names)) and x.ndim > 0
        extents = "(" + ", ".join(map(str, x.shape)) + ")" if dynamic else ""
        out.append(f"  {v.cpp_type(g.values)} {v.name}{extents};")
        if x.size:
            out.append(f"  {{ {v.type} const e[] = {braces(x, v.type)}; std::copy(std::begin(e), std::end(e), {v.name}.data()); }}")
    if g.numbers:
        out.append(f"  rc::index_t const n[] = {braces(np.array(case.numbers), LONG)};")
    out.append("  try {")
    for name, text in [way for group in statement.groups for way in group]:
        if statement.target is not None:
            out += [f"    {text}", f"    show({statement.target.name});"]
        else:
            out += [f'    std::cout << "{name}: " << std::flush;', f"    show({text});"]
    out += ['  } catch (rc::error const& e) { std::cout << "error: " << e.what() << "\\n"; }', "}"]
    return "\n".join(out) + "\n"
