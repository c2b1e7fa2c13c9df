// SPDX-License-Identifier: Apache-2.0
// The result of one kind of background work as a page shows it: the latest value, or one sentence that tells why there
// is none. Every change of either is counted in the ResultSet of the page, so that the page knows when to rebuild its
// views. Frame thread.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "engine/core/result.h"
#include "ui/canvas/page_draw.h"
#include "ui/page/lane.h"

namespace sepx::ui {

/// Counts the changes of all background results of a page.
class ResultSet {
 public:
  void changed() { ++revision_; }
  /// Takes a digest of what else is shown. A digest that differs from the previous one counts as a change.
  void follow(std::uint64_t digest) {
    if (std::exchange(digest_, digest) != digest) changed();
  }
  std::uint64_t revision() const { return revision_; }

 private:
  std::uint64_t revision_ = 0, digest_ = 0;
};

/// `Pointer`: a shared pointer to the value; null: there is none.
template <class Request, class Pointer>
class LaneResult {
 public:
  /// `name`: of the lane, "reversal.checkpoint". `results` must outlive this object.
  LaneResult(ResultSet& results, std::string name) : results_(results), lane_(std::move(name)) {}

  const Pointer& value() const { return value_; }
  /// Why there is no value, or why it is not the requested one; empty: there is no error.
  const std::string& sentence() const { return sentence_; }
  bool pending() const { return lane_.pending(); }
  bool complete() const { return lane_.complete(); }
  /// The present request; null: none.
  const Request* requested() const { return lane_.requested(); }

  /// To be called once a frame: takes over a finished result.
  void refresh(const JobLanes& jobs) {
    if (!lane_.refresh(jobs)) return;
    const Result<Pointer>& made = *lane_.result();
    if (made || !keepsValue_) value_ = made ? *made : nullptr;
    sentence_ = made ? std::string() : sentenceCase(made.error().message);
    results_.changed();
  }
  /// Starts `work` if `request` differs from the present one. The old value stays until the new one arrives; with
  /// `keepsValue` it also stays if the new one fails.
  template <class Work>
  void ask(const JobLanes& jobs, Request request, std::string_view jobName, Work work, bool keepsValue = false) {
    if (lane_.request(jobs, std::move(request), jobName, std::move(work))) keepsValue_ = keepsValue;
  }
  /// Drops request and value; `sentence` tells why there is nothing to request.
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
