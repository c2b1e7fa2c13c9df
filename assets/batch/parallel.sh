#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# GNU parallel: N programs on this machine, or on others with --sshlogin, each with a share of a sweep.
#   parallel.sh PLAN.json FOLDER N [OPTIONS OF PARALLEL…]
set -eu
plan=${1:?name the plan: parallel.sh PLAN.json FOLDER N}
folder=${2:?name the folder of the sweep: parallel.sh PLAN.json FOLDER N}
shares=${3:?say how many programs: parallel.sh PLAN.json FOLDER N}
shift 3
# GNU parallel takes {} and the like out of the words of a command and gives the rest to a shell as one line, so that a
# name with blanks or signs in it would be read as something else. The line therefore names variables alone, which --env
# copies to other machines.
export SEPX_BATCH_PROGRAM="${SEPX:-sepx}" SEPX_BATCH_PLAN="$plan" SEPX_BATCH_FOLDER="$folder" SEPX_BATCH_SHARES="$shares"
seq 0 $((shares - 1)) |
  parallel --jobs "$shares" --line-buffer \
    --env SEPX_BATCH_PROGRAM --env SEPX_BATCH_PLAN --env SEPX_BATCH_FOLDER --env SEPX_BATCH_SHARES "$@" \
    'exec "$SEPX_BATCH_PROGRAM" sweep "$SEPX_BATCH_PLAN" --run "$SEPX_BATCH_FOLDER" --shard {}/"$SEPX_BATCH_SHARES" --threads 1'
