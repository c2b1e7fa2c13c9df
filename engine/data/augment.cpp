// SPDX-License-Identifier: Apache-2.0
#include "engine/data/augment.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sepx::data {
namespace {

/// Gamma(alpha, 1) by Marsaglia and Tsang's method; for alpha < 1 as Gamma(alpha + 1) u^(1/alpha).
double gammaDraw(double alpha, RandomStream& random) {
  if (alpha < 1) {
    const double more = gammaDraw(alpha + 1, random);
    return more * std::pow(1 - random.uniform(), 1 / alpha);
  }
  const double d = alpha - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double z = random.normal(), v = std::pow(1 + c * z, 3);
    if (v <= 0) continue;
    if (std::log(1 - random.uniform()) < z * z / 2 + d - d * v + d * std::log(v)) return d * v;
  }
}

/// Mixup of a and b, in place.
void blend(double kept, std::span<float> a, std::span<float> b) {
  const float share = static_cast<float>(kept);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float x = a[i], y = b[i];
    a[i] = share * x + (1 - share) * y;
    b[i] = share * y + (1 - share) * x;
  }
}

struct Rectangle {
  int left = 0, right = 0, top = 0, bottom = 0;  ///< half-open
};

/// A square of about the share `area` of the image with a random centre, clipped to the image.
Rectangle drawRectangle(double area, int side, RandomStream& random) {
  const int half = static_cast<int>(std::lround(side * std::sqrt(area) / 2));
  const auto middle = [&] { return static_cast<int>(random.below(static_cast<std::uint64_t>(side))); };
  const int x = middle(), y = middle();
  return {std::max(x - half, 0), std::min(x + half, side), std::max(y - half, 0), std::min(y + half, side)};
}

void swapRectangle(const Rectangle& box, const ImageSize& size, std::span<float> a, std::span<float> b) {
  if (a.data() == b.data()) return;
  for (int c = 0; c < size.channels; ++c)
    for (int row = box.top; row < box.bottom; ++row) {
      const auto first = static_cast<std::ptrdiff_t>((c * size.side + row) * size.side);
      std::swap_ranges(a.begin() + first + box.left, a.begin() + first + box.right, b.begin() + first + box.left);
    }
}

}  // namespace

double symmetricBeta(double alpha, RandomStream& random) {
  const double a = gammaDraw(alpha, random), b = gammaDraw(alpha, random);
  // If alpha is so small that both underflow to 0, the result is 0 or 1 at random.
  return a + b > 0 ? a / (a + b) : (random.next32() & 1) != 0 ? 1 : 0;
}

void cropAndFlip(const Augmentation& how, const ImageSize& size, RandomStream& random, std::span<float> image) {
  int right = 0, down = 0;
  if (how.crop > 0) {
    const auto span = static_cast<std::uint64_t>(2 * how.crop + 1);
    right = static_cast<int>(random.below(span)) - how.crop;
    down = static_cast<int>(random.below(span)) - how.crop;
  }
  const bool mirrored = how.flip && (random.next32() & 1) != 0;
  if (right == 0 && down == 0 && !mirrored) return;
  constexpr float kBlack = -1;
  const std::vector<float> from(image.begin(), image.end());
  const auto at = [&](int c, int row, int column) {
    const bool inside = row >= 0 && row < size.side && column >= 0 && column < size.side;
    return inside ? from[static_cast<std::size_t>((c * size.side + row) * size.side + column)] : kBlack;
  };
  float* to = image.data();
  for (int c = 0; c < size.channels; ++c)
    for (int row = 0; row < size.side; ++row)
      for (int column = 0; column < size.side; ++column)
        *to++ = at(c, row - down, (mirrored ? size.side - 1 - column : column) - right);
}

double mixImages(const Augmentation& how, const ImageSize& size, RandomStream& random, std::span<float> images) {
  if (!how.mixes()) return 1;
  const bool both = how.mixup > 0 && how.cutmix > 0;
  const bool cut = both ? (random.next32() & 1) != 0 : how.cutmix > 0;
  double kept = symmetricBeta(cut ? how.cutmix : how.mixup, random);
  Rectangle box;
  if (cut) {
    box = drawRectangle(1 - kept, size.side, random);
    kept = 1 - static_cast<double>((box.right - box.left) * (box.bottom - box.top)) / (size.side * size.side);
  }
  const std::size_t values = size.values(), count = images.size() / values;
  for (std::size_t i = 0; i < (count + 1) / 2; ++i) {
    const auto a = images.subspan(i * values, values), b = images.subspan((count - 1 - i) * values, values);
    if (cut)
      swapRectangle(box, size, a, b);
    else if (a.data() != b.data())
      blend(kept, a, b);
  }
  return kept;
}

}  // namespace sepx::data
