#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Open MPI starts N programs, each with a share of a sweep by its rank. They exchange no messages.
#   openmpi.sh PLAN.json FOLDER N [OPTIONS OF MPIRUN…]
set -eu
plan=${1:?name the plan: openmpi.sh PLAN.json FOLDER N}
folder=${2:?name the folder of the sweep: openmpi.sh PLAN.json FOLDER N}
ranks=${3:?say how many programs: openmpi.sh PLAN.json FOLDER N}
shift 3
exec mpirun -np "$ranks" "$@" "${SEPX:-sepx}" sweep "$plan" --run "$folder" --threads 1
