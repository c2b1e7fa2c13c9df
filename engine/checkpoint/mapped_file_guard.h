// SPDX-License-Identifier: Apache-2.0
// If another program truncates a mapped file (such as a training run that overwrites its checkpoint), the system sends
// SIGBUS when a missing page is accessed, which ends the process. The handler installed here replaces the missing page
// by zeros and marks the map, so that its owner can refuse what was read. Private to mapped_file; any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sepx::checkpoint {

/// Starts to watch [begin, begin + length). Returns the number of the watch, or -1 if there are too many; the map is
/// then used without a watch.
int watchMap(const void* begin, std::size_t length);
/// Ends the watch. Call this before the map is removed.
void unwatchMap(int watch);
/// Whether a page of the map was missing when it was read.
bool mapWasTruncated(int watch);

}  // namespace sepx::checkpoint
