// SPDX-License-Identifier: Apache-2.0
// Pickles of any kind and the storages after them. No code in a pickle is ever run.
#include "tests/fuzz/look.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sepx::fuzz::openAndLook(sepx::fuzz::lay("model.pkl", {data, size}));
  return 0;
}
