#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# GNU parallel: N programs on this machine, or on others with --sshlogin, each with a share of a sweep.
#   parallel.sh PLAN.json FOLDER N [OPTIONS OF PARALLEL…]
set -eu
plan=${1:?name the plan: parallel.sh PLAN.json FOLDER N}
folder=${2:?name the folder of the sweep: parallel.sh PLAN.json FOLDER N}
shares=${3:?say how many programs: parallel.sh PLAN.json FOLDER N}
shift 3
seq 0 $((shares - 1)) |
  parallel --jobs "$shares" --line-buffer "$@" \
    "${SEPX:-sepx}" sweep "$plan" --run "$folder" --shard "{}/$shares" --threads 1
