// SPDX-License-Identifier: Apache-2.0
// On a nullcline the component is zero. Zeros without a change of sign are found, and poles and noise are not.
#include <catch2/catch.hpp>
#include <cmath>

#include "engine/dynamics/nullclines.h"

using namespace sepx::dynamics;

namespace {

/// A field given by two functions.
class Made final : public VectorField {
 public:
  using Function = double (*)(double, double);
  Made(Function f, Function g) : f_(f), g_(g) { info_.variables = {"x", "y"}; }
  const FieldInfo& info() const override { return info_; }
  State evaluate(const State& x, std::span<const double>) const override {
    State result(2);
    result << f_(x[0], x[1]), g_(x[0], x[1]);
    return result;
  }
  Jacobian jacobian(const State&, std::span<const double>) const override { return Jacobian::Zero(2, 2); }

 private:
  FieldInfo info_;
  Function f_, g_;
};

double lengthOf(const std::vector<std::vector<std::array<double, 2>>>& lines) {
  double length = 0;
  for (const auto& line : lines)
    for (std::size_t i = 1; i < line.size(); ++i)
      length += std::hypot(line[i][0] - line[i - 1][0], line[i][1] - line[i - 1][1]);
  return length;
}

}  // namespace

TEST_CASE("Nullclines of every textbook field are zeros of their component") {
  const FieldRegistry fields = textbookFields();
  for (const auto& field : fields.all()) {
    if (field->dimension() != 2) continue;
    std::vector<double> parameters;
    for (const FieldParameter& parameter : field->info().parameters)
      parameters.push_back(parameter.fallback);
    const FieldInfo& info = field->info();
    const PlaneBox box{info.windowMin[0], info.windowMax[0], info.windowMin[1], info.windowMax[1]};
    for (const int component : {0, 1}) {
      INFO(info.key << " component " << component);
      const auto lines = nullcline(*field, parameters, component, box, 80);
      CHECK(lengthOf(lines) > 0);
      double worst = 0;
      for (const auto& line : lines)
        for (const auto& place : line) {
          State x(2);
          x << place[0], place[1];
          worst = std::max(worst, std::abs(field->evaluate(x, parameters)[component]));
        }
      CHECK(worst < 1e-9);
    }
  }
}

TEST_CASE("A circle is one closed line, and zeros without a change of sign are found") {
  const auto circle = [](double x, double y) { return x * x + y * y - 1; };
  const auto squared = [](double x, double y) { return (x * x + y * y - 1) * (x * x + y * y - 1); };
  const auto modulus = [](double x, double) { return 3 * std::abs(x - 0.1234); };
  const PlaneBox box{-2, 2, -2, 2};
  const auto once = nullcline(Made(circle, squared), {}, 0, box);
  REQUIRE(once.size() == 1);
  CHECK(once[0].front() == once[0].back());
  CHECK(lengthOf(once) == Approx(2 * M_PI).epsilon(1e-3));
  const auto touching = nullcline(Made(circle, squared), {}, 1, box);
  CHECK(lengthOf(touching) == Approx(2 * M_PI).epsilon(0.15));
  for (const auto& line : touching)
    for (const auto& p : line)
      CHECK(std::hypot(p[0], p[1]) == Approx(1).epsilon(1e-3));
  const auto edge = nullcline(Made(modulus, modulus), {}, 0, box);
  CHECK(lengthOf(edge) == Approx(4).epsilon(0.05));
}

TEST_CASE("Poles, constants, non-finite values and invalid boxes give no lines") {
  const auto pole = [](double x, double) { return 1 / (x - 0.3); };
  const auto positive = [](double x, double y) { return 0.01 + x * x + y * y; };
  const auto nothing = [](double, double) { return 0.0; };
  const auto broken = [](double x, double) { return std::sqrt(x - 5); };
  const PlaneBox box{-2, 2, -2, 2};
  CHECK(nullcline(Made(pole, positive), {}, 0, box).empty());
  CHECK(nullcline(Made(pole, positive), {}, 1, box).empty());
  CHECK(nullcline(Made(nothing, broken), {}, 0, box).empty());
  CHECK(nullcline(Made(nothing, broken), {}, 1, box).empty());
  CHECK(nullcline(Made(positive, pole), {}, 2, box).empty());
  CHECK(nullcline(Made(positive, pole), {}, 0, {1, -1, 0, 1}).empty());
  CHECK(nullcline(Made(positive, pole), {}, 0, {0, NAN, 0, 1}).empty());
}
