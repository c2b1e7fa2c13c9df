#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The peer of sepx::markov::flowBatch in XPPAUT: solves the gradient flow of (e,w) in time with XPPAUT's Dormand-Prince
8(3), until it is at rest. Each trajectory is one silent run; two run at a time. The time of a run with almost no
trajectory is measured and subtracted. Usage: `flow_xppaut.py STARTS`, with the file that flow_scipy.py reads. XPPAUT
writes eight digits, so its tolerance requires no more. Prints one JSON document."""
import concurrent.futures
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

SAMPLE, TOLERANCE, AT_REST, MOST_TIME = 60, 1e-11, 1e-9, 1e4
MODEL = """par p={p!r},q={q!r}
v=1+2*w*abs(w)
s=e*e*v
k=(p-q)*exp(-s/2)/(2*sqrt(p*q))
c=-s/2+log(p/q)/2+log(k+sqrt(k*k+1))
slope=-(q/(p+q))*(1/(1+exp(-c))-p)
e'=-slope*2*e*v
w'=-slope*4*e*e*abs(w)
init e={e!r},w={w!r}
global 1 {{{rest!r}-abs(slope*e)*sqrt(4*v*v+16*e*e*w*w)}} {{arret=1}}
@ total={total!r},dt=5,meth=83dp,tol={tolerance!r},atol={tolerance!r},maxstor=100000,bound=1000,output=out.dat
done
"""


def run(p, q, row, total):
    """The time of one run in seconds, and its last point."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "flow.ode"), "w", encoding="ascii") as out:
            out.write(MODEL.format(p=p, q=q, e=row[0], w=row[1], rest=AT_REST, total=total, tolerance=TOLERANCE))
        start = time.perf_counter()
        subprocess.run(["xppaut", "flow.ode", "-silent"], cwd=folder, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=60, check=False)
        spent = time.perf_counter() - start
        with open(os.path.join(folder, "out.dat"), encoding="ascii") as result:
            last = result.read().split("\n")[-2].split()
        return spent, (float(last[1]), float(last[2]))


def main():
    if shutil.which("xppaut") is None:
        json.dump("not measured: xppaut is not installed", sys.stdout)
        return
    with open(sys.argv[1], encoding="ascii") as source:
        rows = [tuple(map(float, line.split())) for line in source]
    p, q = rows[0][:2]
    rows = rows[1:SAMPLE + 1]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        empty = statistics.median(spent for spent, _ in pool.map(lambda row: run(p, q, row, 5), rows))
        start = time.perf_counter()
        runs = list(pool.map(lambda row: run(p, q, row, MOST_TIME), rows))
        wall = time.perf_counter() - start
    errors = sorted(math.hypot(end[0] - row[2], end[1] - row[3]) for (_, end), row in zip(runs, rows))
    own = max(sum(spent - empty for spent, _ in runs) / 2, 1e-9)
    json.dump({
        "trajectories": len(rows),
        "flow in time, start of the program left out": {
            "trajectories_per_second": len(rows) / own,
            "tolerance": TOLERANCE,
            "median end error": errors[len(errors) // 2],
            "end error, 9 of 10": errors[len(errors) * 9 // 10],
            "given up by XPPAUT": sum(error > 1e-2 for error in errors),
        },
        "with the start of the program": {"trajectories_per_second": len(rows) / wall},
    }, sys.stdout)


if __name__ == "__main__":
    main()
