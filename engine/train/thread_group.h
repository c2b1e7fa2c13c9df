// SPDX-License-Identifier: Apache-2.0
// A group whose ranks are threads of one process: how the protocol of a shared run is tested without MPI. Each member
// belongs to the thread that calls it; a member that is destroyed is a rank that is gone.
#pragma once

#include <memory>
#include <vector>

#include "engine/train/process_group.h"

namespace sepx::train {

/// Ranks 0 to `size` - 1. Sums are in the order of the ranks.
std::vector<std::unique_ptr<ProcessGroup>> makeThreadGroup(int size);

}  // namespace sepx::train
