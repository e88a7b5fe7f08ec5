"""The table of arrays with NumPy in one process: python3 run.py <the library> [rows whose name contains this]."""
import ctypes
import os
import sys

for threads in ('OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS', 'OMP_NUM_THREADS'):
    os.environ[threads] = '1'
import numpy as np

library = ctypes.CDLL(sys.argv[1])
library.bench_operand.restype = ctypes.c_void_p
library.bench_operand.argtypes = [ctypes.c_char]
size, side = 1000000, 1000


def operand(name, kind, count=size):
    array = ctypes.c_byte * (count * np.dtype(kind).itemsize)
    return np.frombuffer(array.from_address(library.bench_operand(name.encode())), kind)


kinds = dict(a='f4', b='f4', p='f4', u='f4', d='f8', e='f8', i='i4', j='i4', s='i4', t='i8', c='?', k='?')
names = {name: operand(name, kind) for name, kind in kinds.items()}
names.update(o=np.zeros(size, 'f4'), D=np.zeros(size), I=np.zeros(size, 'i4'), K=np.zeros(size, '?'), grid=operand('g', 'f4', side))
# matrices of the same memory
names.update({2 * name: names[name].reshape(side, side) for name in 'abpoct'})
names.update(np=np, eye=np.eye(side, dtype='f4'), cube=names['a'].reshape(100, 100, 100), few=np.arange(0, 300, 3, dtype='i4'),
             sorted_b=np.sort(names['b']))
np.seterr(all='ignore')
statements, values = [], {}


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p)
def compile_expression(text):
    text = text.decode()
    statements.append(eval('lambda: ' + text, names))
    return len(statements) - 1


@ctypes.CFUNCTYPE(None, ctypes.c_int)
def run(number):
    statements[number]()


@ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_long))
def result(number, count):
    value = statements[number]()
    if isinstance(value, tuple):
        value = value[0]
    values[0] = np.ascontiguousarray(np.asarray(value), dtype='f8').ravel()
    count[0] = values[0].size
    return values[0].ctypes.data


library.bench_arrays((sys.argv[2] if len(sys.argv) > 2 else '').encode(), compile_expression, run, result)
