// SPDX-License-Identifier: Apache-2.0
// The result of one kind of background work as a page shows it: the value that was made last, or one sentence that says
// why there is none. Every change of either counts in the ResultSet of the page, so that the page knows when to make
// its views anew. Frame thread.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "engine/core/result.h"
#include "ui/canvas/page_draw.h"
#include "ui/page/lane.h"

namespace sepx::ui {

/// How often anything changed that background work made for a page.
class ResultSet {
 public:
  void changed() { ++revision_; }
  /// Digest of what else is shown: another one than before is a change.
  void follow(std::uint64_t digest) {
    if (std::exchange(digest_, digest) != digest) changed();
  }
  std::uint64_t revision() const { return revision_; }

 private:
  std::uint64_t revision_ = 0, digest_ = 0;
};

/// `Pointer`: a shared pointer to what is made; null: there is none.
template <class Request, class Pointer>
class LaneResult {
 public:
  /// `name`: of the lane, "reversal.checkpoint". `results` outlives it.
  LaneResult(ResultSet& results, std::string name) : results_(results), lane_(std::move(name)) {}

  const Pointer& value() const { return value_; }
  /// Why there is no value, or why it is not the one that was asked for; empty: nothing is wrong.
  const std::string& sentence() const { return sentence_; }
  bool pending() const { return lane_.pending(); }
  bool complete() const { return lane_.complete(); }
  /// The present request; null: none.
  const Request* requested() const { return lane_.requested(); }

  /// Once a frame: takes over what is finished.
  void refresh(const JobLanes& jobs) {
    if (!lane_.refresh(jobs)) return;
    const Result<Pointer>& made = *lane_.result();
    if (made || !keepsValue_) value_ = made ? *made : nullptr;
    sentence_ = made ? std::string() : sentenceCase(made.error().message);
    results_.changed();
  }
  /// Asks for another request than the present one. What was made stays until the new value comes.
  /// `keepsValue`: it also stays where the new one cannot be made.
  template <class Work>
  void ask(const JobLanes& jobs, Request request, std::string_view jobName, Work work, bool keepsValue = false) {
    if (lane_.request(jobs, std::move(request), jobName, std::move(work))) keepsValue_ = keepsValue;
  }
  /// There is nothing to ask for, for this reason.
  void clear(std::string sentence = {}) {
    lane_.clear();
    if (!value_ && sentence_ == sentence) return;
    value_ = nullptr;
    sentence_ = std::move(sentence);
    results_.changed();
  }

 private:
  ResultSet& results_;
  Lane<Request, Result<Pointer>> lane_;
  Pointer value_{};
  std::string sentence_;
  bool keepsValue_ = false;
};

}  // namespace sepx::ui
