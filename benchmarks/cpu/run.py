"""The table of cpu with Python's libraries in one process, on one core: python3 run.py <the library> [rows whose name contains this] [--svg file]."""
import ctypes
import glob
import importlib.metadata
import os
import sys

for threads in ('OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS', 'OMP_NUM_THREADS'):
    os.environ[threads] = '1'
os.environ['XLA_FLAGS'] = '--xla_cpu_multi_thread_eigen=false'
if hasattr(os, 'sched_setaffinity'):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def imported(name):
    try:
        return __import__(name)
    except ImportError:
        return None


numpy, torch, jax, onnx, onnxruntime = map(imported, ('numpy', 'torch', 'jax', 'onnx', 'onnxruntime'))
if numpy is None:
    sys.exit('NumPy is absent')
if torch:
    torch.set_num_threads(1)
jnp = jax and jax.numpy
library = ctypes.CDLL(sys.argv[1])


def installed(package, pattern):
    try:
        return [str(f.locate()) for f in importlib.metadata.files(package) or () if f.match(pattern)]
    except importlib.metadata.PackageNotFoundError:
        return []


# MKL of the package mkl or of the system, OpenBLAS of SciPy or of the system
for path in installed('mkl', 'libmkl_rt.so*') + ['libmkl_rt.so.3', 'libmkl_rt.so.2', 'libmkl_rt.so']:
    library.bench_blas(b'MKL', path.encode())
for path in installed('scipy', 'libscipy_openblas-*.so') + ['libopenblas.so.0']:
    library.bench_blas(b'OpenBLAS', path.encode())

bound, statements, values = {}, [], {}


@ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_long))
def bind(name, data, is_float, order, shape):
    kind = numpy.dtype('f4' if is_float else 'i8')
    shape = [shape[d] for d in range(order)]
    memory = (ctypes.c_byte * (int(numpy.prod(shape)) * kind.itemsize)).from_address(data)
    bound[name.decode()] = numpy.frombuffer(memory, kind).reshape(shape)


def onnx_session(operator, operands):
    """A model of one operator, given as `Name attribute=number`."""
    name, *attributes = operator.split()
    attributes = {k: int(v) for k, v in (a.split('=') for a in attributes)}
    float_ = onnx.TensorProto.FLOAT
    inputs = [onnx.helper.make_tensor_value_info(f'x{k}', float_, x.shape) for k, x in enumerate(operands)]
    node = onnx.helper.make_node(name, [i.name for i in inputs], ['y'], **attributes)
    output = onnx.helper.make_tensor_value_info('y', float_, operands[0].shape)
    graph = onnx.helper.make_graph([node], 'one', inputs, [output])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid('', 17)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=['CPUExecutionProvider'])
    given = {i.name: x for i, x in zip(inputs, operands)}
    return lambda: session.run(None, given)[0]


def statement(kind, names, text):
    operands = [bound[name] for name in names.split()]
    if kind == 'onnxruntime':
        return onnx_session(text, operands)
    f = eval(f"lambda {', '.join(names.split())}: {text}", globals())
    if kind == 'torch':
        operands = [torch.from_numpy(x) for x in operands]
    if kind == 'jax':
        f, operands = jax.jit(f), [jnp.asarray(x) for x in operands]
        return lambda: f(*operands).block_until_ready()
    return lambda: f(*operands)


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p)
def compile_expression(kind, names, text):
    kind = kind.decode()
    if globals().get(kind) is None or kind == 'onnxruntime' and onnx is None:
        return -1
    statements.append(statement(kind, names.decode(), text.decode()))
    return len(statements) - 1


@ctypes.CFUNCTYPE(None, ctypes.c_int)
def run(number):
    statements[number]()


@ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_long))
def result(number, count):
    values[0] = numpy.ascontiguousarray(numpy.asarray(statements[number]()), dtype='f8').ravel()
    count[0] = values[0].size
    return values[0].ctypes.data


words = sys.argv[2:]
picture = ''
if '--svg' in words:
    at = words.index('--svg')
    picture = words[at + 1]
    del words[at:at + 2]
if torch:
    torch.set_grad_enabled(False)
import warnings
warnings.filterwarnings('ignore', message='.*not writable.*')
sys.stdout.flush()
library.bench_cpu((words[0] if words else '').encode(), picture.encode(), bind, compile_expression, run, result)
