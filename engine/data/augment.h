// SPDX-License-Identifier: Apache-2.0
// What training does to images [Attention-Structure, C]: random crop and flip of each, mixup (Zhang et al. 2018) or
// cutmix (Yun et al. 2019) of a batch. Draws come from the stream given, in a fixed order. Any thread.
#pragma once

#include <span>
#include <vector>

#include "engine/core/random.h"
#include "engine/data/images.h"

namespace sepx::data {

struct Augmentation {  ///< how training images vary
  int crop = 0;        ///< each image is moved by -crop ... crop pixels both ways, black where it came from; 0: not
  bool flip = false;   ///< left and right change places, with a chance of 1/2
  double mixup = 0;    ///< alpha of Beta(alpha, alpha); 0: not
  double cutmix = 0;   ///< the same; where both are above 0 each batch takes one of the two, alike likely
  bool any() const { return crop > 0 || flip || mixes(); }
  bool mixes() const { return mixup > 0 || cutmix > 0; }
  bool operator==(const Augmentation&) const = default;
};

/// Beta(alpha, alpha), alpha > 0.
double symmetricBeta(double alpha, RandomStream& random);

/// One image [channels, side, side] in place.
void cropAndFlip(const Augmentation& how, const ImageSize& size, RandomStream& random, std::span<float> image);

/// Image i of the batch becomes part of image count - 1 - i: a share `kept` of it stays,
///   mixup   kept x_i + (1 - kept) x_j        cutmix   a rectangle of x_j in x_i, kept = 1 - its area / that of all
/// Returns `kept`, 1 where nothing is mixed.
double mixImages(const Augmentation& how, const ImageSize& size, RandomStream& random, std::span<float> images);

}  // namespace sepx::data
