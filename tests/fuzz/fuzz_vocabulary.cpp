// SPDX-License-Identifier: Apache-2.0
// The vocabulary next to well-formed weights. The first byte selects the file that the other bytes become.
#include <array>

#include "tests/fuzz/look.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sepx::fuzz;
  if (size == 0) return 0;
  constexpr std::array kNames{"tokenizer.json", "vocab.json", "vocab.txt", "tok512.bin"};
  const char* const name = kNames[data[0] % kNames.size()];
  static const std::string weights = [] {
    const std::string file("\2\0\0\0\0\0\0\0{}", 10);
    return lay("model.safetensors", {reinterpret_cast<const std::uint8_t*>(file.data()), file.size()});
  }();
  lay(name, {data + 1, size - 1});
  openAndLook(weights);
  clear(name);
  return 0;
}
