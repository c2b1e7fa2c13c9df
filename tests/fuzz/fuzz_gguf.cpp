// SPDX-License-Identifier: Apache-2.0
// Key-values and tensors of GGUF, its vocabulary and its blocks.
#include "tests/fuzz/look.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sepx::fuzz::openAndLook(sepx::fuzz::lay("model.gguf", {data, size}));
  return 0;
}
