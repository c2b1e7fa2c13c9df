// SPDX-License-Identifier: Apache-2.0
// MPI for the lifetime of a program: the processes that mpirun started form a group that trains one run. There are two
// implementations: with MPI (mpi_session.cpp), and without it for builds that found none (mpi_absent.cpp). One session
// per process.
#pragma once

#include <memory>
#include <string>

#include "engine/core/result.h"
#include "engine/train/process_group.h"

namespace sepx::mpi {

/// Whether this program was built with MPI.
bool built();
/// "Open MPI v4.1.4"; empty in builds without MPI.
std::string version();

class Session {  ///< MPI from its initialisation to its end, once per process
 public:
  /// Usage in builds without MPI, or if MPI does not support the required threads. A program that mpirun did not start
  /// is a group of one rank. If MPI itself cannot start, it prints the reason and ends the program.
  static Result<std::unique_ptr<Session>> start();
  virtual ~Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// It may be called from a thread other than that of start(), but by one thread at a time. It lives as long as the
  /// session. If it is broken, the session does not finalise MPI at its end, which would wait for a rank that is gone.
  virtual train::ProcessGroup& group() = 0;
  /// Number of cores for this rank: the cores that it is bound to, each divided by the number of ranks of this machine
  /// that are bound to it. Rounded down, at least 1.
  virtual int cores() const = 0;

 protected:
  Session() = default;
};

}  // namespace sepx::mpi
