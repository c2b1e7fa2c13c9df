// SPDX-License-Identifier: Apache-2.0
// A mapped file that another program cuts off (a training run that saves over its checkpoint) ends the process that
// touches what is gone: the system sends SIGBUS. Here the signal puts zeros in the place of the missing page and marks
// the map, so that its owner can refuse what was read. Private to mapped_file; any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sepx::checkpoint {

/// Watches [begin, begin + length) from now on. The number of the watch, or -1 when there are too many; then the map is
/// used unwatched.
int watchMap(const void* begin, std::size_t length);
/// Before the map is taken away.
void unwatchMap(int watch);
/// Whether a page of it was missing when somebody read it.
bool mapWasCut(int watch);

}  // namespace sepx::checkpoint
