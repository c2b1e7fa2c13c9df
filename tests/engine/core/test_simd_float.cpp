// SPDX-License-Identifier: Apache-2.0
// Compares with the double-precision functions of the C library.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "engine/core/random.h"
#include "engine/core/simd.h"

using namespace sepx;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr SimdLevel kLevels[] = {SimdLevel::Generic, SimdLevel::Avx2, SimdLevel::Avx512};

struct Case {
  SimdFloatFunction function;
  double (*reference)(double);
  double low, high;  // the tested range, in addition to numbers near 0
  double units;      // the documented error bound in units in the last place
};
const Case kCases[] = {
    {SimdFloatFunction::Exp, [](double x) { return std::exp(x); }, -87, 88.7, 1.5},
    {SimdFloatFunction::PowerOfTwo, [](double x) { return std::exp2(x); }, -126, 127, 1.5},
    {SimdFloatFunction::Log1p, [](double x) { return std::log1p(x); }, -0.9999, 1e4, 2},
    {SimdFloatFunction::Tanh, [](double x) { return std::tanh(x); }, -20, 20, 3.5},
    {SimdFloatFunction::Erf, [](double x) { return std::erf(x); }, -5, 5, 3},
    {SimdFloatFunction::Sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }, -85, 85, 3.5},
};

double unitsOff(float got, double wanted) {
  const float near = std::abs(static_cast<float>(wanted));
  const double unit = std::max(static_cast<double>(std::nextafter(near, kInfinity) - near), 1.5e-45);
  return std::abs(static_cast<double>(got) - wanted) / unit;
}

double worstOf(SimdFloatFunction f, double (*reference)(double), const std::vector<float>& x, SimdLevel level) {
  std::vector<float> y(x.size());
  simdMap(f, x, y, level);
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    worst = std::max(worst, unitsOff(y[i], reference(static_cast<double>(x[i]))));
  return worst;
}

}  // namespace

TEST_CASE("float lanes: elementary functions meet their documented error bounds at every level") {
  for (const SimdLevel level : kLevels) {
    for (const Case& c : kCases) {
      std::vector<float> x;
      RandomStream random(3);
      for (int i = 0; i < 20000; ++i) {
        x.push_back(static_cast<float>(random.uniform(c.low, c.high)));
        x.push_back(static_cast<float>(random.uniform(-0.9, 0.9)));
        x.push_back(static_cast<float>(std::pow(10, random.uniform(-30, 0)) * (i % 2 == 0 ? 0.9 : -0.9)));
      }
      INFO(gemmLevelName(level) << " function " << static_cast<int>(c.function));
      CHECK(worstOf(c.function, c.reference, x, level) <= c.units);
    }
    std::vector<float> x;
    RandomStream random(4);
    for (int i = 0; i < 20000; ++i) {
      x.push_back(static_cast<float>(std::pow(10, random.uniform(-44, 38))));
      x.push_back(static_cast<float>(random.uniform(0.5, 2)));
    }
    CHECK(worstOf(
              SimdFloatFunction::Log, [](double v) { return std::log(v); }, x, level) <= 1.5);
    CHECK(worstOf(
              SimdFloatFunction::Sqrt, [](double v) { return std::sqrt(v); }, x, level) <= 0.5001);
  }
}

TEST_CASE("float lanes: limits equal those of the C library") {
  const std::vector<float> x{0.0f, -0.0f, kInfinity, -kInfinity, std::nanf(""), 200, -200, -1, 1e-45f, 1e-40f, -1e30f};
  const auto same = [](float a, float b) { return (std::isnan(a) && std::isnan(b)) || a == b; };
  for (const SimdLevel level : kLevels) {
    std::vector<float> y(x.size());
    const auto check = [&](SimdFloatFunction f, float (*reference)(float), std::initializer_list<std::size_t> which) {
      simdMap(f, x, y, level);
      for (const std::size_t i : which) {
        INFO(gemmLevelName(level) << " function " << static_cast<int>(f) << ": " << x[i] << " gives " << y[i]);
        CHECK(same(y[i], reference(x[i])));
      }
    };
    check(SimdFloatFunction::Exp, [](float v) { return std::exp(v); }, {0, 1, 2, 3, 4, 5, 6, 8, 10});
    check(SimdFloatFunction::Log, [](float v) { return std::log(v); }, {0, 1, 2, 3, 4, 7, 10});
    check(SimdFloatFunction::Log1p, [](float v) { return std::log1p(v); }, {0, 2, 3, 4, 7, 8, 9, 10});
    check(SimdFloatFunction::Tanh, [](float v) { return std::tanh(v); }, {0, 1, 2, 3, 4, 5, 6, 8, 9, 10});
    check(SimdFloatFunction::Erf, [](float v) { return std::erf(v); }, {0, 1, 2, 3, 4, 5, 6, 10});
    check(SimdFloatFunction::Sigmoid, [](float v) { return 1 / (1 + std::exp(-v)); }, {0, 1, 2, 3, 4, 5, 6, 8, 10});
    simdMap(SimdFloatFunction::PowerOfTwo, x, y, level);
    CHECK(y[0] == 1.0f);
    CHECK(y[3] == 0.0f);  // the value of a masked score
    CHECK(y[6] == 0.0f);
    CHECK(std::isnan(y[4]));
    simdMap(SimdFloatFunction::Exp, std::vector<float>{-100.0f}, {y.data(), 1}, level);
    CHECK(y[0] == Approx(std::exp(-100.0)).epsilon(0.02));  // a subnormal number
  }
}

TEST_CASE("float lanes: the levels with fused multiply-add agree bit for bit at any position of a value") {
  std::vector<float> x(1003);
  RandomStream generator(7);
  for (float& value : x)
    value = static_cast<float>(20 * (generator.uniform() - 0.5));
  for (const Case& c : kCases) {
    std::vector<float> wide(x.size()), narrow(x.size()), shifted(x.size() - 1);
    std::vector<float> input = x;
    if (c.function == SimdFloatFunction::Log1p)
      for (float& value : input)
        value = std::abs(value);
    simdMap(c.function, input, wide, SimdLevel::Avx512);
    simdMap(c.function, input, narrow, SimdLevel::Avx2);
    simdMap(c.function, std::span(input).subspan(1), shifted, SimdLevel::Avx512);
    CHECK(std::memcmp(wide.data(), narrow.data(), x.size() * sizeof(float)) == 0);
    CHECK(std::memcmp(wide.data() + 1, shifted.data(), shifted.size() * sizeof(float)) == 0);
  }
}
