// SPDX-License-Identifier: Apache-2.0
// llama2.c: a header. If the model of the header is small, the file is extended to the size of that model, so that the
// weights are read and the file is not only refused.
#include <algorithm>
#include <vector>

#include "engine/checkpoint/llama2c_header.h"
#include "tests/fuzz/look.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sepx;
  std::vector<std::uint8_t> bytes(data, data + size);
  const auto head = std::as_bytes(std::span(data, std::min<std::size_t>(size, 256)));
  constexpr std::uint64_t kLittle = 1 << 18;
  if (const auto header = checkpoint::llama2cHeader(head); header && size % 2 == 0) {
    if (const std::uint64_t wanted = checkpoint::bytesOf(*header); wanted < kLittle) bytes.resize(wanted, 0x3C);
  }
  fuzz::openAndLook(fuzz::lay("model.bin", bytes));
  return 0;
}
