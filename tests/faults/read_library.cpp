// SPDX-License-Identifier: Apache-2.0
// read_library FOLDER INDEX: reads the runs in FOLDER as the library of a window does, through INDEX, and prints one
// line for each. For `sweep`, because no verb of sepx uses the index.
#include <cstdio>
#include <new>

#include <fmt/core.h>

#include "engine/core/file.h"
#include "engine/core/resource_limits.h"
#include "engine/train/run_library.h"

int main(int count, char** arguments) try {
  sepx::ignoreFileSizeSignal();
  sepx::installOutOfMemoryHandler();
  if (count != 3) {
    std::fputs("read_library: pass a folder of runs and the file of the index\n", stderr);
    return 2;
  }
  for (const auto& run : sepx::train::readLibrary(arguments[1], {.cache = arguments[2]}))
    fmt::print("{} {} {} {}\n", run->folder, sepx::train::toString(run->record.state), run->record.step, run->failure);
  return 0;
} catch (const std::bad_alloc&) {
  sepx::exitOutOfMemory();
}
