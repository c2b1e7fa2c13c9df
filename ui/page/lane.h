// SPDX-License-Identifier: Apache-2.0
// One kind of background work of a pane: the latest request wins, its results are published as they come, it can be
// cancelled, it has a progress. Every request has a channel of its own, so that nothing of an earlier one can be taken
// for its result. All of a Lane belongs to the frame thread and never waits; LaneOutput belongs to the worker.
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

/// What one request hands from its worker to the frame.
template <class Value>
struct LaneChannel {
  struct Part {
    Value value{};
    bool last = false;
  };
  Exchange<Part> parts;
};

/// What parts of the work see, whatever comes of it. Worker thread only.
class LaneWork {
 public:
  explicit LaneWork(JobContext& job) : job_(job) {}
  bool cancelled() const { return job_.cancelled(); }
  void progress(double share) const { job_.progress(share); }  ///< 0 to 1
  /// cancelled() for readers of long files, which ask it with the share that they have done.
  auto whileReading() const {
    return [this](double) { return cancelled(); };
  }

 protected:
  JobContext& job_;
};

/// What the work sees. After a cancel nothing is handed over any more, so that work may return whatever it has.
template <class Value>
class LaneOutput : public LaneWork {
 public:
  LaneOutput(LaneChannel<Value>& channel, JobContext& job) : LaneWork(job), channel_(channel) {}
  /// A result so far, or the last one. False: the work was cancelled and can return.
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

  /// Starts `work` for another request than the present one; what runs for that is cancelled. A result of before stays
  /// until the new one comes. `jobName`: for the person, translated; empty: not listed. Returns whether it started.
  template <class Work>
  bool request(const JobLanes& jobs, Request request, std::string_view jobName, Work work) {
    if (isFor(request)) return false;
    start(jobs, std::move(request), jobName, std::move(work));
    return true;
  }
  /// The same, also for an equal request. `work(const Request&, Output&)` publishes, or returns its only result as a
  /// Value; with a Result<void> it says why it failed. It captures values only: it may outlive the lane.
  template <class Work>
  void start(const JobLanes& jobs, Request request, std::string_view jobName, Work work);

  /// Once a frame: takes over the newest result of the present request; true: there was one. Also says to `jobs` that
  /// the page in view waits for this lane.
  bool refresh(const JobLanes& jobs);

  /// The present request is this one.
  bool isFor(const Request& request) const { return present_ && present_->request == request; }

  /// What was taken over last; null: nothing since clear().
  const Value* result() const { return shown_ ? &shown_->channel.parts.latest().value : nullptr; }
  /// result(), or an empty value while there is none.
  const Value& value() const {
    static const Value none{};
    return shown_ ? *result() : none;
  }
  /// The request that result() answers; null where there is none.
  const Request* answered() const { return shown_ ? &shown_->request : nullptr; }
  /// The present request; null where there is none.
  const Request* requested() const { return present_ ? &present_->request : nullptr; }
  /// result() answers the present request, if only with a first part.
  bool fresh() const { return shown_ && shown_ == present_; }
  /// result() is the last one of the request that it answers.
  bool finished() const { return shown_ && shown_->channel.parts.latest().last; }
  std::uint64_t revision() const { return revision_; }  ///< changes with result()

  /// Better results of the present request are still to come; otherwise it has ended: finished, cancelled or failed.
  bool pending() const { return pending_; }
  bool complete() const { return !pending_; }
  /// The present request ended before its last result: given up by cancel(), by the person, or by an error.
  bool cancelled() const { return !pending_ && state_ == JobState::Cancelled; }
  bool failed() const { return !pending_ && state_ == JobState::Failed; }
  std::string failure() const { return failed() ? job_.failure() : std::string(); }
  double progress() const { return job_.share(); }  ///< 0 to 1

  /// Gives the present request up; what was taken over stays.
  void cancel();
  /// Gives it up and forgets request and result. Returns whether there was a request.
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
  const JobState state = job_.state();  // before the results: an ended job has published all of them
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
