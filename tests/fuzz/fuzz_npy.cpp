// SPDX-License-Identifier: Apache-2.0
// The header of npy arrays, which is text.
#include "tests/fuzz/look.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sepx::fuzz::openAndLook(sepx::fuzz::lay("array.npy", {data, size}));
  return 0;
}
