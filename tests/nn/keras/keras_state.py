#!/usr/bin/env python3
"""Writes keras_state.weights.h5, the weights of a functional model of Keras's, and keras_results.safetensors, what it computes.

KERAS_BACKEND=jax python3 tests/nn/keras/keras_state.py                      (written with Keras 3.15)
KERAS_BACKEND=jax python3 tests/nn/keras/keras_state.py FILE                 checks that the model reads FILE and computes the same
"""
import os
import sys

import keras
import numpy as np
from keras import layers as L

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from written import safetensors

keras.utils.set_random_seed(38)
words, image = keras.Input((4,), dtype="int32"), keras.Input((5, 4, 2))
h = L.Embedding(5, 8)(words)
h = L.SimpleRNN(8, return_sequences=True)(h)
h = L.GRU(8, return_sequences=True)(L.LSTM(8, return_sequences=True)(h))
h = L.BatchNormalization(epsilon=1e-5)(h)
for _ in range(2):
    a = L.LayerNormalization(epsilon=1e-5)(h)
    h = h + L.MultiHeadAttention(2, 4)(a, a)
    h = h + L.Dropout(0.1)(L.Dense(8, activation="relu")(h))
h = L.GroupNormalization(2, epsilon=1e-5)(h)
scores = L.Dense(3, use_bias=False)(h)
picture = L.Conv2DTranspose(2, 2, strides=2)(L.Conv2D(4, (3, 2))(image))
net = keras.Model([words, image], [scores, picture])
rng = np.random.default_rng(5)
for w in net.weights:
    if "seed" not in w.path:
        w.assign(w.numpy() + rng.uniform(0.02, 0.3, w.shape))
x = np.array([[0, 1, 2, 3], [4, 3, 3, 1]])
pixels = np.arange(2 * 5 * 4 * 2, dtype="f4").reshape(2, 5, 4, 2) / 40
before = [np.asarray(r) for r in net.predict([x, pixels], verbose=0)]
if len(sys.argv) > 1:
    for w in net.weights:
        if "seed" not in w.path:
            w.assign(np.zeros(w.shape))
    net.load_weights(sys.argv[1])
    after = net.predict([x, pixels], verbose=0)
    for a, b in zip(before, after):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
    print("the same")
else:
    net.save_weights(os.path.join(os.path.dirname(os.path.abspath(__file__)), "keras_state.weights.h5"))
    safetensors("keras/keras_results.safetensors", {"scores": before[0], "image": before[1]})
