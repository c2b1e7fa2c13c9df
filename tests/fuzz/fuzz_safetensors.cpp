// SPDX-License-Identifier: Apache-2.0
// The header of safetensors files, and the tensors that it lists.
#include "tests/fuzz/look.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sepx::fuzz::openAndLook(sepx::fuzz::lay("model.safetensors", {data, size}));
  return 0;
}
