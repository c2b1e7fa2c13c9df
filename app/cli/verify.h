// SPDX-License-Identifier: Apache-2.0
// Checks our own code against a reference file: {schema, set, digits, groups: {name: [case, …]}}, with inputs and
// expected outputs in each case. A number x passes if |x - ref| <= atol + 1e-11 |ref|, where atol is that of the output
// or the case's "tol". Every key of a case is an input, an expected output or "tol". A missing or unknown key fails,
// and so does a null or a label in place of a number. One thread.
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

/// Describes a group of cases. To add a group, add one such entry to a verify_groups_*.cpp.
struct GroupSpec {
  std::string_view name;
  std::vector<std::string_view> inputs;
  std::vector<ExpectedOutput> outputs;
  bool hasTolerance = false;  ///< its cases carry "tol"
  /// Computes our outputs by key from the inputs: numbers, arrays of numbers, null for "does not exist", LABELs. Throws
  /// if an input is missing or has the wrong type.
  Result<Json> (*compute)(const Json& inputs);
};

// Conversions of the inputs of a case to numbers and matrices, and back. A value of another type throws, which fails
// the case with a sentence. Any thread.
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
/// The second half of verifyCase(): compares our outputs with the case.
CaseResult compareCase(const GroupSpec& group, const Json& computed, const Json& testCase);

struct GroupResult {
  std::string name;
  std::size_t cases = 0;
  double worst = 0;
  std::vector<std::string> failures;  ///< at most kMostFailuresReported sentences
  std::size_t failed = 0;             ///< cases that failed; 1 if the group itself is invalid
  bool passed() const { return failed == 0; }
};
inline constexpr std::size_t kMostFailuresReported = 5;

/// Checks the groups in `wanted`, or all groups of the file if it is empty. BadInput if the file is not of this kind,
/// Usage for a group that neither the file nor this program has.
Result<std::vector<GroupResult>> verifyFile(const Json& file, const std::string& name,
                                            std::span<const std::string> wanted);

}  // namespace sepx::app::cli
