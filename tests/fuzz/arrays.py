"""Operations of arrays beyond elementwise ones, reductions and matrix products: each maker gives a node that carries its C++ text, its
values by NumPy or jax.numpy, and how errors of its operands spread. Mixed into the generator."""
import numpy as np

from expressions import BOOL, DOUBLE, FLOAT, INT, LONG, Misfit, Node, Undecided, axis, is_floating

# How the result's error follows from the operands': what only moves elements; sums of products (`values` of sizes bounds them);
# no more than the largest error of an operand (order statistics); not known, so that only exact operands are compared.
MOVES, SUMS, LIPSCHITZ, EXACT = "moves", "sums", "lipschitz", "exact"


def node(element, text, values, *args, spread=MOVES, sizes=None, **more):
    return Node("array", *args, element=element, text=text, values=values, spread=spread, sizes=sizes or values, **more)


def contracted(xp, x, y, of_x, of_y):
    """tensordot, but no product with 0 is left out, as `dot` of a 1x1 matrix and libraries of matrix products do: infinity times 0 is NaN,
    as by `@`."""
    of_x, of_y = list(of_x), list(of_y)
    if xp is not np:
        return xp.tensordot(x, y, (of_x, of_y))
    if any(x.shape[i] != y.shape[j] for i, j in zip(of_x, of_y)):
        raise Misfit("shape")
    letters_x, letters_y = [chr(97 + i) for i in range(x.ndim)], [chr(110 + j) for j in range(y.ndim)]
    for i, j in zip(of_x, of_y):
        letters_y[j] = letters_x[i]
    kept = [c for i, c in enumerate(letters_x) if i not in of_x] + [c for j, c in enumerate(letters_y) if j not in of_y]
    return np.einsum(f"{''.join(letters_x)},{''.join(letters_y)}->{''.join(kept)}", x, y)


class Arrays:
    """Makers: given the extents of a result, its element type and a depth; None where they do not fit."""

    def array_makers(self, dims, element):
        moving = [self.padded, self.rolled, self.repeated, self.triangle, self.diagonals, self.moved_axes, self.along_axis, self.indexed,
                  self.sorted_or_running, self.from_grid, self.einops, self.scattered, self.scattered]
        adding = [self.einsum, self.einsum, self.tensordot, self.slid, self.differences, self.traced_diagonal, self.inner]
        smooth = [self.quantiles, self.interpolated, self.covariance, self.corrected, self.slopes, self.extremes_apart]
        if element == BOOL:
            return [(m, 0.25) for m in [self.rolled, self.moved_axes, self.indexed, self.along_axis, self.member, self.padded]]
        out = [(m, 0.35) for m in moving]
        if element in (LONG, DOUBLE, FLOAT):
            out += [(m, 0.4) for m in adding]
        if is_floating(element):
            out += [(m, 0.4) for m in smooth]
        if element == LONG:
            out += [(self.positions_of, 0.8), (self.counted, 0.4)]
        return out

    def less(self, d, n):
        """An extent smaller by n, or None."""
        if d.isdigit():
            return str(int(d) - n) if int(d) > n else None
        return d[1:-len(f"+{n})")] if d.endswith(f"+{n})") and d.count("(") == 1 else None

    def half(self, d):
        if d.isdigit():
            return str(int(d) // 2) if int(d) % 2 == 0 and int(d) > 0 else None
        return d[1:-3] if d.endswith("*2)") and d.count("(") == 1 else None

    def axis_where(self, dims, of):
        """An axis and what `of` makes of its extent."""
        fit = [(k, e) for k, e in ((k, of(d)) for k, d in enumerate(dims)) if e is not None]
        return self.random.choice(fit) if fit else (None, None)

    def maybe_negative(self, a, rank):
        return a - rank if self.random.random() < 0.3 else a

    # ---- what moves elements ----

    def padded(self, dims, element, depth):
        r = self.random
        k, inner = self.axis_where(dims, lambda d: self.less(d, 2))
        if k is None:
            return None
        before = r.choice([0, 1, 2])
        widths = [(before, 2 - before) if a == k else (0, 0) for a in range(len(dims))]
        mode = r.choice(["constant", "constant", "edge", "reflect", "wrap"] if element != BOOL else ["edge", "wrap"])
        x = self.whole(dims[:k] + [inner] + dims[k + 1:], element, depth)
        if r.random() < 0.5:
            where = f"rc::shape({before}, {2 - before}), {{how}}, {axis([self.maybe_negative(k, len(dims))])}"
        else:
            where = f"rc::shape({', '.join(str(n) for w in widths for n in w)}), {{how}}"
        number = r.choice([0, 2, -3])
        how = str(number) if mode == "constant" else f"rc::{mode}"

        def values(xp, x):
            n = x.shape[k]
            if mode != "constant" and n < 3:
                raise Undecided
            return xp.pad(x, widths, constant_values=number) if mode == "constant" else xp.pad(x, widths, mode=mode)

        def spread(xp, e):
            return xp.pad(e, widths) if mode == "constant" else values(xp, e)

        return node(element, "rc::pad({}, " + where.replace("{how}", how) + ")", values, x, sizes=spread)

    def rolled(self, dims, element, depth):
        r, rank = self.random, len(dims)
        n = r.choice([1, -1, 2, 5, -7])
        x = self.whole(dims, element, depth)
        if rank == 0 or r.random() < 0.25:
            return node(element, f"rc::roll({{}}, {n})", lambda xp, x: xp.roll(x, n), x)
        if rank > 1 and r.random() < 0.3:
            two = r.sample(range(rank), 2)
            return node(element, f"rc::roll({{}}, rc::shape({n}, 1), {axis(self.signed(two, rank))})", lambda xp, x: xp.roll(x, (n, 1), tuple(two)), x)
        k = r.randrange(rank)
        return node(element, f"rc::roll({{}}, {n}, {axis([self.maybe_negative(k, rank)])})", lambda xp, x: xp.roll(x, n, k), x)

    def repeated(self, dims, element, depth):
        k, half = self.axis_where(dims, self.half)
        if k is None:
            return None
        x = self.whole(dims[:k] + [half] + dims[k + 1:], element, depth)
        if self.random.random() < 0.5:
            n = self.random.choice(["2", "rc::known<2>"])
            return node(element, f"rc::repeat({{}}, {n}, {axis([self.maybe_negative(k, len(dims))])})", lambda xp, x: xp.repeat(x, 2, k), x)
        times = [2 if a == k else 1 for a in range(len(dims))]
        shape = self.random.choice([f"rc::shape({', '.join(map(str, times))})", f"rc::extents<{', '.join(map(str, times))}>{{{{}}}}"])
        return node(element, f"rc::tile({{}}, {shape})", lambda xp, x: xp.tile(x, times), x)

    def triangle(self, dims, element, depth):
        if len(dims) < 2:
            return None
        op, k = self.random.choice(["tril", "triu"]), self.random.choice([0, 1, -1, -3, 4])
        return node(element, f"rc::{op}({{}}, {k})", lambda xp, x: getattr(xp, op)(x, k), self.whole(dims, element, depth))

    def diagonals(self, dims, element, depth):
        r = self.random
        if not dims:
            return None
        if len(dims) == 2 and dims[0] == dims[1] and r.random() < 0.6:
            return node(element, "rc::diag({})", lambda xp, x: xp.diag(x), self.whole(dims[:1], element, depth))
        if len(dims) > 4:
            return None
        rank = len(dims) + 1
        a, b = r.sample(range(rank), 2)
        operand, rest = [], iter(dims[:-1])
        for k in range(rank):
            operand.append(dims[-1] if k in (a, b) else next(rest))
        x = self.whole(operand, element, depth)
        if {a, b} == {rank - 2, rank - 1} and a < b:
            return node(element, "rc::diagonal({}, 0)", lambda xp, x: xp.diagonal(x, 0, rank - 2, rank - 1), x)
        return node(element, f"rc::diagonal({{}}, 0, {axis([a, b])})", lambda xp, x: xp.diagonal(x, 0, a, b), x)

    def moved_axes(self, dims, element, depth):
        rank = len(dims)
        if rank < 2:
            return None
        a, b = self.random.randrange(rank), self.random.randrange(rank)
        op = self.random.choice(["moveaxis", "swapaxes"])
        operand = list(dims)
        if op == "moveaxis":
            operand.insert(a, operand.pop(b))
        else:
            operand[a], operand[b] = operand[b], operand[a]
        return node(element, f"rc::{op}({{}}, {axis([self.maybe_negative(a, rank)])}, {axis([self.maybe_negative(b, rank)])})",
                    lambda xp, x: getattr(xp, op)(x, a, b), self.whole(operand, element, depth))

    def along_axis(self, dims, element, depth):
        r, rank = self.random, len(dims)
        if not rank or rank > 4:
            return None
        k, limit = r.randrange(rank), self.dim(5)
        index = self.variable(r.choice([INT, LONG]), dims if r.random() < 0.6 else ["1"] * k + [dims[k]] + dims[k + 1:], "index", limit)
        x = self.whole(dims[:k] + [limit] + dims[k + 1:], element, depth)

        def values(xp, x, i):
            n = x.shape[k]
            if xp is np and i.size and (i.min() < -n or i.max() >= n):
                raise IndexError
            if i.shape[:k] + i.shape[k + 1:] != x.shape[:k] + x.shape[k + 1:]:
                rest = np.broadcast_shapes(i.shape[:k] + i.shape[k + 1:], x.shape[:k] + x.shape[k + 1:])
                i = xp.broadcast_to(i, rest[:k] + (i.shape[k],) + rest[k:])
                x = xp.broadcast_to(x, rest[:k] + (n,) + rest[k:])
            return xp.take_along_axis(x, i, k)

        return node(element, f"rc::take_along_axis({{}}, {{}}, {axis([self.maybe_negative(k, rank)])})", values, x, index.node)

    def indexed(self, dims, element, depth):
        """x(i, j), with axes of x before, between and behind; NumPy's rule says where those of the indices go."""
        r, rank = self.random, len(dims)
        if rank > 4 or self.traced and element == BOOL:
            return None
        count = r.choice([1, 2, 2])
        around = r.randrange(0, min(rank, 2) + 1)  # order of what the indices broadcast to
        apart = count == 2 and r.random() < 0.35
        at = 0 if apart else r.randrange(0, rank - around + 1)
        index_dims, rest = dims[at:at + around], dims[:at] + dims[at + around:]
        if apart and not rest:
            return None
        own, items, indices = [], [], []
        places = sorted(r.sample(range(len(rest) + 1), 2)) if apart else [at] * count
        place = 0
        limits = [self.dim(5) for _ in range(count)]
        for k in range(len(rest) + 1):
            while place < count and places[place] == k:
                if place > 0 and r.random() < 0.2 and self.value(limits[place]) > 0 and limits[place].isdigit():
                    items.append(r.choice([0, -1]))
                else:
                    i = self.variable(r.choice([INT, LONG]), index_dims if place == 0 or r.random() < 0.7 else index_dims[1:], "index", limits[place])
                    indices.append(i)
                    items.append(i)
                own.append(limits[place])
                place += 1
            if k < len(rest):
                own.append(rest[k])
                items.append(None)
        if len(own) > 5 or len(self.variables) > 9:
            return None
        x = self.variable(element, own)
        text, n = [], 1
        for i in items:
            if i is None:
                text.append("rc::all")
            elif isinstance(i, int):
                text.append(str(i))
            else:
                text.append(f"{{{n}}}")
                n += 1
        while len(text) > 1 and text[-1] == "rc::all" and r.random() < 0.5:
            text.pop()

        def values(xp, x, *at):
            at = iter(at)
            where = tuple(slice(None) if i is None else i if isinstance(i, int) else next(at) for i in items)
            return x[where]

        return node(element, f"{{0}}({', '.join(text)})", values, x.node, *[i.node for i in indices])

    def sorted_or_running(self, dims, element, depth):
        r, rank = self.random, len(dims)
        if not rank:
            return None
        k = r.randrange(rank)
        op = r.choice(["sort", "sort", "cumulative_max", "cumulative_min"])
        where = axis([self.maybe_negative(k, rank)])
        x = self.whole(dims, element, depth)
        if op == "sort":
            down = r.random() < 0.4

            def sort(xp, x):
                y = xp.sort(x, axis=k)
                if not down:
                    return y
                if xp is np and y.dtype == np.float64 and np.isnan(y).any():
                    raise Undecided
                return xp.flip(y, k)

            return node(element, f"rc::sort({{}}, {where}{', rc::descending' * down})", sort, x, spread=LIPSCHITZ)

        def running(xp, x):
            if xp is np:
                return (np.maximum if op == "cumulative_max" else np.minimum).accumulate(x, axis=k)
            import jax

            return (jax.lax.cummax if op == "cumulative_max" else jax.lax.cummin)(x, axis=k)

        return node(element, f"rc::{op}({{}}, {where})", running, x, spread=LIPSCHITZ)

    def from_grid(self, dims, element, depth):
        if len(dims) != 2:
            return None
        # of the axis along which nothing changes only the length is read, so no index in it is checked: a leaf
        which, ij = self.random.choice([0, 1]), self.random.random() < 0.5
        along_rows = (which == 0) == ij
        a = self.whole(dims[:1], element, depth) if along_rows else self.leaf(dims[:1], element, whole=True)
        b = self.leaf(dims[1:], element, whole=True) if along_rows else self.whole(dims[1:], element, depth - 1)
        if ij:
            return node(element, f"std::get<{which}>(rc::meshgrid({{}}, {{}}, rc::indexing_ij))", lambda xp, x, y: xp.meshgrid(x, y, indexing="ij")[which], a, b)
        return node(element, f"std::get<{which}>(rc::meshgrid({{}}, {{}}))", lambda xp, x, y: xp.meshgrid(x, y)[which], b, a)

    def einops(self, dims, element, depth):
        r, rank = self.random, len(dims)
        if rank < 1 or rank > 4:
            return None
        letters = "abcd"[:rank]
        order = list(range(rank))
        r.shuffle(order)
        kind = r.choice(["reduce", "repeat", "merge"])
        if kind == "reduce":  # an axis goes
            at, e = r.randrange(rank + 1), self.dim(5)
            left = [letters[k] for k in order]
            left.insert(at, "r")
            operand = [dims[k] for k in order]
            operand.insert(at, e)
            op = r.choice(["max", "min"] + ["sum"] * (element in (LONG, FLOAT, DOUBLE)))
            x = self.whole(operand, element, depth)

            def values(xp, x):
                if op != "sum" and 0 in x.shape:
                    raise Undecided
                y = getattr(xp, op)(x, axis=at)
                return xp.transpose(y, np.argsort(order))

            return node(element, f'rc::einops::reduce<"{" ".join(left)} -> {" ".join(letters)}", rc::{op}>({{}})', values, x,
                        spread=SUMS if op == "sum" else LIPSCHITZ)
        k, half = self.axis_where(dims, self.half)
        if k is None:
            return None
        left = " ".join(letters[j] for j in order)
        if kind == "repeat":
            right = " ".join(f"({c} 2)" if j == k else c for j, c in enumerate(letters))
            operand = [half if j == k else dims[j] for j in order]
            return node(element, f'rc::einops::repeat<"{left} -> {right}">({{}})', lambda xp, x: xp.repeat(xp.transpose(x, np.argsort(order)), 2, k),
                        self.whole(operand, element, depth))
        # one of two axes that become one is 2
        left = " ".join(f"{letters[j]}" for j in order) + " t"
        right = " ".join(f"(t {c})" if j == k else c for j, c in enumerate(letters))
        operand = [half if j == k else dims[j] for j in order] + ["2"]

        def merge(xp, x):
            y = xp.moveaxis(xp.transpose(x, list(np.argsort(order)) + [rank]), -1, k)
            return xp.reshape(y, y.shape[:k] + (y.shape[k] * y.shape[k + 1],) + y.shape[k + 2:])

        return node(element, f'rc::einops::rearrange<"{left} -> {right}">({{}})', merge, self.whole(operand, element, depth))

    def scattered(self, dims, element, depth):
        """A copy of something of which the elements that integer tensors or a condition name are written."""
        r, rank = self.random, len(dims)
        if not self.traced or not rank or element == BOOL:
            return None
        y = self.whole(dims, element, depth)
        if y.op == "index":  # a part of a symbol
            return None
        if r.random() < 0.3:
            mask = self.whole(dims, BOOL, depth - 1)
            v = self.expression([], element, depth - 1)
            op = r.choice(["=", "+=", "*="])

            def masked(xp, y, m, v):
                if m.shape != y.shape:
                    raise Undecided
                return xp.where(m, v if op == "=" else y + v if op == "+=" else y * v, y)

            return node(element, f"[&] {{{{ auto y = {{}}; y({{}}) {op} {{}}; return y; }}}}()", masked, y, mask, v, spread=EXACT)
        count = 2 if rank > 1 and r.random() < 0.4 else 1
        a = r.randrange(rank - count + 1)
        op = r.choice(["add", "subtract", "=", "+="])
        around = [self.dim(4)]
        role = "index" if op in ("add", "subtract") else "distinct"
        indices = [self.variable(r.choice([INT, LONG]), around, role, dims[a + k]) for k in range(count)]
        v = self.expression(self.narrowed(dims[:a] + around + dims[a + count:]), element, depth - 1)
        items = ["rc::all"] * a + [f"{{{k + 1}}}" for k in range(count)]
        place = f"y({', '.join(items)})"
        write = f"{place}.{op}({{{count + 1}}});" if role == "index" else f"{place} {op} {{{count + 1}}};"

        def values(xp, y, *more):
            at = (slice(None),) * a + more[:-1]
            v = more[-1]
            if xp is np:
                y = y.copy()
                try:
                    np.broadcast_to(v, y[at].shape)
                except ValueError:
                    raise Misfit("shape")
                if op == "=":
                    y[at] = v
                elif op == "+=":
                    y[at] += v
                else:
                    getattr(np, op).at(y, at, v)
                return y
            return y.at[at].set(v) if op == "=" else y.at[at].add(-v if op == "subtract" else v)

        return node(element, f"[&] {{{{ auto y = {{0}}; {write} return y; }}}}()", values, y, *[i.node for i in indices], v, spread=EXACT)

    # ---- sums of products ----

    def einsum(self, dims, element, depth):
        r, rank = self.random, len(dims)
        if rank > 4:
            return None
        hidden = r.randrange(1, rank) if rank >= 2 and r.random() < 0.25 else 0  # axes that are "..."
        free = dict(zip("ijkl", dims[hidden:]))
        bound = {c: self.dim(5) for c in "pq"[:r.choice([0, 1, 1, 2])]}
        extents = {**free, **bound}
        count = r.choices([1, 2, 3, 4], [1, 4, 2, 1])[0]
        if np.prod([float(self.value(d)) for d in [*dims, *bound.values()]]) > 20000:
            return None
        subscripts = [[c for c in extents if r.random() < 0.6] for _ in range(count)]
        for c in extents:
            if not any(c in s for s in subscripts):
                r.choice(subscripts).append(c)
        for s in subscripts:
            r.shuffle(s)
            if s and len(s) < 3 and r.random() < 0.1:
                s.append(r.choice(s))
        dotted = [hidden > 0 and (k == 0 or r.random() < 0.4) for k in range(count)]
        if any(len(s) + hidden * t > 5 for s, t in zip(subscripts, dotted)):
            return None
        operands, written = [], []
        for s, t in zip(subscripts, dotted):
            before = [] if not t else dims[:hidden] if len(operands) == 0 else dims[:hidden][r.randrange(hidden):]
            operands.append(self.whole(before + [extents[c] for c in s], element, depth - len(operands)))
            written.append("..." * t + "".join(s))
        out = ("..." if hidden else "") + "".join(free)
        spec = r.choice([",", ", "]).join(written) + r.choice(["->", " -> "]) + out

        def values(xp, *x):
            for s, t, a in zip(subscripts, dotted, x):
                for c, n in zip(reversed(s), reversed(a.shape)):
                    if any(n != m for u, b in zip(subscripts, x) for d, m in zip(reversed(u), reversed(b.shape)) if c == d):
                        raise Undecided  # NumPy broadcasts letters of extent 1
            alone = any(sum(c in s for s in subscripts) == 1 for c in bound)
            if len(x) > 1 and (alone or len(x) > 2) and not all(np.all(np.isfinite(a)) for a in x if xp is np):
                raise Undecided  # pair by pair, as NumPy's optimize=True and JAX do, 0 * inf comes elsewhere
            return xp.einsum(spec.replace(" ", ""), *x)

        return node(element, f'rc::einsum<"{spec}">({", ".join("{}" for _ in operands)})', values, *operands, spread=SUMS)

    def tensordot(self, dims, element, depth):
        r, rank = self.random, len(dims)
        cut = r.randrange(rank + 1)
        count = r.choice([0, 1, 1, 2])
        if rank + count > 5:
            return None
        shared = [self.dim(5) for _ in range(count)]
        if r.random() < 0.4:
            a, b = self.whole(dims[:cut] + shared, element, depth), self.whole(shared + dims[cut:], element, depth - 1)
            return node(element, f"rc::tensordot<{count}>({{}}, {{}})", lambda xp, x, y: contracted(xp, x, y, range(x.ndim - count, x.ndim), range(count)), a, b, spread=SUMS)
        if count == 0:
            return None
        left, right = list(dims[:cut]), list(dims[cut:])
        at_left, at_right = sorted(r.sample(range(len(left) + count), count)), r.sample(range(len(right) + count), count)
        for k, d in zip(at_left, shared):
            left.insert(k, d)
        for k, d in sorted(zip(at_right, shared)):
            right.insert(k, d)
        return node(element, f"rc::tensordot({{}}, {{}}, rc::axes<{', '.join(map(str, at_left))}>, rc::axes<{', '.join(map(str, at_right))}>)",
                    lambda xp, x, y: contracted(xp, x, y, at_left, at_right), self.whole(left, element, depth), self.whole(right, element, depth - 1),
                    spread=SUMS)

    def slid(self, dims, element, depth):
        """convolve and correlate of vectors."""
        if len(dims) != 1:
            return None
        r, d = self.random, dims[0]
        op, how = r.choice(["convolve", "correlate"]), r.choice(["full", "same", "valid"])
        if how == "full":
            inner = self.less(d, 2)
            if inner is None:
                return None
            parts = [inner], ["3"]
        elif how == "same":
            parts = [d], [r.choice(["1", "2", "3", "4"])]
        else:
            parts = [f"({d}+1)"], ["2"]
        if op == "convolve" and r.random() < 0.3:
            parts = parts[::-1]
        a, b = self.whole(parts[0], element, depth), self.whole(parts[1], element, depth - 1)

        def values(xp, x, y):
            if 0 in x.shape or 0 in y.shape:
                raise Undecided
            return getattr(xp, op)(x, y, how)

        return node(element, f"rc::{op}({{}}, {{}}, rc::overlap::{how})", values, a, b, spread=SUMS)

    def differences(self, dims, element, depth):
        rank = len(dims)
        if not rank:
            return None
        k, n = self.random.randrange(rank), self.random.choice([1, 2])
        x = self.whole(dims[:k] + [f"({dims[k]}+{n})"] + dims[k + 1:], element, depth)

        def sizes(xp, x):
            for _ in range(n):
                m = x.shape[k]
                x = np.take(x, range(1, m), k) + np.take(x, range(0, max(0, m - 1)), k)
            return x

        return node(element, f"rc::diff{'<2>' if n == 2 else ''}({{}}, {axis([self.maybe_negative(k, rank)])})", lambda xp, x: xp.diff(x, n, k), x,
                    spread=SUMS, sizes=sizes)

    def traced_diagonal(self, dims, element, depth):
        if len(dims) > 3:
            return None
        d, k = self.dim(5), self.random.choice([0, 0, 1, -1])
        return node(element, f"rc::trace({{}}, {k})", lambda xp, x: xp.trace(x, k, -2, -1), self.whole(dims + [d, self.dim(5)], element, depth), spread=SUMS)

    def inner(self, dims, element, depth):
        rank = len(dims)
        op = self.random.choice(["inner", "kron", "dot"])
        if op == "kron":
            if rank == 0 or rank > 2 or any(self.half(d) is None for d in dims):
                return None
            return node(element, "rc::kron({}, {})", lambda xp, x, y: xp.kron(x, y), self.whole([self.half(d) for d in dims], element, depth),
                        self.whole(["2"] * rank, element, depth - 1), spread=SUMS)
        if rank > 3:
            return None
        cut, d = self.random.randrange(rank + 1), self.dim(5)
        right = dims[cut:] + [d]
        if op == "dot" and rank > cut:
            right = dims[cut:-1] + [d] + dims[-1:]
        return node(element, f"rc::{op}({{}}, {{}})", lambda xp, x, y: contracted(xp, x, y, [x.ndim - 1], [max(y.ndim - 2, 0) if op == "dot" else y.ndim - 1]),
                    self.whole(dims[:cut] + [d], element, depth), self.whole(right, element, depth - 1), spread=SUMS)

    # ---- floats ----

    def quantiles(self, dims, element, depth):
        operand = self.with_axes(dims, 8)
        if operand is None:
            return None
        (operand, axes, keep), r = operand, self.random
        op = r.choice(["median", "quantile", "percentile"])
        q = r.choice([0.25, 0.5, 0.9, 0.0, 1.0])
        where = ("" if axes is None else ", " + axis(self.signed(axes, len(operand)))) + ", rc::keepdims" * keep

        def values(xp, x):
            if 0 in x.shape:
                raise Undecided
            over = None if axes is None else tuple(axes)
            if op != "median" and isinstance(x, np.ndarray) and np.isinf(x).any():
                raise Undecided  # from the upper element, as NumPy goes in the second half, inf - inf is no number
            if op == "median":
                return xp.median(x, axis=over, keepdims=keep)
            return getattr(xp, op)(x, q * 100 if op == "percentile" else q, axis=over, keepdims=keep)

        argument = "" if op == "median" else f", {q * 100 if op == 'percentile' else q}"
        return node(element, f"rc::{op}({{}}{argument}{where})", values, self.whole(operand, element, depth), spread=LIPSCHITZ, finite=True)

    def interpolated(self, dims, element, depth):
        if len(self.variables) > 6:
            return None
        n = self.dim(8)
        xp_ = self.variable(element, [n], "ascending")
        x, fp = self.whole(dims, element, depth), self.whole([n], element, depth - 1)

        def values(xp, x, p, f):
            if f.shape != p.shape or f.size < 2:
                raise Undecided
            return xp.interp(x, p, f)

        return node(element, "rc::interp({}, {}, {})", values, x, xp_.node, fp, spread=EXACT)

    def covariance(self, dims, element, depth):
        if len(dims) != 2 or dims[0] != dims[1]:
            return None
        op = self.random.choice(["cov", "cov0", "corrcoef"])
        x = self.whole([dims[0], f"({self.dim(5)}+2)"], element, depth)
        text = {"cov": "rc::cov({})", "cov0": "rc::cov({}, rc::correction(0))", "corrcoef": "rc::corrcoef({})"}[op]

        def values(xp, x):
            if x.shape[0] < 2 or x.shape[1] < 2:
                raise Undecided
            return xp.corrcoef(x) if op == "corrcoef" else xp.cov(x, ddof=0 if op == "cov0" else 1)

        return node(element, text, values, x, spread=EXACT)

    def corrected(self, dims, element, depth):
        operand = self.with_axes(dims, 8)
        if operand is None:
            return None
        (operand, axes, keep), r = operand, self.random
        op, n = r.choice(["var", "var", "average", "nanmean", "nansum", "nanmax", "ptp"]), r.choice([1, 0.5])
        over = None if axes is None else tuple(axes)
        where = ("" if axes is None else ", " + axis(self.signed(axes, len(operand)))) + ", rc::keepdims" * keep
        x = self.whole(operand, element, depth)
        if op == "average":
            if keep:
                return None
            weights = node(element, "(1.5 + rc::square({}))", lambda xp, w: 1.5 + w * w, self.whole(operand, element, depth - 1), spread=EXACT)
            where = "" if axes is None else ", " + axis(self.signed(axes, len(operand)))

            def weighted(xp, x, w):
                if np.broadcast_shapes(x.shape, w.shape) != x.shape:
                    raise Misfit("shape")
                w = xp.broadcast_to(w, x.shape)
                return xp.sum(x * w, axis=over) / xp.sum(w, axis=over)

            return node(element, f"rc::average({{}}, {{}}{where})", weighted, x, weights, spread=EXACT)

        def values(xp, x):
            if 0 in x.shape:
                raise Undecided
            if op != "var":
                return getattr(xp, op)(x, axis=over, keepdims=keep)
            if np.prod([x.shape[k] for k in (over if over is not None else range(len(x.shape)))]) < 2:
                raise Undecided
            return xp.var(x, axis=over, keepdims=keep, ddof=n)

        argument = f", rc::correction({n})" if op == "var" else ""
        text = f"rc::{op}({{}}{where}{argument})" if op == "var" else f"rc::{op}({{}}{where})"
        return node(element, text, values, x, spread=EXACT)

    def slopes(self, dims, element, depth):
        r, rank = self.random, len(dims)
        dx = r.choice([0.5, 2.0])
        if r.random() < 0.5:
            if not rank:
                return None
            k = r.randrange(rank)

            def values(xp, x):
                if x.shape[k] < 2:
                    raise Undecided
                return xp.gradient(x, dx, axis=k)

            return node(element, f"rc::gradient({{}}, {dx}, {axis([self.maybe_negative(k, rank)])})", values, self.whole(dims, element, depth), spread=EXACT)
        if rank > 3:
            return None
        k = r.randrange(rank + 1)
        x = self.whole(dims[:k] + [self.dim(8)] + dims[k:], element, depth)
        return node(element, f"rc::trapezoid({{}}, {dx}, {axis([self.maybe_negative(k, rank + 1)])})",
                    lambda xp, x: (xp.trapezoid(x, dx=dx, axis=k)), x, spread=EXACT)

    def extremes_apart(self, dims, element, depth):
        """Elementwise functions that are made of others."""
        a, b = self.two_shapes(dims)
        op = self.random.choice(["logaddexp", "hypot", "copysign"])
        return node(element, f"rc::{op}({{}}, {{}})", lambda xp, x, y: getattr(xp, op)(x, y), self.expression(a, element, depth),
                    self.expression(b, element, depth - 1), spread=EXACT)

    # ---- integers, conditions ----

    def positions_of(self, dims, element, depth):
        if self.smooth or not dims:
            return None
        r, k = self.random, self.random.randrange(len(dims))
        t = r.choice([DOUBLE, INT, FLOAT])
        if r.random() < 0.5:
            def values(xp, x):
                return xp.argsort(x, axis=k, stable=True)

            return node(LONG, f"rc::argsort({{}}, {axis([self.maybe_negative(k, len(dims))])})", values, self.whole(dims, t, depth), spread=EXACT)
        sorted_ = self.variable(t, [self.dim(8)], "ascending")
        side = r.choice(["left", "right"])
        op = r.choice(["searchsorted", "digitize"])
        if op == "searchsorted":
            return node(LONG, f"rc::searchsorted({{}}, {{}}, rc::side::{side})", lambda xp, s, x: xp.searchsorted(s, x, side), sorted_.node,
                        self.whole(dims, t, depth), spread=EXACT)

        def digitized(xp, x, s):
            if s.size < 1:
                raise Undecided
            return xp.digitize(x, s, right=side == "right")

        return node(LONG, f"rc::digitize({{}}, {{}}{', rc::side::right' * (side == 'right')})", digitized, self.whole(dims, t, depth), sorted_.node,
                    spread=EXACT)

    def counted(self, dims, element, depth):
        if self.smooth or len(dims) != 1 or not dims[0].isdigit():
            return None
        x = self.variable(INT, [self.dim(8)], "count", dims[0])
        n = int(dims[0])
        return node(LONG, f"rc::bincount({{}}, rc::shape({n}))", lambda xp, x: np.bincount(x, minlength=n), x.node, spread=EXACT)

    def member(self, dims, element, depth):
        if self.smooth:
            return None
        t = self.random.choice([DOUBLE, INT, LONG])
        return node(BOOL, "rc::isin({}, {})", lambda xp, x, y: xp.isin(x, y), self.whole(dims, t, depth),
                    self.whole(self.shape(self.random.choice([1, 2])), t, depth - 1), spread=EXACT)


def value_and_error(node, args, eps):
    """The values of such a node by NumPy and how far off a right result may be: see `spread` above. `eps` is that of its type, 0 of integers."""
    data = [k for k, a in enumerate(node.args) if a.attributes.get("role") not in ("index", "distinct")]
    values = [a.value for a in args]
    try:
        y = np.asarray(node.values(np, *values))
    except IndexError as e:
        # of no elements no index is looked up
        raise Undecided if any(v.size == 0 for v in values) else Misfit("index") from e
    errors = [args[k].error for k in data]
    uncertain = any(e.any() for e in errors)
    if node.spread == EXACT:
        if uncertain:
            return y, np.inf
        largest = max([1.0] + [np.max(np.abs(v), where=np.isfinite(v), initial=0) for v in values if v.dtype == np.float64])
        return y, 64 * eps * (np.abs(y) + largest * largest) if eps else 0
    if node.spread == LIPSCHITZ:
        e = max([np.max(x, initial=0) for x in errors], default=0.0)
        if not eps:
            return y, np.inf if e > 0 else 0
        if not node.attributes.get("finite"):
            return y, e
        largest = max([np.max(np.abs(values[k]), where=np.isfinite(values[k]), initial=0) for k in data], default=0.0)
        return y, np.where(np.isfinite(y), e + 16 * eps * largest, np.inf)
    if node.spread == MOVES:
        return y, node.sizes(np, *[a.error if k in data else a.value for k, a in enumerate(args)]) if uncertain else 0
    if not eps:
        return y, np.inf if uncertain else 0
    sizes = [np.abs(v) for v in values]
    whole = np.asarray(node.sizes(np, *sizes))
    more = np.asarray(node.sizes(np, *[s + args[k].error for k, s in enumerate(sizes)]))
    return y, more - whole + (4 + sum(sum(v.shape) for v in values)) * eps * whole
