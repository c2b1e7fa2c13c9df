// SPDX-License-Identifier: Apache-2.0
// Properties that every registered field must have. A new field is tested as soon as it is registered.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include <Eigen/Eigenvalues>

#include "engine/core/random.h"
#include "engine/dynamics/vector_field.h"
#include "engine/markov/canonical_field.h"
#include "engine/markov/flow.h"

using namespace sepx::dynamics;

namespace {

const FieldRegistry& allFields() {
  static const FieldRegistry registry = [] {
    FieldRegistry fields = textbookFields();
    sepx::markov::addCanonicalFields(fields);
    return fields;
  }();
  return registry;
}

std::vector<double> drawParameters(const VectorField& field, sepx::RandomStream& random) {
  std::vector<double> values;
  for (const FieldParameter& parameter : field.info().parameters)
    values.push_back(random.uniform(parameter.min + 0.05 * (parameter.max - parameter.min),
                                    parameter.max - 0.05 * (parameter.max - parameter.min)));
  return values;
}

State drawPoint(const VectorField& field, sepx::RandomStream& random) {
  State x(field.dimension());
  for (Eigen::Index i = 0; i < x.size(); ++i)
    x[i] = random.uniform(field.info().windowMin[i], field.info().windowMax[i]);
  return x;
}

}  // namespace

TEST_CASE("The descriptions of all fields are complete") {
  const FieldRegistry& registry = allFields();
  REQUIRE(registry.all().size() >= 5);
  std::set<std::string> keys;
  for (const auto& field : registry.all()) {
    const FieldInfo& info = field->info();
    INFO(info.key);
    CHECK(keys.insert(info.key).second);
    CHECK(registry.find(info.key) == field.get());
    CHECK_FALSE(info.name.empty());
    CHECK_FALSE(info.description.empty());
    CHECK_FALSE(info.equation.empty());
    CHECK(info.parameters.size() <= 4);
    CHECK(field->dimension() >= 1);
    CHECK(field->dimension() <= 4);
    REQUIRE(info.windowMin.size() == field->dimension());
    CHECK((info.windowMin.array() < info.windowMax.array()).all());
    for (const FieldParameter& parameter : info.parameters) {
      CHECK(parameter.min <= parameter.fallback);
      CHECK(parameter.fallback <= parameter.max);
    }
  }
  CHECK(registry.find("no such field") == nullptr);
}

TEST_CASE("Every Jacobian is the derivative of its field") {
  sepx::RandomStream random(5);
  for (const auto& field : allFields().all()) {
    INFO(field->info().key);
    for (int repeat = 0; repeat < 40; ++repeat) {
      const auto parameters = drawParameters(*field, random);
      const State x = drawPoint(*field, random);
      const Jacobian jacobian = field->jacobian(x, parameters);
      const double h = 1e-5;
      for (Eigen::Index j = 0; j < x.size(); ++j) {
        State up = x, down = x;
        up[j] += h;
        down[j] -= h;
        const State difference = (field->evaluate(up, parameters) - field->evaluate(down, parameters)) / (2 * h);
        const double scale = 1 + jacobian.cwiseAbs().maxCoeff();
        CHECK((difference - jacobian.col(j)).cwiseAbs().maxCoeff() < 2e-5 * scale);
      }
    }
  }
}

TEST_CASE("Fixed points are stationary and of the declared kind") {
  sepx::RandomStream random(6);
  for (const auto& field : allFields().all()) {
    INFO(field->info().key);
    const auto parameters = drawParameters(*field, random);
    for (const FixedPoint& point : field->fixedPoints(parameters)) {
      CHECK(field->evaluate(point.x, parameters).norm() < 1e-12);
      const Eigen::MatrixXd jacobian = field->jacobian(point.x, parameters);
      const Eigen::VectorXd rates = Eigen::EigenSolver<Eigen::MatrixXd>(jacobian, false).eigenvalues().real();
      if (point.kind == LimitKind::Attractor) CHECK(rates.maxCoeff() < 0);
      // The rates of the canonical models' saddle vanish: it is a saddle by Theorem 1, not by its linear part.
      if (point.kind == LimitKind::Saddle && !field->hasClassifier()) CHECK(rates.minCoeff() * rates.maxCoeff() < 0);
    }
  }
}

TEST_CASE("No orbit crosses a plane that a field declares invariant") {
  sepx::RandomStream random(8);
  int planes = 0;
  for (const auto& field : allFields().all()) {
    INFO(field->info().key);
    for (Eigen::Index i = 0; i < field->dimension(); ++i) {
      if ((field->invariantPlanes() >> i & 1u) == 0) continue;
      ++planes;
      for (int repeat = 0; repeat < 20; ++repeat) {
        State x = drawPoint(*field, random);
        const auto parameters = drawParameters(*field, random);
        x[i] = 0;
        CHECK(field->evaluate(x, parameters)[i] == 0);
        x[i] = 1e-12;  // the velocity towards the plane is proportional to the distance
        const double nearby = field->evaluate(x, parameters)[i];
        x[i] = 1e-13;
        CHECK(field->evaluate(x, parameters)[i] == Approx(0.1 * nearby));
      }
    }
  }
  CHECK(planes >= 4);
}

TEST_CASE("The excess of a trap decreases along every orbit, and below its level there is a single attractor") {
  sepx::RandomStream random(9);
  int trapped = 0;
  for (const auto& field : allFields().all()) {
    INFO(field->info().key);
    for (int repeat = 0; repeat < 200; ++repeat) {
      const auto parameters = drawParameters(*field, random);
      const State x = drawPoint(*field, random);
      const auto trap = field->trap(x, parameters);
      if (!trap) continue;
      const State f = field->evaluate(x, parameters);
      const double h = 1e-5 / (1 + f.norm());
      const double fall = field->trap(x - h * f, parameters)->excess - field->trap(x + h * f, parameters)->excess;
      CHECK(fall >= -1e-12);
      if (trap->excess >= 0) continue;
      ++trapped;
      std::vector<State> attractors;
      for (const FixedPoint& point : field->fixedPoints(parameters))
        if (point.kind == LimitKind::Attractor) attractors.push_back(point.x);
      REQUIRE(trap->attractor < static_cast<int>(attractors.size()));
      State orbit = x;  // classical Runge-Kutta method until the orbit reaches the attractor that the trap names
      for (int step = 0; step < 40000; ++step) {
        constexpr double kStep = 0.05;
        const State a = field->evaluate(orbit, parameters), b = field->evaluate(orbit + kStep / 2 * a, parameters);
        const State c = field->evaluate(orbit + kStep / 2 * b, parameters);
        orbit += kStep / 6 * (a + 2 * b + 2 * c + field->evaluate(orbit + kStep * c, parameters));
        if ((orbit - attractors[static_cast<std::size_t>(trap->attractor)]).norm() < 0.05) break;
      }
      CHECK((orbit - attractors[static_cast<std::size_t>(trap->attractor)]).norm() < 0.05);
    }
  }
  CHECK(trapped > 10);
}

TEST_CASE("A field with a potential is its negative gradient") {
  sepx::RandomStream random(7);
  int withPotential = 0;
  for (const auto& field : allFields().all()) {
    INFO(field->info().key);
    for (int repeat = 0; repeat < 20; ++repeat) {
      const auto parameters = drawParameters(*field, random);
      const State x = drawPoint(*field, random);
      if (!field->potential(x, parameters)) continue;
      ++withPotential;
      const State f = field->evaluate(x, parameters);
      for (Eigen::Index j = 0; j < x.size(); ++j) {
        State up = x, down = x;
        up[j] += 1e-5;
        down[j] -= 1e-5;
        const double slope = (*field->potential(up, parameters) - *field->potential(down, parameters)) / 2e-5;
        CHECK(std::abs(slope + f[j]) < 1e-5 * (1 + f.norm()));
      }
    }
  }
  CHECK(withPotential == 100);
}

TEST_CASE("A pixel of the plane is lifted into the space of the field") {
  for (const auto& field : allFields().all()) {
    std::vector<double> parameters;
    for (const FieldParameter& parameter : field->info().parameters)
      parameters.push_back(parameter.fallback);
    const State x = field->lift(0.25, -0.5, parameters);
    REQUIRE(x.size() == field->dimension());
    CHECK(x[0] == 0.25);
    CHECK(x[1] == -0.5);
    CHECK(x.allFinite());
  }
}

TEST_CASE("Without damping the Duffing oscillator has no attractor") {
  const FieldRegistry registry = textbookFields();
  const VectorField* duffing = registry.find("duffing");
  REQUIRE(duffing);
  const std::vector<double> none{0.0};
  for (const FixedPoint& point : duffing->fixedPoints(none))
    CHECK(point.kind != LimitKind::Attractor);
}
