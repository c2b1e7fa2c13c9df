#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The peer of sepx::markov::flowBatch: solves the gradient flow of the canonical (e,w) model to its limit with SciPy's
solve_ivp and DOP853, in two processes. It solves both forms: the flow in time until it is at rest, and the orbit
equation of sepx, whose end is located as an event. Usage: `flow_scipy.py STARTS`; the file has a line of p q S_star,
then lines of e w e_end w_end. Prints one JSON document. The tolerance is the loosest of a few at which 99 of 100 end
points are within 1e-9."""
import json
import math
import multiprocessing
import sys
import time

import scipy
from scipy.integrate import solve_ivp

AT_REST, MOST_TIME, WANTED, SAMPLE = 1e-11, 1e4, 1e-9, 200

with open(sys.argv[1], encoding="ascii") as source:
    ROWS = [tuple(map(float, line.split())) for line in source]
P, Q, S_STAR = ROWS[0]
PI0 = Q / (P + Q)


def in_time(_, x):
    e, w = x
    v = 1 + 2 * w * abs(w)
    s = e * e * v
    c = -s / 2 + math.log(P / Q) / 2 + math.asinh((P - Q) * math.exp(-s / 2) / (2 * math.sqrt(P * Q)))
    slope = -PI0 * (1 / (1 + math.exp(-c)) - P)
    return (-slope * 2 * e * v, -slope * 4 * e * e * abs(w))


def at_rest(t, x):
    return math.hypot(*in_time(t, x)) - AT_REST


at_rest.terminal = True


def solve_in_time(e, w, tolerance):
    found = solve_ivp(in_time, (0, MOST_TIME), (e, w), method="DOP853", rtol=tolerance, atol=tolerance, events=at_rest)
    return found.y[0, -1], found.y[1, -1]


def solve_orbit(e, w, tolerance):
    def reduced(x):
        return x[0] * x[0] * (1 + 2 * x[1] * abs(x[1]))

    direction = (-1 if reduced((e, w)) > S_STAR else 1) * (-1 if e < 0 else 1)

    def field(_, x):
        return (direction * 2 * (1 + 2 * x[1] * abs(x[1])), direction * 4 * x[0] * abs(x[1]))

    def on_star(_, x):
        return reduced(x) - S_STAR

    def on_axis(_, x):
        return x[0]

    on_star.terminal = on_axis.terminal = True
    found = solve_ivp(field, (0, 1e6), (e, w), method="DOP853", rtol=max(tolerance, 3e-14), atol=tolerance,
                      events=(on_star, on_axis))
    return found.y[0, -1], found.y[1, -1]


def error(task):
    solve, row, tolerance = task
    e, w = solve(row[0], row[1], tolerance)
    return math.hypot(e - row[2], w - row[3])


def measure(pool, solve):
    rows = ROWS[1:SAMPLE + 1]
    for tolerance in (1e-9, 1e-10, 1e-11, 1e-12, 1e-13):
        start = time.perf_counter()
        errors = sorted(pool.map(error, [(solve, row, tolerance) for row in rows], chunksize=10))
        spent = time.perf_counter() - start
        if errors[len(errors) * 99 // 100] <= WANTED or tolerance == 1e-13:
            return {
                "trajectories_per_second": len(rows) / spent,
                "tolerance": tolerance,
                "median end error": errors[len(errors) // 2],
                "end error, 99 of 100": errors[len(errors) * 99 // 100],
                "largest end error": errors[-1],
            }
    return None


if __name__ == "__main__":
    with multiprocessing.Pool(2) as workers:
        workers.map(math.sqrt, range(100))
        json.dump({
            "scipy": scipy.__version__,
            "trajectories": SAMPLE,
            "flow in time": measure(workers, solve_in_time),
            "our orbit equation": measure(workers, solve_orbit),
        }, sys.stdout)
