"""Writes torch_tables.hpp: what PyTorch says of losses, activations and layers, in double precision, with the operands.

python3 tests/nn/torch_tables.py > tests/nn/torch_tables.hpp   (written with PyTorch 1.13, cross-entropy with 2.15)
"""
import torch
import torch.nn.functional as F

torch.manual_seed(15)
torch.set_default_dtype(torch.float64)


def numbers(t):
    return ", ".join(repr(v) for v in t.detach().flatten().tolist())


def array(name, t):
    text, line = "inline constexpr double %s[] = {" % name, ""
    for word in numbers(t).split(" "):
        if len(line) + len(word) > 116:
            text += "\n    " + line.rstrip()
            line = ""
        line += word + " "
    print(text + "\n    " + line.rstrip() + "};")


def with_gradient(name, f, x):
    """The value of f(x), and the gradient of its sum of squares' half for tensors, of itself for numbers."""
    x = x.detach().clone().requires_grad_(True)
    y = f(x)
    (y if y.dim() == 0 else (y * y).sum() / 2).backward()
    array(name, y)
    array(name + "_gradient", x.grad)


print("// Written by torch_tables.py.\n#pragma once\n\n// clang-format off\nnamespace table {\n")
x, y, z = torch.randn(4, 5) * 1.5, torch.randn(4, 5), torch.randn(4, 5)
p = torch.rand(4, 5)
bits = (torch.rand(4, 5) > 0.5).double()
signs = bits * 2 - 1
sides = torch.tensor([1.0, -1.0, -1.0, 1.0])
p[0, 0] = 0
for name, t in dict(x=x, y=y, z=z, p=p, bits=bits, sides=sides).items():
    array(name, t)


def focal(v):  # of the paper's formula
    s = torch.sigmoid(v)
    right = s * bits + (1 - s) * (1 - bits)
    alpha = 0.25 * bits + 0.75 * (1 - bits)
    return (-alpha * (1 - right) ** 2 * torch.log(right)).mean()


losses = dict(
    mse=lambda v: F.mse_loss(v, y),
    l1=lambda v: F.l1_loss(v, y),
    huber=lambda v: F.huber_loss(v, y, delta=0.7),
    log_cosh=lambda v: torch.log(torch.cosh(v - y)).mean(),
    bce=lambda v: F.binary_cross_entropy_with_logits(v, p),
    bce_weighted=lambda v: F.binary_cross_entropy_with_logits(v, p, pos_weight=torch.tensor(3.0)),
    focal=focal,
    hinge=lambda v: torch.clamp(1 - signs * v, min=0).mean(),
    kl=lambda v: F.kl_div(v, p, reduction="mean"),
    poisson=lambda v: F.poisson_nll_loss(v, p),
    gaussian=lambda v: F.gaussian_nll_loss(v, y, p + 0.1),
    ranking=lambda v: F.margin_ranking_loss(v, y, signs, margin=0.2),
    dice=lambda v: (1 - (2 * (torch.sigmoid(v) * bits).sum(1) + 1) / ((torch.sigmoid(v) + bits).sum(1) + 1)).mean(),
    triplet=lambda v: F.triplet_margin_loss(v, y, z, margin=1.5, eps=0),
    cosine=lambda v: F.cosine_embedding_loss(v, y, sides, margin=-0.3),
)
for name, f in losses.items():
    with_gradient(name, f, x)

activations = dict(
    elu=lambda v: F.elu(v, 0.8),
    selu=F.selu,
    celu=lambda v: F.celu(v, 1.3),
    leaky_relu=lambda v: F.leaky_relu(v, 0.02),
    mish=F.mish,
    hard_sigmoid=F.hardsigmoid,
    hard_swish=F.hardswish,
    hard_tanh=F.hardtanh,
    softsign=F.softsign,
    relu6=lambda v: F.relu6(3 * v),
    glu=lambda v: F.glu(torch.cat([v, y], 1), 1),
    log_softmax=lambda v: F.log_softmax(v, 1),
)
for name, f in activations.items():
    with_gradient("of_" + name, f, x)

# Layers
sequence = torch.randn(2, 5, 3)  # batch, places, width
array("sequence", sequence)
for name, layer in dict(
    rnn=torch.nn.RNN(3, 4, batch_first=True),
    lstm=torch.nn.LSTM(3, 4, batch_first=True),
    gru=torch.nn.GRU(3, 4, batch_first=True),
).items():
    for part in ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"):
        array(name + "_" + part[:-3], getattr(layer, part).T if "weight" in part else getattr(layer, part))
    with_gradient(name, lambda v: layer(v)[0], sequence)

places = torch.randn(2, 3, 8)
memory = torch.randn(2, 4, 8)
attention = torch.nn.MultiheadAttention(8, 2, batch_first=True)
attention.in_proj_bias.data.normal_()
attention.out_proj.bias.data.normal_()
array("places", places)
array("memory", memory)
array("attention_in", attention.in_proj_weight.T)
array("attention_in_bias", attention.in_proj_bias)
array("attention_out", attention.out_proj.weight.T)
array("attention_out_bias", attention.out_proj.bias)
causal = torch.triu(torch.ones(3, 3, dtype=torch.bool), 1)
with_gradient("self_attention", lambda v: attention(v, v, v, attn_mask=causal, need_weights=False)[0], places)
with_gradient("cross_attention", lambda v: attention(v, memory, memory, need_weights=False)[0], places)

# cross-entropy of integer labels, with its options
torch.manual_seed(16)
scores = torch.randn(6, 4) * 2
labels = torch.tensor([0, 3, -1, 1, 2, -1])
class_weights = torch.tensor([0.5, 1.0, 2.0, 0.25])
array("scores", scores)
array("class_weights", class_weights)
for name, options in {
    "ignoring": {},
    "smoothed": {"label_smoothing": 0.2},
    "weighted": {"weight": class_weights},
    "weighted_smoothed": {"weight": class_weights, "label_smoothing": 0.2},
}.items():
    with_gradient("cross_entropy_" + name, lambda x: F.cross_entropy(x, labels, ignore_index=-1, **options), scores)
print("\n}  // namespace table\n// clang-format on")
