// SPDX-License-Identifier: Apache-2.0
// The results of all initial points. Stale points are followed within the frame as long as there is time, the selected
// one first; a job follows the rest. Until a point has been followed, it keeps its previous result. Frame thread only.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"

namespace sepx::ui {

/// `Work`: the inputs of a point's result. `bool serves(const Work& wanted) const` tells whether a result of this work
/// can be used for `wanted`.
template <class Work, class Result>
class FollowedPoints {
 public:
  /// `lane`: name of the lane of its job. `atOnce`: how many points are followed within a frame under a script, whose
  /// pictures must not depend on the speed of the machine.
  FollowedPoints(std::string lane, std::size_t atOnce) : lane_(std::move(lane)), atOnce_(atOnce) {}

  /// `work(i)`: the work of point i. `follow(work)`: computes its result, on any thread. `standing(work)`: the
  /// placeholder for a point that has not been followed yet.
  template <class WorkOf, class Follow, class Standing>
  void update(std::size_t count, int selected, const WorkOf& work, const Follow& follow, const Standing& standing,
              const char* jobName, ExhibitContext& context);

  /// Never null; `i` below size().
  const Result& operator[](std::size_t i) const { return *entries_[i].result; }
  std::size_t size() const { return entries_.size(); }
  /// The revisions change with the content: of all points, and of one.
  std::uint64_t revision() const { return revision_; }
  std::uint64_t revision(std::size_t i) const { return entries_[i].revision; }
  bool complete() const { return complete_; }

 private:
  struct Entry {
    Work work;
    bool pending = false;  ///< `result` is out of date
    std::uint64_t revision = 0;
    std::shared_ptr<const Result> result;
  };
  using Entries = std::vector<std::pair<std::size_t, Entry>>;  ///< with the index of their point

  void collect(ExhibitContext& context);
  /// The pending points: the selected one first, then the others in turn.
  std::vector<std::size_t> waiting(int selected) const;
  /// Follows points of `order` within the frame and returns how many.
  template <class Follow>
  std::size_t followAtOnce(const std::vector<std::size_t>& order, const Follow& follow, bool scripted);

  std::vector<Entry> entries_;
  std::uint64_t revision_ = 1;
  std::size_t turn_ = 0;  ///< index at which following within the frame continues
  bool complete_ = true;
  Lane<Entries, Entries> lane_;
  std::size_t atOnce_;
};

template <class Work, class Result>
template <class WorkOf, class Follow, class Standing>
void FollowedPoints<Work, Result>::update(std::size_t count, int selected, const WorkOf& work, const Follow& follow,
                                          const Standing& standing, const char* jobName, ExhibitContext& context) {
  collect(context);
  if (entries_.size() != count) ++revision_;
  entries_.resize(count);
  bool news = false;
  for (std::size_t i = 0; i < count; ++i) {
    Entry& entry = entries_[i];
    const Work wanted = work(i);
    if (entry.result && entry.work.serves(wanted)) continue;
    std::shared_ptr<const Result> before =
        entry.result ? entry.result : std::make_shared<const Result>(standing(wanted));
    entry = {wanted, true, ++revision_, std::move(before)};
    news = true;
  }
  if (news) {
    const std::vector<std::size_t> order = waiting(selected);
    Entries rest;
    for (std::size_t i = followAtOnce(order, follow, context.scripted); i < order.size(); ++i)
      rest.emplace_back(order[i], entries_[order[i]]);
    if (!rest.empty())
      lane_.start(context.jobs, std::move(rest), jobName,
                  [follow, &pool = context.pool](const Entries& request, auto& output) {
                    Entries made = request;
                    pool.parallelFor(0, made.size(), 4, [&](std::size_t first, std::size_t last) {
                      for (std::size_t i = first; i < last && !output.cancelled(); ++i) {
                        made[i].second.result = std::make_shared<const Result>(follow(made[i].second.work));
                        made[i].second.pending = false;
                      }
                    });
                    return made;
                  });
    ++revision_;
  }
  complete_ = std::none_of(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.pending; });
}

template <class Work, class Result>
void FollowedPoints<Work, Result>::collect(ExhibitContext& context) {
  const Entries none;
  for (const auto& [index, done] : lane_.refresh(context.jobs) ? *lane_.result() : none) {
    if (index >= entries_.size() || !entries_[index].pending || !done.work.serves(entries_[index].work)) continue;
    entries_[index] = done;
    entries_[index].revision = ++revision_;
  }
  if (lane_.complete() && lane_.clear())
    for (Entry& entry : entries_)  // also after a cancel: there will be no further results
      entry.pending = false;
}

template <class Work, class Result>
std::vector<std::size_t> FollowedPoints<Work, Result>::waiting(int selected) const {
  std::vector<std::size_t> order;
  const auto first = static_cast<std::size_t>(std::max(selected, 0));
  const std::size_t count = entries_.size();
  if (first < count && entries_[first].pending) order.push_back(first);
  for (std::size_t i = 0; i < count; ++i)
    if (const std::size_t index = (turn_ + i) % count; entries_[index].pending && index != first)
      order.push_back(index);
  return order;
}

template <class Work, class Result>
template <class Follow>
std::size_t FollowedPoints<Work, Result>::followAtOnce(const std::vector<std::size_t>& order, const Follow& follow,
                                                       bool scripted) {
  constexpr double kFollowingMs = 8;
  const auto begin = std::chrono::steady_clock::now();
  std::size_t done = 0;
  for (; done < order.size(); ++done) {
    const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - begin;
    if (scripted ? done == atOnce_ : done > 0 && spent.count() > kFollowingMs) break;
    Entry& entry = entries_[order[done]];
    entry.result = std::make_shared<const Result>(follow(entry.work));
    entry.pending = false;
    entry.revision = ++revision_;
    turn_ = order[done] + 1;
  }
  return done;
}

}  // namespace sepx::ui
