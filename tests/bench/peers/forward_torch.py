#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The peer of `sepx-bench forward`: forward passes of GPT-2's shape (12 layers, width 768, vocabulary 50257, random
weights) in PyTorch, float32, without gradients. A pass keeps the probabilities of all heads and the logits of every
position.

    forward_torch.py --threads N [--seconds S] [TOKENS...]

Prints one JSON document: milliseconds of every pass for each number of TOKENS (default: 64 and 512). Set
OPENBLAS_CORETYPE and OMP_WAIT_POLICY in the environment. The weights are in memory; only sepx reads them from a file."""
import argparse
import json
import math
import sys
import time

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    print(json.dumps({"skipped": "python3-torch is not installed"}))
    sys.exit(0)

LAYERS, D, HEADS, VOCABULARY, POSITIONS = 12, 768, 12, 50257, 1024


def weights():
    torch.manual_seed(0)

    def table(*shape):
        return torch.randn(*shape) * 0.02

    def linear(out, inputs):
        return table(out, inputs), table(out)

    def norm():
        return torch.ones(D), table(D)

    blocks = [dict(norm1=norm(), qkv=linear(3 * D, D), out=linear(D, D), norm2=norm(), up=linear(4 * D, D),
                   down=linear(D, 4 * D)) for _ in range(LAYERS)]
    return dict(tokens=table(VOCABULARY, D), positions=table(POSITIONS, D), blocks=blocks, norm=norm())


def forward(model, ids, mask):
    t = len(ids)
    x = model["tokens"][ids] + model["positions"][:t]
    patterns = []
    for block in model["blocks"]:
        y = F.linear(F.layer_norm(x, (D,), *block["norm1"]), *block["qkv"])
        q, k, v = y.view(t, 3, HEADS, D // HEADS).permute(1, 2, 0, 3).contiguous()
        p = F.softmax(torch.baddbmm(mask, q, k.transpose(1, 2), alpha=1 / math.sqrt(D // HEADS)), -1)
        patterns.append(p)
        x = x + F.linear(torch.bmm(p, v).transpose(0, 1).reshape(t, D), *block["out"])
        y = F.gelu(F.linear(F.layer_norm(x, (D,), *block["norm2"]), *block["up"]), approximate="tanh")
        x = x + F.linear(y, *block["down"])
    return F.linear(F.layer_norm(x, (D,), *model["norm"]), model["tokens"]), patterns


def milliseconds(model, tokens, seconds):
    ids = torch.randint(VOCABULARY, (tokens,))
    mask = torch.full((tokens, tokens), -math.inf).triu(1)
    spent, begin = [], None
    while begin is None or len(spent) < 5 or time.perf_counter() - begin < seconds:
        start = time.perf_counter()
        forward(model, ids, mask)
        if begin is None:
            begin = time.perf_counter()  # the first pass is not counted
        else:
            spent.append(1000 * (time.perf_counter() - start))
    return spent


def fast_products():
    """The name of the loaded BLAS library; None for the reference BLAS, which is tens of times slower."""
    with open("/proc/self/maps") as maps:
        loaded = maps.read()
    if "/blas/libblas" in loaded:  # the path of the reference BLAS on Debian
        return None
    return next((name for name in ("openblas", "mkl", "blis") if name in loaded), None)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("tokens", nargs="*", type=int, metavar="TOKENS")
    given = parser.parse_args()
    if not fast_products():
        print(json.dumps({"skipped": "PyTorch has the reference BLAS alone; install libopenblas0-pthread"}))
        return
    torch.set_num_threads(given.threads)
    with torch.no_grad():
        model = weights()
        result = {"torch": torch.__version__, "blas": fast_products(), "threads": given.threads}
        for tokens in given.tokens or [64, 512]:
            result[str(tokens)] = {"milliseconds": milliseconds(model, tokens, given.seconds)}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
