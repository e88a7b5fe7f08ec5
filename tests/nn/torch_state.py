#!/usr/bin/env python3
"""Writes torch_state.safetensors, the state dict of a net of PyTorch's, and torch_results.safetensors, what it computes.

python3 tests/nn/torch_state.py
"""
import torch

from written import safetensors

torch.manual_seed(5)
class Net(torch.nn.Module):
    def __init__(s):
        super().__init__()
        s.conv = torch.nn.Conv2d(2, 4, (3, 2), padding=0)
        s.up = torch.nn.ConvTranspose2d(4, 2, 2, stride=2)
        s.bn = torch.nn.BatchNorm1d(6)
        s.words = torch.nn.Embedding(5, 6)
        s.recurrent = torch.nn.LSTM(6, 6, batch_first=True)
        s.gated = torch.nn.GRU(6, 6, batch_first=True)
        s.blocks = torch.nn.ModuleList([torch.nn.TransformerEncoderLayer(6, 2, 12, 0.0, "gelu", batch_first=True, norm_first=True) for _ in range(2)])
        s.decoder = torch.nn.TransformerDecoderLayer(6, 2, 8, 0.0, "gelu", batch_first=True, norm_first=True)
        s.head = torch.nn.Sequential(torch.nn.Linear(6, 3), torch.nn.GELU(), torch.nn.Linear(3, 2, bias=False))
        s.scale = torch.nn.Parameter(torch.randn(3))
    def forward(s, x, image):
        h = s.words(x)
        h = s.bn(h.transpose(1, 2)).transpose(1, 2)
        h = s.gated(s.recurrent(h)[0])[0]
        for b in s.blocks: h = b(h)
        m = torch.triu(torch.full((4, 4), float("-inf")), 1)
        h = s.decoder(h, h, m)
        return s.head(h), s.up(s.conv(image)).permute(0, 2, 3, 1)
n = Net()
with torch.no_grad():
    for p in n.parameters(): p.add_(torch.randn_like(p) / 8)
    n.bn.running_mean.copy_(torch.randn(6)); n.bn.running_var.copy_(torch.rand(6) + .5)
n.eval()
x = torch.tensor([[0, 1, 2, 3], [4, 3, 3, 1]]); image = torch.arange(2 * 2 * 5 * 4.).reshape(2, 2, 5, 4) / 40
with torch.no_grad(): a, b = n(x, image)


safetensors("torch_state.safetensors", {k: v.numpy() for k, v in n.state_dict().items()})
safetensors("torch_results.safetensors", {"scores": a.numpy(), "image": b.numpy()})
