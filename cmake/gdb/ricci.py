# Pretty-printers for gdb: tensors, views, lazy expressions, and the symbols and graphs of interpreted functions.
#
#   (gdb) source <prefix>/share/ricci/gdb/ricci.py
#   (gdb) print a
#   $1 = tensor float32 (2, 3) [[1 2 3] [4 5 6]]
#
# They read memory only and call nothing in the program. What they are given may be uninitialised: all that is read from it is
# checked before it is believed, and whatever cannot be read is said to be so.
import re
import struct

import gdb
import gdb.printing

HEADER_SIZE = 128  # core/buffer.hpp: bytes before the elements of counted memory
FIRST_SYMBOLIC = -(1 << 62)  # graph/graph.hpp: extents that are only known when a graph runs are counted from here
MOST_RANK = 12
EDGE = 3  # elements at each end of an axis that is shown in part

FORMATS = {"bool": "?", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I", "int64": "q", "uint64": "Q", "float16": "e", "float32": "f", "float64": "d", "complex64": "2f", "complex128": "2d"}


class Unreadable(Exception):
    """What is in memory cannot be what its type says."""


# ---- types, which gdb knows by their names ----

def arguments_of(name):
    """The template arguments in a type's name."""
    start = name.find("<")
    if start < 0:
        return []
    arguments, depth, word = [], 0, ""
    for c in name[start + 1 : name.rfind(">")]:
        depth += c in "<({"
        depth -= c in ">)}"
        if c == "," and depth == 0:
            arguments.append(word.strip())
            word = ""
        else:
            word += c
    return arguments + [word.strip()] if word.strip() else arguments


def short_name(name):
    """`tensor` of `ricci::tensor<float, 2>`; inline namespaces do not count."""
    return name.split("<")[0].split("::")[-1].strip()


def extents_in(arguments):
    """The extents in the arguments of a type; -1 for those that it does not know."""
    return [max(int(re.match(r"-?\d+", a).group()), -1) for a in arguments]


def type_name(value):
    return str(value.type.strip_typedefs().unqualified())


class Dtype:
    """An element type by the name of its enumerator in ricci::dtype (core/types.hpp)."""

    def __init__(self, enumerator):
        self.name = "bool" if enumerator == "boolean" else enumerator
        self.format = FORMATS.get(self.name)
        if self.format is None:
            raise Unreadable
        self.size, self.floating = struct.calcsize(self.format), self.format[-1] in "efd"


def dtype_name(type_text):
    """The name of the element type that a C++ type is."""
    word = re.sub(r"\bconst\b", "", type_text).strip()
    if word == "bool":
        return word
    if word.split("::")[-1] in ("float16", "bfloat16"):
        return word.split("::")[-1]
    bits = 8 * gdb.lookup_type(word).sizeof
    if word.split("<")[0].split("::")[-1] == "complex":
        return "complex%d" % bits
    return "%s%d" % ("float" if word in ("float", "double") else "uint" if word.startswith("unsigned") else "int", bits)


def dtype_of(type_text):
    return Dtype(dtype_name(type_text))


def dtype_in(value):
    """That of a ricci::dtype in the program."""
    for field in value.type.strip_typedefs().fields():
        if field.enumval == int(value):
            return Dtype(field.name.split("::")[-1])
    raise Unreadable


def base_of(value):
    """A value as its first base."""
    for field in value.type.strip_typedefs().fields():
        if field.is_base_class:
            return value.cast(field.type)
    raise Unreadable


# ---- numbers, shapes and elements ----

def number_text(x, dtype):
    """A number with as many digits as it takes to tell it from its neighbours."""
    if dtype.name == "bool":
        return "true" if x else "false"
    if not dtype.floating:
        return str(x)
    form = dtype.format[-1]
    for digits in range(6, 18):
        text = "%.*g" % (digits, x)
        if struct.pack(form, float(text)) == struct.pack(form, x):
            break
    return text


def shape_text(extents):
    names = ["d%d" % (e - FIRST_SYMBOLIC) if e < FIRST_SYMBOLIC + (1 << 30) else str(e) for e in extents]
    return "(" + ", ".join(names) + ")"


def row_major(extents):
    strides, n = [], 1
    for e in reversed(extents):
        strides.insert(0, n)
        n *= e
    return strides


def count_of(extents):
    n = 1
    for e in extents:
        n *= e
    return n


def require_extents(extents):
    if len(extents) > MOST_RANK or any(e < 0 or e > 1 << 48 for e in extents) or count_of(extents) > 1 << 48:
        raise Unreadable


def elements_text(address, dtype, extents, strides):
    """Nested as NumPy prints them, in part where there are more than `set print elements` allows."""
    form, size = dtype.format, dtype.size
    inferior = gdb.selected_inferior()
    most = gdb.parameter("print elements") or 1 << 30
    in_part = count_of(extents) > most
    left = [most]  # of views with many axes even the edges are many

    def axis(at, depth):
        if depth == len(extents):
            left[0] -= 1
            parts = struct.unpack(form, inferior.read_memory(at, size).tobytes())
            texts = [number_text(x, dtype) if not dtype.floating or not extents else "%.6g" % x for x in parts]
            return texts[0] if len(texts) == 1 else texts[0] + texts[1].join(["" if texts[1][0] == "-" else "+", "j"])
        n, words = extents[depth], []
        for k in [*range(EDGE), None, *range(n - EDGE, n)] if in_part and n > 2 * EDGE else range(n):
            words.append("..." if k is None or left[0] == 0 else axis(at + k * strides[depth] * size, depth + 1))
            if left[0] == 0 and words[-1] == "...":
                break
        return "[" + " ".join(words) + "]"

    return axis(address, 0)


def array_text(kind, address, dtype, extents, strides=None, note=""):
    require_extents(extents)
    head = "%s %s %s%s" % (kind, dtype.name, shape_text(extents), note)
    try:
        return head + " " + elements_text(address, dtype, extents, strides or row_major(extents))
    except gdb.MemoryError:
        return head + " in memory that cannot be read, at 0x%x" % address


# ---- counted memory ----

class Block:
    """The memory of a shared_buffer: where its elements start, and what stands before them."""

    def __init__(self, buffer):
        block = buffer["block_"]
        self.header = block.dereference()
        self.count, self.bytes = int(self.header["count"]), int(self.header["bytes"])
        self.data = int(block) + HEADER_SIZE
        if self.count < 1 or self.bytes < 0:
            raise Unreadable

    def extents(self, known):
        stored = self.header["extents"]
        return [e if e >= 0 else int(stored[k]) for k, e in enumerate(known)]


def whole_text(kind, buffer, dtype, known):
    """A tensor of counted memory."""
    block = Block(buffer)
    extents = block.extents(known)
    require_extents(extents)
    if block.bytes < count_of(extents) * dtype.size:
        raise Unreadable
    return array_text(kind, block.data, dtype, extents)


# ---- one function for each type: the text for a value ----

def tensor(value, arguments):
    base, dtype, known = base_of(value), dtype_of(arguments[0]), extents_in(arguments[1:])
    if short_name(str(base.type.strip_typedefs())) == "on_heap":
        return whole_text("tensor", base["buffer"], dtype, known)
    return array_text("tensor", int(base["elements"].address), dtype, known)


def shared_leaf(value, arguments):
    return whole_text("tensor", value["buffer"], dtype_of(arguments[0]), extents_in(arguments_of(arguments[1])))


def in_place_leaf(value, arguments):
    return array_text("tensor", int(value["elements"]), dtype_of(arguments[0]), extents_in(arguments_of(arguments[1])))


def number_leaf(value, arguments):
    dtype = dtype_of(arguments[0])
    x = value["value"]
    return number_text(float(x) if dtype.floating else int(x), dtype)


def labelled(value, arguments):
    return text_of(value["leaf"])


def view(value, arguments):
    dtype, known, layout = dtype_of(arguments[0]), extents_in(arguments_of(arguments[1])), int(re.search(r"\d+$", arguments[2]).group())
    extents = known if min(known, default=0) >= 0 else [int(value["extents_"]["values"][k]) for k in range(len(known))]
    require_extents(extents)
    strides = row_major(extents) if layout == 0 else [int(value["strides_"]["values"][k]) for k in range(len(known))]
    address, size = int(value["p_"]), dtype.size
    if arguments[3] == "true":  # it lies in memory that it keeps
        block = Block(value["owner_"])
        ends = [address + size * sum(s * (e - 1) for e, s in zip(extents, strides) if s * sign > 0) for sign in (1, -1)]
        if count_of(extents) > 0 and not block.data <= min(ends) <= max(ends) <= block.data + block.bytes - size:
            raise Unreadable
    return array_text("view", address, dtype, extents, strides, " strides " + shape_text(strides))


def formula(value):
    """A node or one of its operands inside of a formula."""
    name = type_name(value)
    kind, arguments = short_name(name), arguments_of(name)
    if kind == "node":
        words, holders = [], value["operands_"]
        for field in holders.type.strip_typedefs().fields():
            if field.is_base_class:
                words.append(formula(holders.cast(field.type)["value"]))
        attributes = short_name(arguments[1])
        if attributes != "bare":  # no_attributes
            words.append(re.sub(r"(\d)[lL]+\b", r"\1", re.sub(r"\b\w+::", "", arguments[1])))
        return re.sub(r"_(t|function)$", "", short_name(arguments[0])) + "(" + ", ".join(words) + ")"
    if kind == "labelled":
        return formula(value["leaf"])
    if kind not in PRINTERS:
        return kind
    text = text_of(value)
    shape = re.match(r"(\w+) \w+ (\([^)]*\))", text)
    return shape.group(1) + " " + shape.group(2) if shape else text


def node(value, arguments):
    return formula(value)


def shape_t(value, arguments):
    rank = int(value["rank"])
    if not 0 <= rank <= MOST_RANK:
        raise Unreadable
    return shape_text([int(value["extent"][k]) for k in range(rank)])


def shared_buffer(value, arguments):
    block = Block(value)
    return "%d bytes at 0x%x, use count %d" % (block.bytes, block.data, block.count)


# ---- graphs, and the symbols of interpreted functions ----

def item(array, k):
    """Element k of a graph's array, which is a C array or grows."""
    return array[k] if array.type.strip_typedefs().code == gdb.TYPE_CODE_ARRAY else array["data_"]["elements_"][k]


def instruction_text(graph, k):
    i = item(graph["ins"], k)
    dtype, first, count = dtype_in(i["type"]), int(i["first"]), int(i["count"])
    attributes = [int(item(graph["attributes"], int(i["attr"]) + a)) for a in range(min(int(i["attrs"]), 64))]
    name = i["op"]["name"].string()
    words = ["%%%d" % int(item(graph["operands"], first + o)) for o in range(min(count, 64))]
    if name == "literal":
        x = struct.unpack("d", struct.pack("q", attributes[0]))[0] if dtype.floating else attributes[0]
        words = [number_text(x, dtype)]
    elif attributes:
        words += [shape_text([a]).strip("()") for a in attributes]
    return "%s(%s) %s %s" % (name, ", ".join(words), dtype.name, text_of(item(graph["shapes"], int(i["shape"]))))


def basic_graph(value, arguments):
    size = int(value["size"])
    if not 1 <= size <= 1 << 20:
        raise Unreadable
    most = gdb.parameter("print elements") or 1 << 20
    lines = ["%%%d = %s" % (k, instruction_text(value, k)) for k in range(1, min(size, most + 1))]
    if size - 1 > most:
        lines.append("...")
    outputs = int(value["output_count"])
    if 0 < outputs <= 512:
        lines.append("result " + ", ".join("%%%d" % int(item(value["outputs"], k)) for k in range(outputs)))
    return "\n  ".join(["graph of %d" % (size - 1)] + lines)


def eager_graph(value, arguments):
    return text_of(base_of(value))


def graph_value(value, arguments):
    """ir::value: an instruction, and in an interpreted function the elements that it gave."""
    pointer, k = value["g"], int(value["id"])
    if int(pointer) == 0 or k == 0:
        return "no value"
    graph = pointer.dereference()
    if not 0 < k < int(graph["size"]) <= 1 << 20:
        raise Unreadable
    mode = arguments[0]
    if short_name(mode) != "eager":
        return "%%%d = %s" % (k, instruction_text(graph, k))
    i = item(graph["ins"], k)
    shape = item(graph["shapes"], int(i["shape"]))
    extents, dtype = [int(shape["extent"][a]) for a in range(int(shape["rank"]))], dtype_in(i["type"])
    eager = pointer.cast(gdb.lookup_type(re.sub(r"\beager$", "eager_graph", mode)).pointer())
    if k >= int(eager["value_count_"]):
        raise Unreadable
    arrays = item(eager["values_"], k)
    for base in arrays.type.strip_typedefs().fields():
        if base.is_base_class and dtype_name(arguments_of(base.type.name)[0]) == dtype.name:
            return array_text("%%%d =" % k, int(arrays.cast(base.type)["p"]), dtype, extents)
    raise Unreadable


def symbol(value, arguments):
    return text_of(value["v"])


PRINTERS = {
    "tensor": tensor,
    "view": view,
    "node": node,
    "shared_leaf": shared_leaf,
    "in_place_leaf": in_place_leaf,
    "number_leaf": number_leaf,
    "labelled": labelled,
    "shape_t": shape_t,
    "shared_buffer": shared_buffer,
    "basic_graph": basic_graph,
    "eager_graph": eager_graph,
    "value": graph_value,
    "symbol": symbol,
}


def text_of(value):
    name = type_name(value)
    return PRINTERS[short_name(name)](value, arguments_of(name))


class Printer:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        try:
            return text_of(self.value)
        except (Unreadable, gdb.MemoryError, UnicodeDecodeError, IndexError, OverflowError):
            return short_name(type_name(self.value)) + " that is not initialised, or gone"
        except gdb.error as error:  # optimised out, or described in part
            return "%s: %s" % (short_name(type_name(self.value)), error)


class Printers(gdb.printing.PrettyPrinter):
    def __init__(self):
        super().__init__("ricci")

    def __call__(self, value):
        name = value.type.strip_typedefs().unqualified().name
        if name and name.startswith("ricci::") and short_name(name) in PRINTERS:
            return Printer(value)
        return None


gdb.printing.register_pretty_printer(None, Printers(), replace=True)
