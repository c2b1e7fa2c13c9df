#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A job of Slurm whose tasks train one run together: each works on its part of every batch. The folder of the run lies
# where the first node sees it, the data where all do. Adapt tasks, cores and time to the cluster; then
#   sbatch train-slurm.sh CONFIG FOLDER
# A job that was stopped goes on when it is submitted again, also with another number of tasks.
#SBATCH --job-name=sepx-train
#SBATCH --ntasks=8
#SBATCH --cpus-per-task=4
#SBATCH --mem-per-cpu=1G
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@120
#SBATCH --output=%x-%j.log
set -eu
config=${1:?name the config: sbatch train-slurm.sh CONFIG FOLDER}
folder=${2:?name the folder of the run: sbatch train-slurm.sh CONFIG FOLDER}
resume=
[ ! -e "$folder/run.sqlite" ] || resume=--resume
# Seconds until mpirun asks the programs to end, and as many again until it kills them: time to save.
export OMPI_MCA_odls_base_sigkill_timeout="${OMPI_MCA_odls_base_sigkill_timeout:-30}"
exec mpirun -np "${SLURM_NTASKS:-1}" --bind-to none \
  "${SEPX:-sepx}" train "$config" --run "$folder" --mpi --threads "${SLURM_CPUS_PER_TASK:-1}" $resume
