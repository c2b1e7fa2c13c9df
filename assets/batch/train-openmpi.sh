#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Open MPI starts N programs that train one run together: each works on its part of every batch. A run that is there
# already goes on, also with another N. When mpirun is stopped or a program has ended, mpirun waits the seconds of
# OMPI_MCA_odls_base_sigkill_timeout before it asks the others to end, and as long again until it kills them: time to save.
#   train-openmpi.sh CONFIG FOLDER N [OPTIONS OF MPIRUN…]
set -eu
config=${1:?name the config: train-openmpi.sh CONFIG FOLDER N}
folder=${2:?name the folder of the run: train-openmpi.sh CONFIG FOLDER N}
ranks=${3:?say how many programs: train-openmpi.sh CONFIG FOLDER N}
shift 3
resume=
[ ! -e "$folder/run.sqlite" ] || resume=--resume
export OMPI_MCA_odls_base_sigkill_timeout="${OMPI_MCA_odls_base_sigkill_timeout:-5}"
exec mpirun -np "$ranks" --bind-to none "$@" \
  "${SEPX:-sepx}" train "$config" --run "$folder" --mpi $resume
