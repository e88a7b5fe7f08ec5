#!/usr/bin/env python3
"""Writes torch_adaptive.safetensors, the state dict of an adaptive softmax of PyTorch's, and torch_adaptive_results.safetensors.

python3 tests/nn/torch_adaptive.py   (written with PyTorch 1.13)
"""
import torch

from written import safetensors

torch.manual_seed(38)
layer = torch.nn.AdaptiveLogSoftmaxWithLoss(6, 12, [3, 7], div_value=2.0, head_bias=True)
x = (torch.randn(9, 6) * 2).requires_grad_(True)
labels = torch.tensor([0, 11, 3, 6, 7, 2, 1, 5, 9])
loss = layer(x, labels).loss
loss.backward()
results = {"x": x, "labels": labels, "loss": loss, "log_p": layer.log_prob(x), "x_gradient": x.grad}
results["head_gradient"] = layer.head.weight.grad.T
for k in range(2):
    results[f"down_gradient_{k}"] = layer.tail[k][0].weight.grad.T
    results[f"up_gradient_{k}"] = layer.tail[k][1].weight.grad.T
safetensors("torch_adaptive.safetensors", {k: v.numpy() for k, v in layer.state_dict().items()})
safetensors("torch_adaptive_results.safetensors", {k: v.detach().numpy() for k, v in results.items()})
