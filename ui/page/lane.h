// SPDX-License-Identifier: Apache-2.0
// One kind of background work of a pane. The latest request wins, its results are published as they become available,
// and it can be cancelled and reports its progress. Every request has its own channel, so that a result of an earlier
// request cannot be taken for one of the present request. A Lane is used on the frame thread only and never waits;
// LaneOutput is used on the worker thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "engine/core/exchange.h"
#include "ui/page/job_lanes.h"

namespace sepx::ui {

/// Passes the results of one request from its worker thread to the frame thread.
template <class Value>
struct LaneChannel {
  struct Part {
    Value value{};
    bool last = false;
  };
  Exchange<Part> parts;
};

/// The part of LaneOutput that does not depend on the type of the result. Worker thread only.
class LaneWork {
 public:
  explicit LaneWork(JobContext& job) : job_(job) {}
  bool cancelled() const { return job_.cancelled(); }
  void progress(double share) const { job_.progress(share); }  ///< 0 to 1
  /// cancelled() as a callback for readers of long files, which pass the share that they have completed.
  auto whileReading() const {
    return [this](double) { return cancelled(); };
  }

 protected:
  JobContext& job_;
};

/// The interface that the work sees. After a cancellation nothing is passed on, so the work may then return any value.
template <class Value>
class LaneOutput : public LaneWork {
 public:
  LaneOutput(LaneChannel<Value>& channel, JobContext& job) : LaneWork(job), channel_(channel) {}
  /// Publishes a result so far, or the last one. False if the work was cancelled and can return.
  bool publish(Value value, bool last = false) {
    if (cancelled()) return false;
    auto& slot = channel_.parts.slot();
    slot.value = std::move(value);
    slot.last = last;
    channel_.parts.publish();
    job_.published();
    return true;
  }
  bool finish(Value value) { return publish(std::move(value), true); }

 private:
  LaneChannel<Value>& channel_;
};

template <class Request, class Value>
class Lane {
 public:
  using Output = LaneOutput<Value>;

  /// `name`: of the lane within a pane, "flow.paths".
  explicit Lane(std::string name) : name_(std::move(name)) {}
  ~Lane() { job_.cancel(); }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  /// Starts `work` if `request` differs from the present request, whose work is then cancelled. The previous result
  /// stays until a new one arrives. `jobName`: for the user, translated; empty: not listed. Returns whether work was
  /// started.
  template <class Work>
  bool request(const JobLanes& jobs, Request request, std::string_view jobName, Work work) {
    if (isFor(request)) return false;
    start(jobs, std::move(request), jobName, std::move(work));
    return true;
  }
  /// The same, but also for an equal request. `work(const Request&, Output&)` publishes its results, or returns its
  /// only result as a Value; a returned Result<void> carries the reason of a failure. It must capture by value, because
  /// it may outlive the lane.
  template <class Work>
  void start(const JobLanes& jobs, Request request, std::string_view jobName, Work work);

  /// To be called once a frame. Takes over the newest result of the present request and returns whether there was one.
  /// While the lane is pending, also records in `jobs` that the visible page waits for it.
  bool refresh(const JobLanes& jobs);

  /// Whether this is the present request.
  bool isFor(const Request& request) const { return present_ && present_->request == request; }

  /// The result that was taken over last; null if there was none since clear().
  const Value* result() const { return shown_ ? &shown_->channel.parts.latest().value : nullptr; }
  /// result(), or an empty value while there is none.
  const Value& value() const {
    static const Value none{};
    return shown_ ? *result() : none;
  }
  /// The request that result() belongs to; null if there is none.
  const Request* answered() const { return shown_ ? &shown_->request : nullptr; }
  /// The present request; null if there is none.
  const Request* requested() const { return present_ ? &present_->request : nullptr; }
  /// Whether result() belongs to the present request, even if it is only an intermediate one.
  bool fresh() const { return shown_ && shown_ == present_; }
  /// Whether result() is the last one of its request.
  bool finished() const { return shown_ && shown_->channel.parts.latest().last; }
  std::uint64_t revision() const { return revision_; }  ///< changes with result()

  /// Whether further results of the present request are to come. Otherwise it has finished, was cancelled or has
  /// failed.
  bool pending() const { return pending_; }
  bool complete() const { return !pending_; }
  /// Whether the present request ended before its last result: by cancel(), by the user, or by an error.
  bool cancelled() const { return !pending_ && state_ == JobState::Cancelled; }
  bool failed() const { return !pending_ && state_ == JobState::Failed; }
  std::string failure() const { return failed() ? job_.failure() : std::string(); }
  double progress() const { return job_.share(); }  ///< 0 to 1

  /// Cancels the present request; the result that was taken over stays.
  void cancel();
  /// Cancels the present request and drops request and result. Returns whether there was a request.
  bool clear();

 private:
  struct Run {
    explicit Run(Request asked) : request(std::move(asked)) {}
    const Request request;
    LaneChannel<Value> channel;
  };

  std::string name_;
  JobHandle job_;
  std::shared_ptr<Run> present_, shown_;
  JobState state_ = JobState::Done;  ///< of the present request
  bool pending_ = false;
  std::uint64_t revision_ = 1;
};

template <class Request, class Value>
template <class Work>
void Lane<Request, Value>::start(const JobLanes& jobs, Request request, std::string_view jobName, Work work) {
  present_ = std::make_shared<Run>(std::move(request));
  pending_ = true;
  state_ = JobState::Queued;
  job_ = jobs.start(name_, std::string(jobName),
                    [run = present_, work = std::move(work)](JobContext& job) mutable -> Result<void> {
                      Output output(run->channel, job);
                      using Made = std::invoke_result_t<Work&, const Request&, Output&>;
                      if constexpr (std::is_same_v<Made, Result<void>>) {
                        return work(run->request, output);
                      } else if constexpr (std::is_void_v<Made>) {
                        work(run->request, output);
                      } else {
                        output.finish(work(run->request, output));
                      }
                      return {};
                    });
  jobs.waitFor(job_);
}

template <class Request, class Value>
bool Lane<Request, Value>::refresh(const JobLanes& jobs) {
  if (!pending_) return false;
  const JobState state = job_.state();  // read before the results: an ended job has published all of them
  const bool news = present_->channel.parts.refresh();
  if (news) {
    shown_ = present_;
    ++revision_;
  }
  if (news && present_->channel.parts.latest().last) {
    pending_ = false;
    state_ = JobState::Done;
  } else if (state != JobState::Queued && state != JobState::Running) {
    pending_ = false;
    state_ = state;
  } else {
    jobs.waitFor(job_);
  }
  return news;
}

template <class Request, class Value>
void Lane<Request, Value>::cancel() {
  if (!pending_) return;
  job_.cancel();
  pending_ = false;
  state_ = JobState::Cancelled;
}

template <class Request, class Value>
bool Lane<Request, Value>::clear() {
  cancel();
  state_ = JobState::Done;
  if (shown_) ++revision_;
  shown_ = nullptr;
  return std::exchange(present_, nullptr) != nullptr;
}

}  // namespace sepx::ui
