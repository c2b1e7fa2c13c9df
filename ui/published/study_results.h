// SPDX-License-Identifier: Apache-2.0
// Stores the results of studies in a window until it is closed. All pages of published figures in a window share them,
// whichever page computed them. Frame thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "engine/studies/study_result.h"

namespace sepx::ui {

class Runs;

/// The settings with which a result was requested.
struct StudySettings {
  std::string id;  ///< of the study
  bool quick = true;
  std::uint64_t seed = 0;
  bool operator<(const StudySettings& other) const {
    return std::tie(id, quick, seed) < std::tie(other.id, other.quick, other.seed);
  }
};

class StudyResults {
 public:
  using Pointer = std::shared_ptr<const studies::StudyResult>;

  /// The results of a window; for null, a separate object.
  static std::shared_ptr<StudyResults> of(const Runs* window);

  /// The result of a run, otherwise the one that ships or is computed at once; null if there is neither.
  Pointer at(const StudySettings& settings) const;
  /// The result with these settings, otherwise one of the same study with any settings; null if there is none.
  Pointer any(const StudySettings& settings) const;
  bool ran(const StudySettings& settings) const { return run_.contains(settings); }
  /// Seconds that the study took here; empty if it was not run.
  std::optional<double> seconds(const std::string& id) const;
  /// Increases with every change of the results.
  std::uint64_t revision() const { return revision_; }

  void addRun(const StudySettings& settings, Pointer made);
  void addReady(const StudySettings& settings, Pointer made);
  void took(const std::string& id, double seconds);
  /// Removes the result of a run, before the study is run again.
  void forgetRun(const StudySettings& settings);

 private:
  using Made = std::map<StudySettings, Pointer>;
  Made run_, ready_;
  std::map<std::string, double> seconds_;
  std::uint64_t revision_ = 0;
};

}  // namespace sepx::ui
