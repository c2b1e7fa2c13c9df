#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The peer of `sepx-bench train-*`: whole steps (forward, loss, backward, AdamW, and clipping if configured) in PyTorch,
float32, without dropout. Random inputs are generated outside the timed region.

    train_torch.py --threads N [--seconds S] [NAME...]

Prints one JSON document: milliseconds of every step and the minimum processor time of a step (all threads) for each NAME
of CONFIGS, and GFLOP/s of a 1024^3 product. Set OPENBLAS_CORETYPE and OMP_WAIT_POLICY in the environment. The code is as
fast as plain PyTorch allows: one product for Q, K and V, the scale and mask of the scores inside baddbmm, AdamW with
foreach, and the output head on the predicted rows only."""
import argparse
import json
import math
import sys
import time

try:
    import torch
    import torch.nn.functional as F
    from torch import nn
except ImportError:
    print(json.dumps({"skipped": "python3-torch is not installed"}))
    sys.exit(0)


def shape(**given):
    base = dict(vocabulary=2, length=64, layers=1, d=8, heads=1, batch=16, causal=True, post=False, rope=False, tied=True,
                gelu="tanh", qkv_bias=True, ff_bias=True, norm_bias=True, output_bias=False, embedding_norm=False,
                loss="next", clip=0.0)
    unknown = set(given) - set(base)
    assert not unknown, unknown
    return {**base, **given}


MDM = dict(vocabulary=54, d=256, batch=256, causal=False, rope=True, tied=False, qkv_bias=False, output_bias=True,
           loss="diffusion", clip=1.0)
CONFIGS = {
    "a10": shape(length=10, **MDM),
    "a40": shape(length=40, **MDM),
    "b8": shape(length=1024, d=8),
    "b64": shape(length=1024, d=64),
    "c15": shape(vocabulary=4096, length=128, layers=4, d=256, heads=4, batch=32, causal=False, post=True, gelu="none",
                 embedding_norm=True, loss="masked", clip=1.0),
    "d": shape(vocabulary=65, length=256, layers=6, d=384, heads=6, batch=8, gelu="none", qkv_bias=False, ff_bias=False,
               norm_bias=False, clip=1.0),
    "vit": shape(vocabulary=10, length=65, layers=6, d=512, heads=8, batch=8, causal=False, tied=False, gelu="none",
                 output_bias=True, loss="class", clip=1.0),
}
IMAGE, PATCH, CHANNELS = 32, 4, 3  # of the loss "class"


class Norm(nn.Module):
    def __init__(self, d, bias):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(d))
        self.bias = nn.Parameter(torch.zeros(d)) if bias else None

    def forward(self, x):
        return F.layer_norm(x, self.gain.shape, self.gain, self.bias, 1e-5)


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c["d"]
        self.c = c
        self.norm1, self.norm2 = Norm(d, c["norm_bias"]), Norm(d, c["norm_bias"])
        self.qkv = nn.Linear(d, 3 * d, bias=c["qkv_bias"])
        self.out = nn.Linear(d, d, bias=c["qkv_bias"])
        self.up = nn.Linear(d, 4 * d, bias=c["ff_bias"])
        self.down = nn.Linear(4 * d, d, bias=c["ff_bias"])
        self.scale = 1 / math.sqrt(d // c["heads"])

    def attention(self, x, rotary, mask):
        b, t, d = x.shape
        heads = self.c["heads"]
        q, k, v = self.qkv(x).view(b, t, 3, heads, d // heads).permute(2, 0, 3, 1, 4)
        if rotary is not None:
            cosine, sine = rotary
            q, k = (y * cosine + torch.cat((-y[..., y.shape[-1] // 2:], y[..., :y.shape[-1] // 2]), -1) * sine
                    for y in (q, k))
        q, k, v = (y.reshape(b * heads, t, d // heads) for y in (q, k, v))
        if mask is None:
            scores = torch.bmm(q * self.scale, k.transpose(1, 2))
        else:
            scores = torch.baddbmm(mask, q, k.transpose(1, 2), alpha=self.scale)
        y = torch.bmm(F.softmax(scores, -1), v).view(b, heads, t, d // heads)
        return self.out(y.transpose(1, 2).reshape(b, t, d))

    def feed_forward(self, x):
        return self.down(F.gelu(self.up(x), approximate=self.c["gelu"]))

    def forward(self, x, rotary, mask):
        if self.c["post"]:
            x = self.norm1(x + self.attention(x, rotary, mask))
            return self.norm2(x + self.feed_forward(x))
        x = x + self.attention(self.norm1(x), rotary, mask)
        return x + self.feed_forward(self.norm2(x))


class Model(nn.Module):
    def __init__(self, c):
        super().__init__()
        d, t = c["d"], c["length"]
        self.c = c
        if c["loss"] == "class":
            self.class_token = nn.Parameter(torch.randn(1, 1, d) * 0.02)
            self.patches = nn.Conv2d(CHANNELS, d, PATCH, PATCH)
        else:
            self.tokens = nn.Parameter(torch.randn(c["vocabulary"], d) * 0.02)
        self.positions = None if c["rope"] else nn.Parameter(torch.randn(t, d) * 0.02)
        self.embedding_norm = Norm(d, c["norm_bias"]) if c["embedding_norm"] else None
        self.blocks = nn.ModuleList(Block(c) for _ in range(c["layers"]))
        self.norm = None if c["post"] else Norm(d, c["norm_bias"])
        self.output = None if c["tied"] else nn.Parameter(torch.randn(c["vocabulary"], d) * 0.02)
        self.output_bias = nn.Parameter(torch.zeros(c["vocabulary"])) if c["output_bias"] else None
        self.rotary = self.mask = None
        if c["rope"]:
            width = d // c["heads"]
            angle = torch.outer(torch.arange(t).float(), 10000.0 ** (-torch.arange(0, width, 2).float() / width))
            angle = torch.cat((angle, angle), -1)
            self.rotary = angle.cos(), angle.sin()
        if c["causal"]:
            self.mask = torch.full((t, t), -math.inf).triu(1)

    def forward(self, batch):
        tokens, rows, targets, weights = batch
        if self.c["loss"] == "class":
            x = self.patches(tokens).flatten(2).transpose(1, 2)
            x = torch.cat((self.class_token.expand(len(x), -1, -1), x), 1)
        else:
            x = F.embedding(tokens, self.tokens)
        if self.positions is not None:
            x = x + self.positions
        if self.embedding_norm is not None:
            x = self.embedding_norm(x)
        for block in self.blocks:
            x = block(x, self.rotary, self.mask)
        x = x.reshape(-1, self.c["d"])
        if rows is not None:
            x = x[rows]
        if self.norm is not None:
            x = self.norm(x)
        logits = F.linear(x, self.tokens if self.output is None else self.output, self.output_bias)
        if weights is None:
            return F.cross_entropy(logits, targets)
        return (F.cross_entropy(logits, targets, reduction="none") * weights).sum()


def make_batch(c):
    b, t, v = c["batch"], c["length"], c["vocabulary"]
    if c["loss"] == "class":  # only the row of the class token
        return torch.randn(b, CHANNELS, IMAGE, IMAGE), torch.arange(b) * t, torch.randint(v, (b,)), None
    tokens = torch.randint(v, (b, t))
    if c["loss"] == "next":
        return tokens, None, torch.randint(v, (b * t,)), None
    if c["loss"] == "masked":
        rows = torch.randperm(b * t)[:b * t * 15 // 100].sort().values
        return tokens, rows, torch.randint(v, (len(rows),)), None
    share = (torch.arange(1, b + 1) - torch.rand(b)) / b  # lambda: each sequence samples its own equal part of (0, 1]
    rows = (torch.rand(b, t) < share[:, None]).flatten().nonzero().flatten()
    return tokens, rows, torch.randint(v, (len(rows),)), (1 / (share * b)).repeat_interleave(t)[rows]


def milliseconds(c, seconds):
    torch.manual_seed(0)
    model = Model(c)
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01, foreach=True)
    batches = [make_batch(c) for _ in range(4)]
    spent, processor = [], math.inf
    begin = None
    step = 0
    while begin is None or len(spent) < 10 or time.perf_counter() - begin < seconds:
        start, before = time.perf_counter(), time.process_time()
        if step == 2:  # the first two steps are not counted
            begin = start
        optimiser.zero_grad(set_to_none=True)
        model(batches[step % len(batches)]).backward()
        if c["clip"] > 0:
            nn.utils.clip_grad_norm_(model.parameters(), c["clip"])
        optimiser.step()
        step += 1
        if begin is not None:
            spent.append(1000 * (time.perf_counter() - start))
            processor = min(processor, 1000 * (time.process_time() - before))
    return {"parameters": sum(p.numel() for p in model.parameters()), "milliseconds": spent, "processor_ms": processor}


def product_gflops():
    a, b = torch.randn(1024, 1024), torch.randn(1024, 1024)
    best = math.inf
    for _ in range(20):
        start = time.perf_counter()
        a @ b
        best = min(best, time.perf_counter() - start)
    return 2 * 1024**3 / best / 1e9


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args()
    unknown = set(given.names) - set(CONFIGS)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(CONFIGS)}")
    torch.set_num_threads(given.threads)
    result = {"torch": torch.__version__, "threads": given.threads, "product_gflops": product_gflops()}
    for name in given.names:
        result[name] = milliseconds(CONFIGS[name], given.seconds)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
