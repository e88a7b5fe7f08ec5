"""Steps of four trainings beside PyTorch's of the same nets, on one thread, by turns: the least milliseconds of each.
usage: steps.py path/to/bench_steps"""
import subprocess, sys, time

try:
    import torch
    from torch import nn
    import torch.nn.functional as F
except ImportError:
    print(subprocess.run(sys.argv[1:2], check=True, capture_output=True, text=True).stdout + "PyTorch is absent")
    sys.exit(0)
torch.set_num_threads(1)


class Block(nn.Module):
    def __init__(self, d=128, heads=4):
        super().__init__()
        self.heads, self.before, self.between = heads, nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.out, self.up, self.down = nn.Linear(d, 3 * d), nn.Linear(d, d), nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def forward(self, x):
        n, places, d = x.shape
        q, k, v = (a.view(n, places, self.heads, -1).transpose(1, 2) for a in self.qkv(self.before(x)).split(d, 2))
        x = x + self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(n, places, d))
        return x + self.down(F.gelu(self.up(self.between(x))))


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.letters, self.places = nn.Embedding(96, 128), nn.Embedding(64, 128)
        self.blocks = nn.Sequential(*[Block() for _ in range(4)])
        self.last, self.out = nn.LayerNorm(128), nn.Linear(128, 96, bias=False)

    def forward(self, x):
        return self.out(self.last(self.blocks(self.letters(x) + self.places.weight)))


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.letters, self.memory, self.out = nn.Embedding(96, 64), nn.LSTM(64, 256, batch_first=True), nn.Linear(256, 96)

    def forward(self, x):
        return self.out(self.memory(self.letters(x))[0])


relu = nn.ReLU
images, labels, letters = torch.rand(64, 784), torch.randint(0, 10, (64,)), torch.randint(0, 96, (12, 64))
nets = {
    "mlp": (nn.Sequential(nn.Linear(784, 256), relu(), nn.Linear(256, 128), relu(), nn.Linear(128, 100), relu(), nn.Linear(100, 10)), images, labels),
    "conv": (nn.Sequential(nn.Conv2d(1, 32, 3, padding=1), relu(), nn.MaxPool2d(2), nn.Conv2d(32, 64, 3, padding=1), relu(), nn.MaxPool2d(2),
                           nn.Flatten(), nn.Linear(49 * 64, 10)), images.view(64, 1, 28, 28), labels),
    "transformer": (Transformer(), letters, letters),
    "lstm": (Recurrent(), letters, letters),
}


def least(net, x, y):
    optimiser, best, spent, k = torch.optim.Adam(net.parameters(), 1e-3), 1e9, 0, 0
    while k < 20 or (spent < 2 and k < 2000):
        start = time.perf_counter()
        optimiser.zero_grad()
        z = net(x)
        F.cross_entropy(z.flatten(0, -2), y.flatten()).backward()
        optimiser.step()
        taken = time.perf_counter() - start
        best, spent, k = min(best, taken), spent + taken, k + 1
    return 1e3 * best


ours, theirs = {}, {}
for _ in range(3):
    for line in subprocess.run(sys.argv[1:2], check=True, capture_output=True, text=True).stdout.splitlines():
        name, number = line.rsplit(" ", 1)
        ours[name] = min(ours.get(name, 1e9), float(number))
    for name, (net, x, y) in nets.items():
        theirs[name] = min(theirs.get(name, 1e9), least(net, x, y))
print(f"{'a step, ms':14}{'ricci':>10}{'PyTorch':>10}{'theirs / ours':>15}   (PyTorch {torch.__version__})")
for name, time_of_ours in ours.items():
    print(f"{name:14}{time_of_ours:10.3f}{theirs[name]:10.3f}{theirs[name] / time_of_ours:15.2f}")
