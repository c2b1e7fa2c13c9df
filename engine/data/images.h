// SPDX-License-Identifier: Apache-2.0
// Images with classes. A source of images gives the class as the first token of a sequence (the rest is 0) and the
// pixels separately; both are pure functions of (seed, split, index). Any thread once it is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/data/source.h"

namespace sepx::data {

struct ImageSize {   ///< size of every image of a set
  int side = 0;      ///< pixels, images are square
  int channels = 0;  ///< values per pixel
  /// Number of values of an image.
  std::size_t values() const {
    return static_cast<std::size_t>(side) * static_cast<std::size_t>(side) * static_cast<std::size_t>(channels);
  }
  bool operator==(const ImageSize&) const = default;
};

/// A source of images: the class as a token, and the pixels.
class ImageSource : public Source {
 public:
  virtual ImageSize size() const = 0;  ///< of every image
  /// Fills out [channels, side, side] with image `index` of a split. A byte v becomes 2 v/255 - 1.
  virtual void image(Split split, std::uint64_t index, std::span<float> out) const = 0;

  std::int32_t maskToken() const override { return -1; }
  int sequence(Split split, std::uint64_t index, int length, std::span<std::int32_t> out) const override;
  const ImageSource* images() const override { return this; }

 protected:
  virtual std::int32_t classOf(Split split, std::uint64_t index) const = 0;  ///< label, 0 to classes - 1
};

/// Images of one split as stored in files.
struct LabelledImages {
  std::vector<std::uint8_t> classes;  ///< [count]
  std::vector<std::uint8_t> pixels;   ///< [count, channels, side, side]
};
struct ImageFiles {  ///< contents of the files of a set
  ImageSize size;
  std::vector<std::string> classes;  ///< names of the classes
  LabelledImages train, validation;
};
/// Index i of the training split is image i mod n of pass i / n, and each pass has its own random order. The validation
/// split has one fixed random order.
std::unique_ptr<Source> makeImageSource(std::uint64_t seed, ImageFiles files);

}  // namespace sepx::data
