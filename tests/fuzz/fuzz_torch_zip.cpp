// SPDX-License-Identifier: Apache-2.0
// The zip archives of PyTorch: the archive itself or, if the first byte is odd, the pickle in a well-formed archive.
#include "tests/fuzz/look.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sepx::fuzz;
  if (size == 0) return 0;
  const std::span<const std::uint8_t> rest(data + 1, size - 1);
  if (data[0] % 2 == 0) {
    openAndLook(lay("model.pt", rest));
    return 0;
  }
  const std::string storage(256, '\x3C');
  const std::string bytes = StoredZip()
                                .add("model/data.pkl", {reinterpret_cast<const char*>(rest.data()), rest.size()})
                                .add("model/data/0", storage)
                                .add("model/data/1", storage)
                                .add("model/version", "3\n")
                                .bytes();
  openAndLook(lay("model.pt", {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}));
  return 0;
}
