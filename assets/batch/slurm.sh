#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An array job of Slurm: each task trains its share of a sweep. The folder lies where all nodes see it. Adapt time,
# memory and partition to the cluster, and the array to the number of tasks; then
#   sbatch slurm.sh PLAN.json FOLDER
# A job that was stopped goes on when it is submitted again.
#SBATCH --job-name=sepx-sweep
#SBATCH --array=0-7
#SBATCH --cpus-per-task=4
#SBATCH --mem=4G
#SBATCH --time=04:00:00
#SBATCH --signal=TERM@60
#SBATCH --output=%x-%A-%a.log
set -eu
plan=${1:?name the plan: sbatch slurm.sh PLAN.json FOLDER}
folder=${2:?name the folder of the sweep: sbatch slurm.sh PLAN.json FOLDER}
exec "${SEPX:-sepx}" sweep "$plan" --run "$folder" --threads "${SLURM_CPUS_PER_TASK:-1}"
