// SPDX-License-Identifier: Apache-2.0
// The zip archives of NumPy: the archive itself or, if the first byte is odd, an array in a well-formed archive.
#include "tests/fuzz/look.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sepx::fuzz;
  if (size == 0) return 0;
  const std::span<const std::uint8_t> rest(data + 1, size - 1);
  if (data[0] % 2 == 0) {
    openAndLook(lay("model.npz", rest));
    return 0;
  }
  const std::string bytes = StoredZip().add("a.npy", {reinterpret_cast<const char*>(rest.data()), rest.size()}).bytes();
  openAndLook(lay("model.npz", {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}));
  return 0;
}
