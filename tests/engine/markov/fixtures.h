// SPDX-License-Identifier: Apache-2.0
// The reference cases and their tolerance: |x - ref| <= atol + 1e-11 |ref|, with atol = 1e-12 or the case's "tol".
#pragma once

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "engine/markov/canonical_model.h"
#include "tests/folders.h"

namespace sepx::markov::test {

inline const nlohmann::json& fixtureGroup(const std::string& name) {
  static const nlohmann::json document = [] {
    std::ifstream file(tests::sourceFolder() + "/tests/reference/fixtures.json");
    return nlohmann::json::parse(file);
  }();
  return document.at("groups").at(name);
}

inline constexpr double kDefaultTolerance = 1e-12;

/// Checks every number of `reference` (a number or nested arrays) against the value at the same position.
inline void checkClose(double value, double reference, double atol, const std::string& what) {
  INFO(what << ": " << value << " against " << reference);
  CHECK(std::abs(value - reference) <= atol + 1e-11 * std::abs(reference));
}
inline void checkClose(const State& value, const nlohmann::json& reference, double atol, const std::string& what) {
  REQUIRE(static_cast<std::size_t>(value.size()) == reference.size());
  for (Eigen::Index i = 0; i < value.size(); ++i)
    checkClose(value[i], reference[static_cast<std::size_t>(i)].get<double>(), atol,
               what + "[" + std::to_string(i) + "]");
}
inline State stateOf(const nlohmann::json& array) {
  State state(static_cast<Eigen::Index>(array.size()));
  for (Eigen::Index i = 0; i < state.size(); ++i)
    state[i] = array[static_cast<std::size_t>(i)].get<double>();
  return state;
}
inline State state(std::initializer_list<double> values) {
  State result(static_cast<Eigen::Index>(values.size()));
  Eigen::Index i = 0;
  for (const double value : values)
    result[i++] = value;
  return result;
}
inline double toleranceOf(const nlohmann::json& item) {
  return item.value("tol", kDefaultTolerance);
}
inline Chain chainOf(const nlohmann::json& item) {
  return Chain::make(item.at("p"), item.at("q")).value();
}

}  // namespace sepx::markov::test
