// SPDX-License-Identifier: Apache-2.0
// Our own code against a reference file: {schema, set, digits, groups: {name: [case, …]}}, inputs and expected outputs
// side by side in each case. |x - ref| <= atol + 1e-11 |ref| decides; atol is the output's own, or the case's "tol".
// Every key of a case is an input, an expected output or "tol": a missing one, an unknown one, a null or a label where
// a number belongs fails. One thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/json_out.h"
#include "engine/attention/factors.h"
#include "engine/core/result.h"

namespace sepx::app::cli {

inline constexpr double kRelativeTolerance = 1e-11;
inline constexpr double kAbsoluteTolerance = 1e-12;

/// An expected output and the absolute tolerance of every number in it.
struct ExpectedOutput {
  std::string_view key;
  double absoluteTolerance = kAbsoluteTolerance;
};

/// What a group of cases is about. Adding a group is one such entry in a verify_groups_*.cpp.
struct GroupSpec {
  std::string_view name;
  std::vector<std::string_view> inputs;
  std::vector<ExpectedOutput> outputs;
  bool hasTolerance = false;  ///< its cases carry "tol"
  /// Our outputs by key from the inputs: numbers, arrays of them, null for "does not exist", LABELs. Throws for an
  /// input that is missing or of the wrong type.
  Result<Json> (*compute)(const Json& inputs);
};

// Inputs of a case as numbers and matrices, and back. A value of another type throws, which fails the case with a
// sentence. Any thread.
double number(const Json& value);
/// A list of rows of the same length.
attention::Matrix matrixOf(const Json& rows, const char* name);
Json listOf(const Eigen::VectorXd& values);
Json rowsOf(const attention::Matrix& matrix);

/// Every group we can run.
const std::vector<GroupSpec>& verifyGroups();
std::vector<GroupSpec> markovGroups();
std::vector<GroupSpec> attentionGroups();
std::vector<GroupSpec> trainingGroups();
std::vector<GroupSpec> reversalGroups();

struct CaseResult {
  double worst = 0;     ///< largest |x - ref| in units of its tolerance; infinite when something is not comparable
  std::string failure;  ///< a sentence; empty: passed
  bool passed() const { return failure.empty(); }
};
CaseResult verifyCase(const GroupSpec& group, const Json& testCase);
/// The second half of verifyCase: our outputs against the case.
CaseResult compareCase(const GroupSpec& group, const Json& computed, const Json& testCase);

struct GroupResult {
  std::string name;
  std::size_t cases = 0;
  double worst = 0;
  std::vector<std::string> failures;  ///< at most kFailuresKept sentences
  std::size_t failed = 0;             ///< cases that failed; 1 when the group itself is at fault
  bool passed() const { return failed == 0; }
};
inline constexpr std::size_t kFailuresKept = 5;

/// The groups asked for, or all of the file when `wanted` is empty. BadInput when the file is not of this kind, Usage
/// for a group that neither the file nor we know.
Result<std::vector<GroupResult>> verifyFile(const Json& file, const std::string& name,
                                            std::span<const std::string> wanted);

}  // namespace sepx::app::cli
