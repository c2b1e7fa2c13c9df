// SPDX-License-Identifier: Apache-2.0
// GGUF: key-value pairs, tensors, vocabulary and quantised blocks.
#include "tests/fuzz/look.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sepx::fuzz::openAndLook(sepx::fuzz::lay("model.gguf", {data, size}));
  return 0;
}
