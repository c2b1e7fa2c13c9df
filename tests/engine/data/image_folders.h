// SPDX-License-Identifier: Apache-2.0
// Small folders of images in the formats that the program reads, with known pixels. Test code only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/data/images.h"
#include "engine/data/shapes.h"

namespace sepx::test {

inline void writeBytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Records of CIFAR-10's binary version: generated figures of 32 pixels, the figure's number as the class.
inline std::string cifarRecords(int count, std::uint64_t seed) {
  const auto shapes = data::makeShapes(seed, 32, 0.05);
  const data::ImageSource& images = *shapes->images();
  std::string bytes;
  std::vector<float> pixels(images.size().values());
  std::vector<std::int32_t> token(1);
  for (int i = 0; i < count; ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    images.sequence(data::Split::Train, index, 1, token);
    images.image(data::Split::Train, index, pixels);
    bytes += static_cast<char>(token[0]);
    for (const float value : pixels)
      bytes += static_cast<char>(static_cast<std::uint8_t>(std::clamp((value + 1) * 127.5F, 0.0F, 255.0F)));
  }
  return bytes;
}

/// The six files of CIFAR-10, `count` images in each.
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

/// MNIST's four files: `count` training images of 8 x 8 pixels, half as many for testing; image i is of class i mod 3
/// and all its bytes are i.
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
