// SPDX-License-Identifier: Apache-2.0
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

constexpr double kInf = std::numeric_limits<double>::infinity();

long double reference(SimdFunction f, double x) {
  const long double y = x;
  switch (f) {
    case SimdFunction::Exp:
      return std::exp(y);
    case SimdFunction::Expm1:
      return std::expm1(y);
    case SimdFunction::Log:
      return std::log(y);
    case SimdFunction::Log1p:
      return std::log1p(y);
    case SimdFunction::Sqrt:
      break;
  }
  return std::sqrt(y);
}

/// Numbers from the whole range in which the function is finite: small and large, with both signs where they are
/// allowed.
std::vector<double> argumentsOf(SimdFunction f) {
  std::vector<double> x;
  constexpr int kSteps = 4001;
  for (int i = 0; i < kSteps; ++i) {
    const double t = 2.0 * i / (kSteps - 1) - 1;  // -1 .. 1
    if (f == SimdFunction::Exp || f == SimdFunction::Expm1) {
      x.push_back(708.3 * t);
      x.push_back(0.7 * t);
      x.push_back(t * 1e-9);
    } else {
      const double any = std::pow(10.0, 300 * t) * 1.2345;
      x.push_back(any);
      x.push_back(f == SimdFunction::Log1p ? 0.999 * t : 1 + 0.5 * t);
      if (f == SimdFunction::Log1p) x.push_back(t * 1e-12);
    }
  }
  return x;
}

double unitsOff(double got, long double wanted) {
  const double near = static_cast<double>(wanted);
  const double unit = std::max(std::nextafter(std::abs(near), kInf) - std::abs(near), 5e-324);
  return static_cast<double>(std::abs(static_cast<long double>(got) - wanted)) / unit;
}

}  // namespace

TEST_CASE("lanes: elementary functions are accurate to two units in the last place at every level") {
  for (const SimdLevel level : {SimdLevel::Generic, SimdLevel::Avx2, SimdLevel::Avx512})
    for (const SimdFunction f :
         {SimdFunction::Exp, SimdFunction::Expm1, SimdFunction::Log, SimdFunction::Log1p, SimdFunction::Sqrt}) {
      const std::vector<double> x = argumentsOf(f);
      std::vector<double> y(x.size());
      simdMap(f, x, y, level);
      double worst = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        worst = std::max(worst, unitsOff(y[i], reference(f, x[i])));
      INFO(gemmLevelName(level) << " function " << static_cast<int>(f));
      CHECK(worst <= 2.0);
    }
}

TEST_CASE("lanes: limits equal those of the C library") {
  const std::vector<double> x{0.0, -0.0, kInf, -kInf, std::nan(""), 800, -800, -1, 5e-324, 1e-310, -1e300};
  for (const SimdLevel level : {SimdLevel::Generic, SimdLevel::Avx2, SimdLevel::Avx512}) {
    std::vector<double> y(x.size());
    const auto same = [](double a, double b) { return (std::isnan(a) && std::isnan(b)) || a == b; };
    simdMap(SimdFunction::Exp, x, y, level);
    for (const std::size_t i : {0, 1, 2, 3, 4, 5, 6, 10})
      CHECK(same(y[i], std::exp(x[i])));
    simdMap(SimdFunction::Log, x, y, level);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double wanted = std::log(x[i]);
      INFO(x[i] << ": " << y[i] << " against " << wanted);
      CHECK((same(y[i], wanted) || std::abs(y[i] - wanted) <= 4e-16 * std::abs(wanted)));
    }
    simdMap(SimdFunction::Log1p, x, y, level);
    for (const std::size_t i : {0, 2, 3, 4, 7, 8, 9, 10})
      CHECK(same(y[i], std::log1p(x[i])));
    simdMap(SimdFunction::Exp, std::vector<double>{-740.0}, {y.data(), 1}, level);
    CHECK(y[0] == Approx(std::exp(-740.0)));  // a subnormal number
  }
}

TEST_CASE("lanes: the levels with fused multiply-add agree bit for bit at any position of a value") {
  std::vector<double> x(1003);
  RandomStream generator(7);
  for (double& value : x)
    value = 40 * (generator.uniform() - 0.5);
  for (const SimdFunction f : {SimdFunction::Exp, SimdFunction::Expm1, SimdFunction::Log1p}) {
    std::vector<double> wide(x.size()), narrow(x.size()), shifted(x.size() - 1);
    if (f == SimdFunction::Log1p)
      for (double& value : x)
        value = std::abs(value);
    simdMap(f, x, wide, SimdLevel::Avx512);
    simdMap(f, x, narrow, SimdLevel::Avx2);
    simdMap(f, std::span(x).subspan(1), shifted, SimdLevel::Avx512);
    CHECK(std::memcmp(wide.data(), narrow.data(), x.size() * sizeof(double)) == 0);
    CHECK(std::memcmp(wide.data() + 1, shifted.data(), shifted.size() * sizeof(double)) == 0);
  }
}
