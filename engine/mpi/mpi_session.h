// SPDX-License-Identifier: Apache-2.0
// MPI for the life of a program: the processes that mpirun started, as a group that trains one run. Two sources: with
// MPI (mpi_session.cpp), and without it where the build found none (mpi_absent.cpp). One session in a process.
#pragma once

#include <memory>
#include <string>

#include "engine/core/result.h"
#include "engine/train/process_group.h"

namespace sepx::mpi {

/// Whether this program was built with MPI.
bool built();
/// "Open MPI v4.1.4"; empty where it was not built.
std::string version();

class Session {  ///< MPI from its start to its end, once a process
 public:
  /// Usage where MPI was not built. A program that mpirun did not start is a group of one rank. Where MPI itself cannot
  /// start it prints why and ends the program.
  static Result<std::unique_ptr<Session>> start();
  virtual ~Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Its calls may come from another thread than start(), from one at a time. It lives as long as the session. Where it
  /// is broken, MPI is not ended in order at the end of the session, which would wait for a rank that is gone.
  virtual train::ProcessGroup& group() = 0;
  /// Cores that fall to this rank: those that it is bound to, each divided among the ranks of this machine that are
  /// bound to it too. At least 1.
  virtual int cores() const = 0;

 protected:
  Session() = default;
};

}  // namespace sepx::mpi
