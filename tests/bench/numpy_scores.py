#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The peer of `sepx-bench weights-scores`: computes the symmetry and directionality of one attention layer of GPT-2's
shape and of its 12 heads by forming W_qk with NumPy. Prints one JSON document: medians in milliseconds for float32 and
float64.

The formulas are those of sepx (excess variant, gamma 2, ddof 1), each in the form that is fastest in NumPy: norms of rows
and columns by einsum, Tr(MM) by einsum over M and its transpose."""
import json
import statistics
import sys
import time

import numpy as np

D_MODEL, HEADS, D_H = 768, 12, 64


def directionality(rows, columns):
    sides = []
    for norms in (rows, columns):
        threshold = norms.mean() + 2 * norms.std(ddof=1)
        sides.append((norms[norms > threshold] - threshold).sum())
    total = sides[0] + sides[1]
    return (sides[0] - sides[1]) / total if total > 0 else 0.0


def scores(m):
    rows = np.sqrt(np.einsum("ij,ij->i", m, m))
    columns = np.sqrt(np.einsum("ij,ij->j", m, m))
    symmetry = np.einsum("ij,ji->", m, m) / np.dot(rows, rows)
    return symmetry, directionality(rows, columns)


def median_ms(work, times):
    work()
    spent = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        spent.append(1000 * (time.perf_counter() - start))
    return statistics.median(spent)


def measure(dtype):
    generator = np.random.default_rng(1)
    w_q = (0.03 * generator.standard_normal((D_MODEL, HEADS * D_H))).astype(dtype)
    w_k = (0.03 * generator.standard_normal((D_MODEL, HEADS * D_H))).astype(dtype)
    head = [slice(h * D_H, (h + 1) * D_H) for h in range(HEADS)]
    return {
        "layer_ms": median_ms(lambda: scores(w_q @ w_k.T), 21),
        "heads_ms": median_ms(lambda: [scores(w_q[:, h] @ w_k[:, h].T) for h in head], 11),
        "layer_product_ms": median_ms(lambda: w_q @ w_k.T, 21),
    }


if __name__ == "__main__":
    json.dump({"numpy": np.__version__, "float32": measure(np.float32), "float64": measure(np.float64)}, sys.stdout)
