// SPDX-License-Identifier: Apache-2.0
// Line integral convolution of fields with known lines: a constant field, a rotation, a sink. Also tests noise,
// windows, threads and invalid input.
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include <catch2/catch.hpp>

#include "engine/dynamics/lic.h"
#include "engine/markov/canonical_field.h"
#include "engine/markov/flow.h"

namespace sepx::dynamics {

namespace {

/// A field in the plane given by a function.
class Made : public VectorField {
 public:
  explicit Made(std::function<Eigen::Vector2d(double, double)> f) : f_(std::move(f)) {
    info_.key = "made";
    info_.variables = {"x", "y"};
  }
  const FieldInfo& info() const override { return info_; }
  State evaluate(const State& x, std::span<const double>) const override { return f_(x[0], x[1]); }
  Jacobian jacobian(const State&, std::span<const double>) const override { return Eigen::Matrix2d::Zero(); }

 private:
  std::function<Eigen::Vector2d(double, double)> f_;
  FieldInfo info_;
};

constexpr BasinWindow kSquare{-1, 1, -1, 1, 160, 160};

double at(const FlowTexture& texture, int column, int row) {
  return texture.levels[static_cast<std::size_t>(row) * static_cast<std::size_t>(texture.window.width) +
                        static_cast<std::size_t>(column)];
}

struct Correlation {
  double xy = 0, xx = 0, yy = 0;
  void add(double a, double b) {
    a -= kLicNeutral;
    b -= kLicNeutral;
    xy += a * b;
    xx += a * a;
    yy += b * b;
  }
  double value() const { return xy / std::sqrt(xx * yy); }
};

/// The correlation of levels that are `apart` pixels from each other along (u, v), in the inner part of the picture.
double correlation(const FlowTexture& texture, double u, double v, double apart) {
  Correlation sum;
  for (int row = 50; row < 110; ++row)
    for (int column = 50; column < 110; ++column)
      sum.add(at(texture, column, row), at(texture, column + static_cast<int>(std::lround(apart * u)),
                                           row + static_cast<int>(std::lround(apart * v))));
  return sum.value();
}

double deviation(const FlowTexture& texture) {
  double squares = 0;
  for (const std::uint8_t level : texture.levels)
    squares += (level - 128.0) * (level - 128.0);
  return std::sqrt(squares / static_cast<double>(texture.levels.size()));
}

}  // namespace

TEST_CASE("The texture of a constant field is correlated along its lines and not across them") {
  ThreadPool pool(2);
  for (const double angle : {0.0, 0.5, 1.2, 2.5}) {
    CAPTURE(angle);
    // y points upwards in the data and downwards in the picture.
    const Made field([angle](double, double) { return Eigen::Vector2d(std::cos(angle), -std::sin(angle)); });
    const FlowTexture texture = lineIntegralConvolution(field, {}, kSquare, {.length = 20}, pool);
    const double u = std::cos(angle), v = std::sin(angle);
    CHECK(correlation(texture, u, v, 6) > 0.6);  // streaks are 48 pixels long
    CHECK(std::abs(correlation(texture, -v, u, 6)) < 0.15);
    // At this distance the two streaks hardly overlap.
    CHECK(std::abs(correlation(texture, u, v, 45)) < 0.25);
  }
}

TEST_CASE("In a horizontal field a pixel is the weighted mean of its row") {
  ThreadPool pool(1);
  const Made field([](double, double) { return Eigen::Vector2d(3, 0); });
  const LicOptions options{.length = 8, .contrast = 0.7, .seed = 5};
  const FlowTexture texture = lineIntegralConvolution(field, {}, kSquare, options, pool);
  const NoiseOrigin origin = noiseOrigin(kSquare, 1);
  for (const int row : {0, 33, 159})
    for (const int column : {8, 40, 100}) {
      double sum = 0, squares = 0;
      for (int s = -8; s <= 8; ++s) {
        const double weight = 0.5 * (1 + std::cos(std::numbers::pi * s / 9));
        sum += weight * licNoise(origin.column + static_cast<std::uint32_t>(column + s),
                                 origin.row + static_cast<std::uint32_t>(row), 5);
        squares += weight * weight;
      }
      const double z = 0.7 * sum / (0.24 * std::sqrt(squares));
      CHECK(at(texture, column, row) == Approx(128 + 127 * z / std::sqrt(1 + z * z)).margin(0.51));
    }
}

TEST_CASE("The texture of a rotation consists of rings") {
  ThreadPool pool(2);
  const Made field([](double x, double y) { return Eigen::Vector2d(-y, x); });
  const FlowTexture texture = lineIntegralConvolution(field, {}, kSquare, {.length = 24}, pool);
  Correlation along, across;
  for (const double radius : {30.0, 45.0, 60.0})
    for (int k = 0; k < 200; ++k) {
      const double angle = 2 * std::numbers::pi * k / 200, further = angle + 8 / radius;
      const auto level = [&](double r, double a) {
        return at(texture, static_cast<int>(std::lround(79.5 + r * std::cos(a))),
                  static_cast<int>(std::lround(79.5 + r * std::sin(a))));
      };
      along.add(level(radius, angle), level(radius, further));
      across.add(level(radius, angle), level(radius + 8, angle));
    }
  CHECK(along.value() > 0.4);
  CHECK(std::abs(across.value()) < 0.15);
}

TEST_CASE("The contrast is uniform up to the ends of lines, and places without a direction are neutral") {
  ThreadPool pool(2);
  const Made sink([](double x, double y) { return Eigen::Vector2d(-x, -y); });
  const FlowTexture texture = lineIntegralConvolution(sink, {}, kSquare, {.length = 30}, pool);
  double inner = 0, outer = 0;
  for (int row = 40; row < 120; ++row)
    for (int column = 40; column < 120; ++column) {
      const double r = std::hypot(row - 79.5, column - 79.5), d = at(texture, column, row) - 128;
      (r < 15 ? inner : outer) += d * d / (r < 15 ? std::numbers::pi * 15 * 15 : 6400 - std::numbers::pi * 15 * 15);
    }
  CHECK(inner > 0.3 * outer);
  CHECK(inner < 3 * outer);
  const Made nothing([](double x, double) {
    return x < 0 ? Eigen::Vector2d(0, 0) : Eigen::Vector2d(std::numeric_limits<double>::quiet_NaN(), 1e308);
  });
  const FlowTexture empty = lineIntegralConvolution(nothing, {}, kSquare, {}, pool);
  CHECK(deviation(empty) == 0);
}

TEST_CASE("Contrast and phase have the documented effect") {
  ThreadPool pool(2);
  const Made field([](double, double) { return Eigen::Vector2d(1, 0); });
  const auto textureOf = [&](const LicOptions& options) {
    return lineIntegralConvolution(field, {}, kSquare, options, pool);
  };
  CHECK(deviation(textureOf({.contrast = 2})) > 1.3 * deviation(textureOf({.contrast = 0.5})));
  CHECK(deviation(textureOf({.contrast = 0})) == 0);
  // After a full turn of the phase the texture is the same. In between, streaks move along the flow, to the right.
  const LicOptions standing{.length = 24, .phase = 0.0};
  LicOptions turned = standing, moved = standing;
  turned.phase = 1.0;
  moved.phase = 0.25;
  CHECK(textureOf(turned).levels == textureOf(standing).levels);
  const FlowTexture a = textureOf(standing), b = textureOf(moved);
  // A quarter of a turn is 24/1.5/4 = 4 pixels downstream.
  Correlation downstream, upstream;
  for (int row = 40; row < 120; ++row)
    for (int column = 40; column < 120; ++column) {
      downstream.add(at(a, column, row), at(b, column + 4, row));
      upstream.add(at(a, column, row), at(b, column - 4, row));
    }
  CHECK(downstream.value() > 0.7);
  CHECK(upstream.value() < 0.3);
}

TEST_CASE("A texture does not depend on threads and moves along when the window is panned") {
  dynamics::FieldRegistry registry;
  markov::addCanonicalFields(registry);
  const VectorField& field = *registry.find("ew");
  const std::vector<double> chain{0.5, 0.8};
  const BasinWindow window{-2, 2, -2, 2, 80, 60};
  ThreadPool one(1), two(2);
  const FlowTexture texture = lineIntegralConvolution(field, chain, window, {}, one);
  CHECK(lineIntegralConvolution(field, chain, window, {}, two).levels == texture.levels);
  // Five pixels to the right. Away from the border the same noise is convolved along the same lines.
  const double dx = 4.0 / 80;
  const BasinWindow panned{-2 + 5 * dx, 2 + 5 * dx, -2, 2, 80, 60};
  const FlowTexture after = lineIntegralConvolution(field, chain, panned, {}, two);
  int same = 0, all = 0;
  for (int row = 0; row < 60; ++row)
    for (int column = 30; column < 45; ++column, ++all)
      same += std::abs(at(texture, column + 5, row) - at(after, column, row)) <= 2;
  CHECK(same > 0.9 * all);
}

TEST_CASE("Unusual windows, cancelling and invalid numbers are handled") {
  ThreadPool pool(2);
  dynamics::FieldRegistry registry;
  markov::addCanonicalFields(registry);
  const VectorField& field = *registry.find("ew");
  const std::vector<double> chain{0.5, 0.8};
  for (const BasinWindow& window :
       {BasinWindow{-1, 1, -1, 1, 0, 0}, BasinWindow{-1, 1, -1, 1, 1, 1}, BasinWindow{-1e9, 1e9, -1e-9, 1e-9, 20, 10},
        BasinWindow{0, 0, 0, 0, 8, 8}, BasinWindow{1e300, 1e308, -1e308, 1e308, 8, 8}}) {
    const FlowTexture texture = lineIntegralConvolution(field, chain, window, {.length = 1e9, .grain = -3}, pool);
    CHECK(texture.levels.size() == static_cast<std::size_t>(window.width * window.height));
  }
  const FlowTexture cancelled = lineIntegralConvolution(field, chain, kSquare, {}, pool, [] { return true; });
  CHECK(deviation(cancelled) == 0);
  CHECK(licSteps({.length = std::nan("")}) >= 1);
  double last = 0;
  lineIntegralConvolution(field, chain, {-1, 1, -1, 1, 16, 16}, {}, pool, {},
                          [&](double share) { last = std::max(last, share); });
  CHECK(last == 1);
}

}  // namespace sepx::dynamics
