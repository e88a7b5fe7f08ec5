# The rows of benchmarks/device beside PyTorch, eager and compiled: device time by events, queued behind a sleeping kernel.
import statistics, sys, time, warnings

warnings.filterwarnings("ignore")
begin_all = time.time()
import torch
import torch.nn.functional as F

if not torch.cuda.is_available():
    print("absent: no GPU for PyTorch")
    sys.exit(77)
dev = torch.device("cuda")
torch.manual_seed(0)
copy_rate = 0.0


def measure(f, budget=0.1):
    f()
    torch.cuda.synchronize()
    t0 = time.perf_counter()
    f()
    host = time.perf_counter() - t0
    torch.cuda.synchronize()
    whole = time.perf_counter() - t0
    rounds = int(max(3, min(25, budget / (whole + 1e-6))))
    times = []
    for _ in range(rounds):
        a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        torch.cuda._sleep(int(2e9 * (2 * min(host, 1e-3) + 2e-5)))
        a.record()
        f()
        b.record()
        b.synchronize()
        times.append(a.elapsed_time(b) * 1e-3)
    return statistics.median(times), host


def row(name, nbytes, f):
    try:
        t, host = measure(f)
        print(f"{name:<44} {t*1e6:10.1f} {nbytes/t*1e-9:8.0f} {nbytes/t/copy_rate if copy_rate else 1:7.2f} {host*1e6:9.1f}", flush=True)
        return t
    except Exception as e:
        print(f"{name:<44} failed: {str(e)[:150]}", flush=True)


def noise(*shape):
    return torch.rand(*shape, device=dev) * 2 - 1


print(torch.__version__, torch.cuda.get_device_name(0))
x = noise(1 << 26)
y = torch.empty_like(x)
t, _ = measure(lambda: y.copy_(x))
copy_rate = 8 * x.numel() / t
print(f"copy {copy_rate*1e-9:.0f} GB/s")
print(f"{'PyTorch, eager':<44} {'device us':>10} {'GB/s':>8} {'of copy':>7} {'host us':>9}")
z = noise(1 << 26)
row("2x + z*x - z/3 (2^26)", 12 * x.numel(), lambda: 2 * x + z * x - z / 3)
row("x += z", 12 * x.numel(), lambda: y.add_(z))
a, b = noise(8192, 8192), noise(8192, 8192)
row("A.T + B, 8192", 12 * a.numel(), lambda: a.T + b)
row("A.T contiguous, 8192", 8 * a.numel(), lambda: a.T.contiguous())
del a, b
for columns in (128, 1024, 4096, 32768):
    rows = (1 << 26) // columns
    n = 4 * rows * columns
    xs, w = x.view(rows, columns), z.view(rows, columns)
    gain, bias = noise(columns), noise(columns)
    print(f"{rows} rows of {columns}")
    row("  softmax", 2 * n, lambda: torch.softmax(xs, 1))
    ys = torch.softmax(xs, 1)
    row("  gradient of softmax from its result", 3 * n, lambda: torch._softmax_backward_data(w, ys, 1, torch.float32))
    xg = xs.detach().requires_grad_()

    def softmax_grad():
        return torch.autograd.grad((w * torch.softmax(xg, 1)).sum(), xg)

    row("  gradient of sum(w * softmax)", 3 * n, softmax_grad)
    row("  layer norm", 2 * n, lambda: F.layer_norm(xs, (columns,), gain, bias))

    def norm_grad():
        return torch.autograd.grad((w * F.layer_norm(xg, (columns,), gain, bias)).sum(), xg)

    row("  layer norm, gradient by x", 3 * n, norm_grad)
    del ys, xg
s = x.view(8192, 8192)
labels = (torch.arange(8192, device=dev) * 7919) % 8192
row("cross-entropy of labels (8192, 8192)", 4 * s.numel(), lambda: F.cross_entropy(s, labels))
sg = s.detach().requires_grad_()
row("  its gradient", 8 * s.numel(), lambda: torch.autograd.grad(F.cross_entropy(sg, labels), sg))
del sg, s
big = noise(2, 1 << 27)
row("sum (2, 2^27), axis 1", 4 * big.numel(), lambda: big.sum(1))
row("sum (2^27,)", 2 * big.numel(), lambda: big[0].sum())
row("max (2^27,)", 2 * big.numel(), lambda: big[0].max())
del big
for rows, columns in ((1 << 20, 64), (65536, 1024), (1000003, 67)):
    m = noise(rows, columns)
    n = 4 * m.numel()
    print(f"({rows}, {columns})")
    row("  sum, axis 1", n, lambda: m.sum(1))
    row("  sum, axis 0", n, lambda: m.sum(0))
    row("  max, axis 1", n, lambda: m.amax(1))
    row("  argmax, axis 1", n, lambda: m.argmax(1))
    if columns == 1024:
        row("  argmax, axis 0", n, lambda: m.argmax(0))
        row("  var, axis 1", n, lambda: m.var(1))
        row("  logsumexp, axis 1", n, lambda: torch.logsumexp(m, 1))
words, w = noise(50257, 768), noise(8192, 768)
k = torch.arange(8192, device=dev)
at = (k * k + 7919 * k) % 50257
row("take 8192 rows of 768", 8 * w.numel(), lambda: words.index_select(0, at))
row("gradient of an embedding (50257, 768)", 4 * (w.numel() + words.numel()), lambda: torch.zeros_like(words).index_add_(0, at, w))
row("  by embedding_dense_backward", 4 * (w.numel() + words.numel()), lambda: torch.ops.aten.embedding_dense_backward(w, at, 50257, -1, False))
zero = torch.zeros_like(at)
row("  the same where all are one word", 4 * (w.numel() + words.numel()), lambda: torch.ops.aten.embedding_dense_backward(w, zero, 50257, -1, False))
for bits in (12, 16, 20, 24):
    v = noise(1 << bits)
    row(f"cumsum of 2^{bits}", 8 * v.numel(), lambda: v.cumsum(0))
    row(f"sort of 2^{bits}", 8 * v.numel(), lambda: v.sort())
    row(f"argmax of 2^{bits}", 4 * v.numel(), lambda: v.argmax())
v = noise(65536, 256)
row("cumsum (65536, 256), axis 1", 8 * v.numel(), lambda: v.cumsum(1))
row("sort (65536, 256), axis 1", 8 * v.numel(), lambda: v.sort(1))
for n in (512, 1024, 4096, 8192):
    a, b = noise(n, n), noise(n, n)
    t, _ = measure(lambda: a @ b)
    print(f"matmul {n}: {2*n**3/t*1e-12:.1f} TFLOP/s")
a, b = noise(16, 4096), noise(4096, 4096)
t, _ = measure(lambda: a @ b)
print(f"matmul (16, 4096) (4096, 4096): {t*1e6:.1f} us")


def net(step_graph):
    p = [noise(784, 128) * 0.05, torch.zeros(128, device=dev), noise(128, 10) * 0.1, torch.zeros(10, device=dev)]
    p = [q.requires_grad_() for q in p]
    opt = torch.optim.Adam(p, lr=1e-3, fused=True, capturable=True)
    images = noise(128, 784)
    targets = F.one_hot(torch.arange(128, device=dev) % 10, 10).float()

    def step():
        opt.zero_grad(set_to_none=False)
        h = torch.relu(torch.addmm(p[1], images, p[0]))
        l = F.cross_entropy(torch.addmm(p[3], h, p[2]), targets)
        l.backward()
        opt.step()

    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.synchronize()
    run = step
    if step_graph:
        g = torch.cuda.CUDAGraph()
        with torch.cuda.graph(g):
            step()
        run = g.replay
    for _ in range(5):
        run()
    torch.cuda.synchronize()
    t0 = time.perf_counter()
    for _ in range(300):
        run()
    torch.cuda.synchronize()
    return (time.perf_counter() - t0) / 300 * 1e6


for graph in (False, True):
    try:
        print(f"digits' step, batch 128, fused Adam, {'CUDA graph' if graph else 'eager'}: {net(graph):.1f} us")
    except Exception as e:
        print("digits' step failed:", str(e)[:200])
print(f"{time.time()-begin_all:.1f} s so far", flush=True)
if time.time() - begin_all > 30 or "--no-compile" in sys.argv:
    sys.exit(0)
print("torch.compile")
soft = torch.compile(lambda x: torch.softmax(x, 1))
norm = torch.compile(lambda x, g, b: F.layer_norm(x, (x.shape[1],), g, b))
chain = torch.compile(lambda x, z: 2 * x + z * x - z / 3)
row("2x + z*x - z/3", 12 * x.numel(), lambda: chain(x, z))
for columns in (1024, 4096, 32768):
    if time.time() - begin_all > 38:
        break
    rows = (1 << 26) // columns
    xs, gain, bias = x.view(rows, columns), noise(columns), noise(columns)
    torch._dynamo.reset()
    row(f"softmax, rows of {columns}", 8 * x.numel(), lambda: soft(xs))
    row(f"layer norm, rows of {columns}", 8 * x.numel(), lambda: norm(xs, gain, bias))
print(f"{time.time()-begin_all:.1f} s in all")
