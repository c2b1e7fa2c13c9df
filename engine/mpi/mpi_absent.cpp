// SPDX-License-Identifier: Apache-2.0
// Implements mpi_session.h for builds without MPI.
#include "engine/mpi/mpi_session.h"

namespace sepx::mpi {

bool built() {
  return false;
}

std::string version() {
  return {};
}

Result<std::unique_ptr<Session>> Session::start() {
  return fail(ErrorKind::Usage,
              "this program was built without MPI; install libopenmpi-dev and openmpi-bin, then build it again");
}

}  // namespace sepx::mpi
