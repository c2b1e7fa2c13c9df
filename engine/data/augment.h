// SPDX-License-Identifier: Apache-2.0
// Augmentation of training images [Attention-Structure, C]: random crop and flip of each image, mixup (Zhang et al.
// 2018) or cutmix (Yun et al. 2019) of a batch. Random numbers are drawn from the given stream in a fixed order. Any
// thread.
#pragma once

#include <span>
#include <vector>

#include "engine/core/random.h"
#include "engine/data/images.h"

namespace sepx::data {

struct Augmentation {  ///< how training images vary
  int crop = 0;        ///< each image is shifted by -crop ... crop pixels in both directions, filled with black; 0: off
  bool flip = false;   ///< left and right are swapped with probability 1/2
  double mixup = 0;    ///< alpha of Beta(alpha, alpha); 0: off
  double cutmix = 0;   ///< the same; if both are above 0, each batch takes one of the two with equal probability
  bool any() const { return crop > 0 || flip || mixes(); }
  bool mixes() const { return mixup > 0 || cutmix > 0; }
  bool operator==(const Augmentation&) const = default;
};

/// Beta(alpha, alpha), alpha > 0.
double symmetricBeta(double alpha, RandomStream& random);

/// Crops and flips one image [channels, side, side] in place.
void cropAndFlip(const Augmentation& how, const ImageSize& size, RandomStream& random, std::span<float> image);

/// Mixes each image i of the batch with image j = count - 1 - i; x_i keeps the share `kept`:
///   mixup   kept x_i + (1 - kept) x_j        cutmix   a rectangle of x_j in x_i, kept = 1 - its share of the area
/// Returns `kept`, or 1 if nothing is mixed.
double mixImages(const Augmentation& how, const ImageSize& size, RandomStream& random, std::span<float> images);

}  // namespace sepx::data
