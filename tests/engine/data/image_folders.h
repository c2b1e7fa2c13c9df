// SPDX-License-Identifier: Apache-2.0
// Small folders of images with known pixels, in the formats that the program reads. Test code only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/core/random.h"

namespace sepx::test {

inline void writeBytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Records of the binary version of CIFAR-10: noise, and for class k < 9 a bright square in cell k of a 3 x 3 grid.
inline std::string cifarRecords(int count, std::uint64_t seed) {
  RandomStream random(seed, 32);
  std::string bytes;
  for (int i = 0; i < count; ++i) {
    const int label = static_cast<int>(random.below(10));
    bytes += static_cast<char>(label);
    for (int c = 0; c < 3; ++c)
      for (int y = 0; y < 32; ++y)
        for (int x = 0; x < 32; ++x) {
          const bool bright = label < 9 && y / 11 == label / 3 && x / 11 == label % 3;
          bytes += static_cast<char>(random.below(100) + (bright ? 150 : 0));
        }
  }
  return bytes;
}

/// The six files of CIFAR-10 with `count` images each.
inline void writeCifar10(const std::filesystem::path& folder, int count) {
  std::filesystem::create_directories(folder);
  for (int i = 1; i <= 5; ++i)
    writeBytes(folder / ("data_batch_" + std::to_string(i) + ".bin"),
               cifarRecords(count, static_cast<std::uint64_t>(i)));
  writeBytes(folder / "test_batch.bin", cifarRecords(count, 6));
}

inline std::string idxBytes(const std::vector<std::uint32_t>& sizes, const std::string& values) {
  std::string bytes{0, 0, 8, static_cast<char>(sizes.size())};
  for (const std::uint32_t size : sizes)
    for (const int shift : {24, 16, 8, 0})
      bytes += static_cast<char>(size >> shift & 255U);
  return bytes + values;
}

/// The four files of MNIST: `count` training images of 8 x 8 pixels and half as many for testing. Image i has class i
/// mod 3, and all its bytes are i.
inline void writeIdx(const std::filesystem::path& folder, std::uint32_t count) {
  std::filesystem::create_directories(folder);
  for (const auto& [split, images] : {std::pair{"train", count}, {"t10k", count / 2}}) {
    std::string pixels, classes;
    for (std::uint32_t i = 0; i < images; ++i) {
      pixels += std::string(64, static_cast<char>(i));
      classes += static_cast<char>(i % 3);
    }
    writeBytes(folder / (std::string(split) + "-images-idx3-ubyte"), idxBytes({images, 8, 8}, pixels));
    writeBytes(folder / (std::string(split) + "-labels-idx1-ubyte"), idxBytes({images}, classes));
  }
}

}  // namespace sepx::test
