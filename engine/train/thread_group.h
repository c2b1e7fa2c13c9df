// SPDX-License-Identifier: Apache-2.0
// A group whose ranks are threads of one process, for testing a shared run without MPI. Each member belongs to the
// thread that calls it; destroying it means that its rank has left.
#pragma once

#include <memory>
#include <vector>

#include "engine/train/process_group.h"

namespace sepx::train {

/// Returns ranks 0 to `size` - 1. Sums are computed in the order of the ranks.
std::vector<std::unique_ptr<ProcessGroup>> makeThreadGroup(int size);

}  // namespace sepx::train
