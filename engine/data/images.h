// SPDX-License-Identifier: Apache-2.0
// Images with classes. A source of images gives the class as the first token of a sequence (the rest is 0) and the
// pixels beside it; both are pure functions of (seed, split, index). Any thread once it is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/data/source.h"

namespace sepx::data {

struct ImageSize {   ///< of every image of a set
  int side = 0;      ///< pixels, images are square
  int channels = 0;  ///< numbers of a pixel
  /// Numbers of an image.
  std::size_t values() const {
    return static_cast<std::size_t>(side) * static_cast<std::size_t>(side) * static_cast<std::size_t>(channels);
  }
  bool operator==(const ImageSize&) const = default;
};

/// What a source of images has besides Source.
class ImageSource : public Source {
 public:
  virtual ImageSize size() const = 0;  ///< of every image
  /// Fills out [channels, side, side] with image `index` of a split, a byte v as 2 v/255 - 1.
  virtual void image(Split split, std::uint64_t index, std::span<float> out) const = 0;

  std::int32_t maskToken() const override { return -1; }
  int sequence(Split split, std::uint64_t index, int length, std::span<std::int32_t> out) const override;
  const ImageSource* images() const override { return this; }

 protected:
  virtual std::int32_t classOf(Split split, std::uint64_t index) const = 0;  ///< label, 0 to classes - 1
};

/// Images of one split as files hold them.
struct LabelledImages {
  std::vector<std::uint8_t> classes;  ///< [count]
  std::vector<std::uint8_t> pixels;   ///< [count, channels, side, side]
};
struct ImageFiles {  ///< what files of a set hold
  ImageSize size;
  std::vector<std::string> classes;  ///< names
  LabelledImages train, validation;
};
/// Index i of the training split is image i mod n of pass i / n, each pass in an order of its own; the validation
/// split stands in one fixed mixed order.
std::unique_ptr<Source> makeImageSource(std::uint64_t seed, ImageFiles files);

}  // namespace sepx::data
