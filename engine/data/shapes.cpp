// SPDX-License-Identifier: Apache-2.0
#include "engine/data/shapes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/data/images.h"
#include "engine/data/sequence_stream.h"

namespace sepx::data {
namespace {

constexpr std::array<const char*, kShapeClasses> kNames{"disc",     "ring", "square", "frame",
                                                        "triangle", "plus", "cross",  "stripes"};

double square(double u, double v) {
  return std::max(std::abs(u), std::abs(v)) - 0.85;
}
double plus(double u, double v) {
  return std::max(std::min(std::abs(u), std::abs(v)) - 0.3, std::max(std::abs(u), std::abs(v)) - 1);
}

/// Approximate signed distance to the edge, negative inside the figure, which lies in [-1, 1]^2; u points right, v
/// down.
double outside(std::int32_t figure, double u, double v) {
  const double r = std::hypot(u, v);
  switch (figure) {
    case 0:
      return r - 0.95;
    case 1:
      return std::abs(r - 0.7) - 0.22;
    case 2:
      return square(u, v);
    case 3:
      return std::abs(square(u, v) + 0.2) - 0.2;
    case 4:
      return std::max(v - 0.8, 2 * std::abs(u) - v - 1) * 0.6;
    case 5:
      return plus(u, v);
    case 6:
      return plus((u + v) * std::sqrt(0.5), (u - v) * std::sqrt(0.5));
    default:
      return std::max(std::abs(std::abs(v) - 0.55) - 0.28, std::abs(u) - 0.95);
  }
}

class Shapes final : public ImageSource {
 public:
  Shapes(std::uint64_t seed, int side, double noise) : seed_(seed), side_(side), noise_(noise) {}

  int vocabulary() const override { return kShapeClasses; }
  std::string word(std::int32_t token) const override { return kNames[static_cast<std::size_t>(token)]; }
  ImageSize size() const override { return {side_, 3}; }
  void image(Split split, std::uint64_t index, std::span<float> out) const override {
    RandomStream random = sequenceStream(seed_, split, index);
    const std::int32_t figure = anyFigure(random);
    std::array<double, 3> ink{}, paper{};
    do {
      for (std::size_t c = 0; c < 3; ++c)
        ink[c] = random.uniform(-1, 1), paper[c] = random.uniform(-1, 1);
    } while (std::hypot(ink[0] - paper[0], ink[1] - paper[1], ink[2] - paper[2]) < 0.8);
    const double size = side_ * random.uniform(0.24, 0.4);
    const double x = side_ / 2.0 + random.uniform(-1, 1) * (side_ / 2.0 - size);
    const double y = side_ / 2.0 + random.uniform(-1, 1) * (side_ / 2.0 - size);
    float* to = out.data();
    for (std::size_t c = 0; c < 3; ++c)
      for (int row = 0; row < side_; ++row)
        for (int column = 0; column < side_; ++column) {
          const double edge = outside(figure, (column + 0.5 - x) / size, (row + 0.5 - y) / size) * size;
          const double share = std::clamp(0.5 - edge, 0.0, 1.0);
          *to++ = static_cast<float>(paper[c] + share * (ink[c] - paper[c]) + noise_ * random.normal());
        }
  }

 protected:
  std::int32_t classOf(Split split, std::uint64_t index) const override {
    RandomStream random = sequenceStream(seed_, split, index);
    return anyFigure(random);
  }

 private:
  static std::int32_t anyFigure(RandomStream& random) { return static_cast<std::int32_t>(random.below(kShapeClasses)); }

  std::uint64_t seed_;
  int side_;
  double noise_;
};

}  // namespace

std::unique_ptr<Source> makeShapes(std::uint64_t seed, int side, double noise) {
  return std::make_unique<Shapes>(seed, side, noise);
}

}  // namespace sepx::data
