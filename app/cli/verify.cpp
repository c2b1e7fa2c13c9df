// SPDX-License-Identifier: Apache-2.0
// Comparison of our numbers with a reference file; see verify.h.
#include "app/cli/verify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <limits>
#include <optional>
#include <stdexcept>

#include "app/cli/text.h"

namespace sepx::app::cli {
double number(const Json& value) {
  if (!value.is_number()) throw std::invalid_argument(trf(N_("{} is not a number"), value.dump()));
  return value.get<double>();
}

attention::Matrix matrixOf(const Json& rows, const char* name) {
  const auto isRow = [&rows](const Json& row) { return row.is_array() && row.size() == rows[0].size(); };
  if (!rows.is_array() || rows.empty() || !rows[0].is_array() || !std::all_of(rows.begin(), rows.end(), isRow))
    throw std::invalid_argument(trf(N_("{} is not a list of rows of the same length"), name));
  attention::Matrix matrix(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows[0].size()));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      matrix(i, j) = number(rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
  return matrix;
}

Json listOf(const Eigen::VectorXd& values) {
  return Json(std::vector<double>(values.begin(), values.end()));
}

Json rowsOf(const attention::Matrix& matrix) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    rows.push_back(listOf(matrix.row(i)));
  return rows;
}

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Our name of the limit that a reference file calls `word`.
std::optional<std::string_view> labelOf(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kWords{
      {{"star", "global-min"}, {"min", "local-min"}, {"sad", "saddle"}, {"max", "local-max"}}};
  for (const auto& [theirs, ours] : kWords) {
    if (word == theirs) return ours;
  }
  return std::nullopt;
}

void failWith(CaseResult& result, std::string sentence) {
  result.worst = kInfinity;
  if (result.failure.empty()) result.failure = std::move(sentence);
}

/// Compares one value and what it contains; `place` is its key with indices.
void compare(CaseResult& result, const std::string& place, const Json& computed, const Json& expected, double atol) {
  if (computed.is_number() && expected.is_number()) {
    const double x = computed.get<double>(), reference = expected.get<double>();
    const double tolerance = atol + kRelativeTolerance * std::abs(reference);
    const double distance = std::abs(x - reference) / tolerance;
    if (!std::isfinite(distance))
      return failWith(result, trf(N_("{}: {} is not comparable with {}"), place, x, reference));
    result.worst = std::max(result.worst, distance);
    if (distance > 1 && result.failure.empty()) {
      result.failure = trf(N_("{}: {} instead of {}, {} tolerances apart"), place, x, reference, displayText(distance));
    }
    return;
  }
  if (computed.is_array() && expected.is_array()) {
    if (computed.size() != expected.size()) {
      return failWith(result, trf(N_("{}: {} values instead of {}"), place, computed.size(), expected.size()));
    }
    for (std::size_t i = 0; i < computed.size(); ++i) {
      compare(result, fmt::format("{}[{}]", place, i), computed[i], expected[i], atol);
    }
    return;
  }
  if (computed.is_object() && expected.is_object()) {
    for (const auto& [key, value] : expected.items()) {
      const auto ours = computed.find(key);
      if (ours == computed.end()) {
        failWith(result, trf(N_("{}.{}: not computed"), place, key));
      } else {
        compare(result, fmt::format("{}.{}", place, key), *ours, value, atol);
      }
    }
    for (const auto& [key, value] : computed.items()) {
      if (!expected.contains(key)) failWith(result, trf(N_("{}.{}: missing"), place, key));
    }
    return;
  }
  if (computed.is_string() && expected.is_string()) {
    const std::string ours = computed.get<std::string>(), theirs = expected.get<std::string>();
    if (labelOf(theirs) != ours) failWith(result, trf(N_("{}: {} instead of {}"), place, ours, theirs));
    return;
  }
  if (computed.is_null() && expected.is_null()) return;
  failWith(result, trf(N_("{}: {} instead of {}"), place, computed.dump(), expected.dump()));
}

/// Checks that every key of the case is known and that no key is missing.
void checkKeys(CaseResult& result, const GroupSpec& group, const Json& testCase) {
  std::vector<std::string_view> keys = group.inputs;
  for (const ExpectedOutput& output : group.outputs)
    keys.push_back(output.key);
  if (group.hasTolerance) keys.push_back("tol");
  for (const std::string_view key : keys) {
    if (!testCase.contains(key)) failWith(result, trf(N_("{}: missing"), key));
  }
  for (const auto& [key, value] : testCase.items()) {
    const bool known = std::find(keys.begin(), keys.end(), key) != keys.end();
    if (!known) failWith(result, trf(N_("{}: neither an input nor an output of this group"), key));
  }
}

GroupResult verifyGroup(const GroupSpec* group, const std::string& name, const Json& cases) {
  GroupResult result;
  result.name = name;
  const auto fault = [&result](std::string sentence) {
    result.worst = kInfinity;
    result.failed = 1;
    result.failures.push_back(std::move(sentence));
    return result;
  };
  if (cases.is_array()) result.cases = cases.size();
  if (group == nullptr) return fault(tr(N_("this program cannot run this group")));
  if (result.cases == 0) return fault(tr(N_("the file has no case of this group")));
  for (std::size_t i = 0; i < result.cases; ++i) {
    const CaseResult one = verifyCase(*group, cases[i]);
    result.worst = std::max(result.worst, one.worst);
    if (one.passed()) continue;
    ++result.failed;
    if (result.failures.size() < kMostFailuresReported)
      result.failures.push_back(trf(N_("case {}: {}"), i, one.failure));
  }
  return result;
}

const GroupSpec* findGroup(std::string_view name) {
  const std::vector<GroupSpec>& groups = verifyGroups();
  const auto found =
      std::find_if(groups.begin(), groups.end(), [name](const GroupSpec& one) { return one.name == name; });
  return found == groups.end() ? nullptr : &*found;
}

}  // namespace

const std::vector<GroupSpec>& verifyGroups() {
  static const std::vector<GroupSpec> groups = [] {
    std::vector<GroupSpec> all = markovGroups();
    for (const std::vector<GroupSpec>& more : {attentionGroups(), trainingGroups(), reversalGroups()})
      all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return groups;
}

CaseResult compareCase(const GroupSpec& group, const Json& computed, const Json& testCase) {
  CaseResult result;
  checkKeys(result, group, testCase);
  std::optional<double> tolerance;
  if (group.hasTolerance && testCase.contains("tol")) {
    const Json& tol = testCase["tol"];
    if (tol.is_number()) tolerance = tol.get<double>();
    if (!tolerance || !(*tolerance > 0)) failWith(result, tr(N_("tol: must be a number above 0")));
  }
  for (const ExpectedOutput& output : group.outputs) {
    const auto expected = testCase.find(output.key), ours = computed.find(output.key);
    if (expected == testCase.end()) continue;  // checkKeys() has reported it
    if (ours == computed.end()) {
      failWith(result, trf(N_("{}: not computed"), output.key));
      continue;
    }
    compare(result, std::string(output.key), *ours, *expected, tolerance.value_or(output.absoluteTolerance));
  }
  return result;
}

CaseResult verifyCase(const GroupSpec& group, const Json& testCase) {
  CaseResult result;
  if (!testCase.is_object()) {
    failWith(result, tr(N_("a case must be an object of inputs and outputs")));
    return result;
  }
  try {
    const Result<Json> computed = group.compute(testCase);
    if (computed) return compareCase(group, *computed, testCase);
    failWith(result, computed.error().message);
  } catch (const std::exception& error) {  // an input is missing or of the wrong type
    failWith(result, trf(N_("inputs: {}"), std::string(error.what())));
  }
  return result;
}

Result<std::vector<GroupResult>> verifyFile(const Json& file, const std::string& name,
                                            std::span<const std::string> wanted) {
  const auto schema = file.find("schema");
  if (!file.is_object() || schema == file.end() || *schema != "fixtures-1") {
    return failf(ErrorKind::BadInput, N_("{}: the field schema is not \"fixtures-1\"; it must be a reference file"),
                 name);
  }
  const auto groups = file.find("groups");
  if (groups == file.end() || !groups->is_object()) {
    return failf(ErrorKind::BadInput, N_("{}: the field groups is not an object of lists of cases"), name);
  }
  std::vector<std::string> names(wanted.begin(), wanted.end());
  if (names.empty()) {
    for (const auto& [group, cases] : groups->items())
      names.push_back(group);
  }
  std::vector<GroupResult> results;
  for (const std::string& group : names) {
    const auto cases = groups->find(group);
    const GroupSpec* spec = findGroup(group);
    if (cases == groups->end() && spec == nullptr) {
      return failf(ErrorKind::Usage, N_("--group: neither {} nor this program has a group '{}'"), name, group);
    }
    results.push_back(verifyGroup(spec, group, cases == groups->end() ? Json::array() : *cases));
  }
  return results;
}

}  // namespace sepx::app::cli
