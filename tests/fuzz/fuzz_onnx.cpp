// SPDX-License-Identifier: Apache-2.0
// ONNX models, which are protobuf messages.
#include "tests/fuzz/look.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sepx::fuzz::openAndLook(sepx::fuzz::lay("model.onnx", {data, size}));
  return 0;
}
