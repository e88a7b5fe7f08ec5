#!/usr/bin/env python3
"""Writes sklearn_table.hpp: what scikit-learn says of some predictions.

python3 tests/nn/sklearn_table.py > tests/nn/sklearn_table.hpp
"""
import numpy as np
import sklearn
from sklearn import metrics as m

from written import array

rng = np.random.default_rng(18)


print(f"// Written by sklearn_table.py with scikit-learn {sklearn.__version__}.\n#pragma once\n")
print("// clang-format off\nnamespace sklearn_table {\n")
scores = np.round(rng.normal(size=(40, 5)), 1)  # with ties
labels = rng.integers(0, 4, 40)  # no example is of the last class
predicted = np.where(rng.random(40) < 0.5, labels, scores.argmax(1))
array("scores", scores)
array("labels", labels, "int")
array("predicted", predicted, "int")
array("accuracy", [m.accuracy_score(labels, predicted)])
array("top", [m.top_k_accuracy_score(labels, scores, k=k, labels=range(5)) for k in (1, 2, 4)])
array("confusion", m.confusion_matrix(labels, predicted, labels=range(5)), "int")
for beta in (1, 2):
    p, r, f, _ = m.precision_recall_fscore_support(labels, predicted, beta=beta, labels=range(5), zero_division=0)
    array("precision", p) if beta == 1 else None
    array("recall", r) if beta == 1 else None
    array(f"f{beta}", f)
x, y = rng.normal(size=30), rng.normal(size=30)
array("x", x)
array("y", x + y)
array("r2", [m.r2_score(x + y, x)])
relevance = rng.integers(0, 4, (6, 8))
found = np.round(rng.normal(size=(6, 8)), 1)
found[0, :4] = 0.5  # ties
relevance[5] = 0
array("relevance", relevance, "int")
array("found", found)
array("ndcg", [m.ndcg_score(relevance, found), m.ndcg_score(relevance, found, k=3)])
some = relevance > 2
array("average_precision", [np.mean([m.average_precision_score(r, s) if r.any() else 0 for r, s in zip(some, found)])])
one = np.eye(8, dtype=int)[rng.integers(0, 8, 6)]  # of one relevant item, the mean average precision of labels is the reciprocal rank
untied = rng.normal(size=(6, 8))
array("one", one, "int")
array("untied", untied)
array("reciprocal_rank", [m.label_ranking_average_precision_score(one, untied)])
array("auroc", [m.roc_auc_score(labels == 1, scores[:, 0])])
for name, values in zip(("precisions", "recalls", "thresholds"), m.precision_recall_curve(labels == 1, scores[:, 0])):
    array(name, values)
print("\n}  // namespace sklearn_table\n// clang-format on")
