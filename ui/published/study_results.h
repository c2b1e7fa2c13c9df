// SPDX-License-Identifier: Apache-2.0
// What studies gave in a window, until it is closed: all its pages of published figures have the same results,
// whichever of them computed one. Frame thread.
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

/// What a result was asked for with.
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

  /// Those of a window; null: nobody else's.
  static std::shared_ptr<StudyResults> of(const Runs* window);

  /// What was run comes before what ships or is computed at once. Null: neither.
  Pointer at(const StudySettings& settings) const;
  /// Of a study with whatever settings, if there are none with these.
  Pointer any(const StudySettings& settings) const;
  bool ran(const StudySettings& settings) const { return run_.contains(settings); }
  /// Seconds that the study took here; empty: it was not run.
  std::optional<double> seconds(const std::string& id) const;
  /// Grows with every result.
  std::uint64_t revision() const { return revision_; }

  void addRun(const StudySettings& settings, Pointer made);
  void addReady(const StudySettings& settings, Pointer made);
  void took(const std::string& id, double seconds);
  /// Before it is run again.
  void forgetRun(const StudySettings& settings);

 private:
  using Made = std::map<StudySettings, Pointer>;
  Made run_, ready_;
  std::map<std::string, double> seconds_;
  std::uint64_t revision_ = 0;
};

}  // namespace sepx::ui
