// SPDX-License-Identifier: Apache-2.0
// Lanes of background work. The frame thread puts a task into the atomic slot of a lane and signals a semaphore. The
// thread of the lane takes the task from the slot. The state of a job that both sides read is atomic (JobRecord). Tasks
// that were replaced before they began go through a ring to the thread of the lane, which destroys them with their
// captures. The frame thread must never wait here, except in waitForPublications() and finish().
#include "engine/core/job.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <semaphore>
#include <system_error>
#include <thread>
#include <utility>

#include "engine/core/command_ring.h"
#include "engine/core/resource_limits.h"
#include "engine/core/thread_name.h"

namespace sepx {

/// Counter on which paced jobs wait. Job handles share it, since they may outlive Jobs.
struct Permits {
  std::atomic<std::uint32_t> given{0};  ///< incremented when paced jobs may continue
  void give() {
    given.fetch_add(1);
    given.notify_all();
  }
};

/// The state of one job that both sides share.
struct JobRecord {
  std::string name;
  std::atomic<JobState> state{JobState::Queued};
  std::atomic<bool> cancelled{false};
  std::atomic<double> share{0};
  std::atomic<std::int64_t> began{0};       ///< count of the steady clock
  std::atomic<std::uint64_t> published{0};  ///< publications so far
  std::atomic<bool> told{false};            ///< ended, and wake was called for it
  std::atomic<std::uint64_t> allowed{1};    ///< number of publications after which a paced job waits
  std::string failure;                      ///< written before `state` becomes Failed
  std::uint64_t awaited = 0;                ///< frame thread: number of publications to wait for
  std::shared_ptr<Permits> permits;         ///< shared by all jobs
};

namespace {

using Clock = std::chrono::steady_clock;

/// The time point `seconds` from now; empty optional: never.
std::optional<Clock::time_point> after(double seconds) {
  constexpr double kForever = 1e9;  // the count of the clock would overflow
  if (seconds >= kForever) return std::nullopt;
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

struct Task {
  Jobs::Work work;
  std::shared_ptr<JobRecord> record;
};

std::optional<double> secondsLeft(const JobRecord& record) {
  const double share = record.share.load(std::memory_order_relaxed);
  if (record.state.load(std::memory_order_acquire) != JobState::Running || share <= 0) return std::nullopt;
  const Clock::duration elapsed = Clock::now().time_since_epoch() - Clock::duration(record.began.load());
  const double seconds = std::chrono::duration<double>(elapsed).count();
  constexpr double kTooEarly = 0.25;  // seconds; earlier estimates are not stable
  if (seconds < kTooEarly) return std::nullopt;
  return seconds * (1 - share) / share;
}

}  // namespace

struct Jobs::Impl {
  struct Lane {
    std::string name;
    std::shared_ptr<JobRecord> latest;  // frame thread
    std::atomic<Task*> slot{nullptr};   // owned by the thread that takes it out
    CommandRing<Task*, 64> replaced;    // frame thread -> lane, to be freed there
    std::counting_semaphore<> signal{0};
    std::thread thread;  // not joinable while the system refuses a thread
  };

  std::function<void()> wake;
  std::vector<std::unique_ptr<Lane>> lanes;  // frame thread
  std::atomic<bool> stop{false};
  std::atomic<bool> paced{false};
  std::atomic<int> pendingWakes{0};  // active, or ended but wake has not been called yet
  std::atomic<int> active{0};        // queued and running
  std::mutex mutex;                  // for `changed` alone; start, cancel, list and idle never lock it
  std::condition_variable changed;   // a publication or an end; waitForPublications and finish wait for it
  std::shared_ptr<Permits> permits = std::make_shared<Permits>();

  class Context;

  Lane& lane(std::string_view name);
  bool begin(Lane& lane);
  void refuse(JobRecord& record) const;
  Lane* find(std::string_view name) const;
  void serve(Lane& lane);
  void run(Task& task);
  void end(JobRecord& record, JobState state);
  void change() {
    { const std::lock_guard lock(mutex); }  // a waiter has by now either seen the change or begun to wait
    changed.notify_all();
  }
  /// Returns false if `deadline` passed first.
  template <class Condition>
  bool waitUntil(std::optional<Clock::time_point> deadline, const Condition& holds) {
    std::unique_lock lock(mutex);
    if (deadline) return changed.wait_until(lock, *deadline, holds);
    changed.wait(lock, holds);
    return true;
  }
};

/// The worker's side of one job.
class Jobs::Impl::Context : public JobContext {
 public:
  Context(Impl& impl, JobRecord& record) : impl_(impl), record_(record) {}
  bool cancelled() const override { return record_.cancelled.load(std::memory_order_relaxed); }
  void progress(double share) override { record_.share.store(share, std::memory_order_relaxed); }
  void published() override {
    if (impl_.wake) impl_.wake();
    record_.published.fetch_add(1);
    impl_.change();
    waitForPermit();
  }

 private:
  void waitForPermit() const {
    for (;;) {
      const std::uint32_t seen = impl_.permits->given.load();
      if (!impl_.paced.load() || record_.cancelled.load() || record_.published.load() < record_.allowed.load()) return;
      impl_.permits->given.wait(seen);
    }
  }
  Impl& impl_;
  JobRecord& record_;
};

Jobs::Impl::Lane* Jobs::Impl::find(std::string_view name) const {
  for (const auto& lane : lanes)
    if (lane->name == name) return lane.get();
  return nullptr;
}

Jobs::Impl::Lane& Jobs::Impl::lane(std::string_view name) {
  if (Lane* known = find(name)) return *known;
  auto made = std::make_unique<Lane>();
  made->name = name;
  return *lanes.emplace_back(std::move(made));
}

/// Whether the lane has its thread.
bool Jobs::Impl::begin(Lane& lane) {
  if (lane.thread.joinable()) return true;
  try {
    lane.thread = std::thread([this, &lane] { serve(lane); });
  } catch (const std::system_error& error) {
    if (!isThreadRefused(error)) throw;
    return false;
  }
  return true;
}

void Jobs::Impl::refuse(JobRecord& record) const {
  record.failure = noThread();
  record.told.store(true);
  record.state.store(JobState::Failed, std::memory_order_release);
  if (wake) wake();
}

void Jobs::Impl::serve(Lane& lane) {
  nameThread(lane.name);
  for (;;) {
    lane.signal.acquire();
    while (const auto replaced = lane.replaced.pop())
      delete *replaced;
    const std::unique_ptr<Task> task(lane.slot.exchange(nullptr));
    if (task) run(*task);
    if (stop.load()) return;
  }
}

void Jobs::Impl::run(Task& task) {
  JobRecord& record = *task.record;
  if (record.cancelled.load()) return end(record, JobState::Cancelled);
  record.began.store(Clock::now().time_since_epoch().count());
  record.state.store(JobState::Running, std::memory_order_release);
  Context context(*this, record);
  JobState state = JobState::Done;
  try {
    const Result<void> result = task.work(context);
    if (!result) {
      record.failure = result.error().message;
      state = result.error().kind == ErrorKind::Interrupted ? JobState::Cancelled : JobState::Failed;
    }
  } catch (const std::bad_alloc&) {
    record.failure = outOfMemory();
    state = JobState::Failed;
  } catch (const std::exception& problem) {
    record.failure = problem.what();
    state = JobState::Failed;
  }
  task.work = nullptr;  // destroys the captures before any thread can see the end
  if (state == JobState::Done) record.share.store(1);
  end(record, record.cancelled.load() ? JobState::Cancelled : state);
}

void Jobs::Impl::end(JobRecord& record, JobState state) {
  record.state.store(state, std::memory_order_release);
  active.fetch_sub(1);
  if (wake) wake();  // before `told`, so that a thread that waits for the end sees the effects of wake
  record.told.store(true);
  pendingWakes.fetch_sub(1);
  change();
}

JobState JobHandle::state() const {
  return record_ ? record_->state.load(std::memory_order_acquire) : JobState::Done;
}

double JobHandle::share() const {
  return record_ ? record_->share.load(std::memory_order_relaxed) : 1;
}

std::string JobHandle::failure() const {
  return state() == JobState::Failed ? record_->failure : std::string();
}

void JobHandle::cancel() const {
  if (!record_) return;
  record_->cancelled.store(true);
  record_->permits->give();  // the job may be waiting for a permit
}

Jobs::Jobs(std::function<void()> wake) : impl_(std::make_unique<Impl>()) {
  impl_->wake = std::move(wake);
}

Jobs::~Jobs() {
  impl_->stop.store(true);
  for (const auto& lane : impl_->lanes) {
    if (lane->latest) lane->latest->cancelled.store(true);
    lane->signal.release();
  }
  impl_->permits->give();
  for (const auto& lane : impl_->lanes) {
    if (lane->thread.joinable()) lane->thread.join();
    while (const auto replaced = lane->replaced.pop())
      delete *replaced;
    delete lane->slot.exchange(nullptr);
  }
}

JobHandle Jobs::start(std::string_view laneName, std::string name, Work work) {
  auto record = std::make_shared<JobRecord>();
  record->name = std::move(name);
  record->permits = impl_->permits;
  const JobHandle handle(record);
  Impl::Lane& lane = impl_->lane(laneName);
  if (!impl_->begin(lane)) {
    lane.latest = std::move(record);
    impl_->refuse(*lane.latest);
    return handle;
  }
  if (lane.latest) lane.latest->cancelled.store(true);
  auto task = std::make_unique<Task>(Task{std::move(work), record});
  lane.latest = std::move(record);
  impl_->active.fetch_add(1);
  impl_->pendingWakes.fetch_add(1);
  if (Task* old = lane.slot.exchange(task.release())) {  // it never began, and no other thread refers to it
    old->record->state.store(JobState::Cancelled, std::memory_order_release);
    impl_->active.fetch_sub(1);
    impl_->pendingWakes.fetch_sub(1);
    if (!lane.replaced.push(old)) delete old;
  }
  impl_->permits->give();  // the replaced job may be waiting for a permit
  lane.signal.release();
  return handle;
}

void Jobs::cancel(std::string_view laneName) {
  if (const Impl::Lane* lane = impl_->find(laneName)) JobHandle(lane->latest).cancel();
}

void Jobs::cancelAll() {
  for (const auto& lane : impl_->lanes)
    JobHandle(lane->latest).cancel();
}

std::vector<JobStatus> Jobs::list() const {
  std::vector<JobStatus> jobs;
  for (const auto& lane : impl_->lanes) {
    const JobRecord& record = *lane->latest;
    JobStatus& status = jobs.emplace_back();
    status.lane = lane->name;
    status.name = record.name;
    status.state = record.state.load(std::memory_order_acquire);
    status.share = record.share.load(std::memory_order_relaxed);
    status.secondsLeft = secondsLeft(record);
    if (status.state == JobState::Failed) status.failure = record.failure;
  }
  return jobs;
}

bool Jobs::refused() const {
  return std::any_of(impl_->lanes.begin(), impl_->lanes.end(),
                     [](const auto& lane) { return !lane->thread.joinable(); });
}

bool Jobs::idle() const {
  return impl_->active.load() == 0;
}

bool Jobs::waitForPublications(double seconds) {
  if (refused()) throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
  std::optional<Clock::time_point> deadline = after(seconds);
  const bool alreadyPaced = impl_->paced.exchange(true);
  for (const auto& lane : impl_->lanes) {
    JobRecord& record = *lane->latest;
    if (!alreadyPaced) record.awaited = record.published.load();
    ++record.awaited;
    record.allowed.store(record.awaited);
  }
  impl_->permits->give();
  bool met = true;
  for (const auto& lane : impl_->lanes) {
    const JobRecord& record = *lane->latest;
    const auto ready = [&record] { return record.told.load() || record.published.load() >= record.awaited; };
    // A job that makes progress is not stuck, so the deadline is renewed whenever its share has changed.
    double share = record.share.load();
    while (!impl_->waitUntil(deadline, ready)) {
      if (std::exchange(share, record.share.load()) == share) {
        met = false;
        break;
      }
      deadline = after(seconds);
    }
  }
  return met;
}

void Jobs::runFree() {
  impl_->paced.store(false);
  impl_->permits->give();
}

void Jobs::finish() {
  const bool paced = impl_->paced.exchange(false);
  impl_->permits->give();
  impl_->waitUntil({}, [this] { return impl_->pendingWakes.load() == 0; });
  impl_->paced.store(paced);
}

}  // namespace sepx
