// SPDX-License-Identifier: Apache-2.0
// See study_results.h.
#include "ui/published/study_results.h"

#include <utility>

namespace sepx::ui {

std::shared_ptr<StudyResults> StudyResults::of(const Runs* window) {
  if (!window) return std::make_shared<StudyResults>();
  // One map per process: the pages of several panes and exhibits of a window share its results and have only its Runs
  // object in common. Frame thread.
  static std::map<const Runs*, std::weak_ptr<StudyResults>> windows;
  std::erase_if(windows, [](const auto& one) { return one.second.expired(); });
  std::weak_ptr<StudyResults>& kept = windows[window];
  std::shared_ptr<StudyResults> results = kept.lock();
  if (!results) kept = results = std::make_shared<StudyResults>();
  return results;
}

StudyResults::Pointer StudyResults::at(const StudySettings& settings) const {
  for (const Made* const of : {&run_, &ready_})
    if (const auto found = of->find(settings); found != of->end()) return found->second;
  return nullptr;
}

StudyResults::Pointer StudyResults::any(const StudySettings& settings) const {
  if (Pointer exact = at(settings)) return exact;
  for (const Made* const of : {&run_, &ready_})
    for (const auto& [with, made] : *of)
      if (with.id == settings.id) return made;
  return nullptr;
}

std::optional<double> StudyResults::seconds(const std::string& id) const {
  const auto found = seconds_.find(id);
  return found == seconds_.end() ? std::nullopt : std::optional(found->second);
}

void StudyResults::addRun(const StudySettings& settings, Pointer made) {
  run_[settings] = std::move(made);
  ++revision_;
}

void StudyResults::addReady(const StudySettings& settings, Pointer made) {
  ready_[settings] = std::move(made);
  ++revision_;
}

void StudyResults::took(const std::string& id, double seconds) {
  seconds_[id] = seconds;
  ++revision_;
}

void StudyResults::forgetRun(const StudySettings& settings) {
  run_.erase(settings);
  ++revision_;
}

}  // namespace sepx::ui
