// SPDX-License-Identifier: Apache-2.0
// One thread owns the second Context and all kernels created on it. Sources send it tasks and wait, and meanwhile check
// whether their job was cancelled.
#include "engine/gpu/kernels/qk_source.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <thread>

#include "engine/core/try.h"
#include "engine/gpu/context.h"
#include "engine/gpu/device_name.h"
#include "engine/gpu/kernels/qk_kernel.h"
#include "engine/gpu/kernels/qk_prepare.h"

namespace sepx::gpu {

namespace {

using attention::Crop;
using attention::Part;
using attention::Picture;
using attention::Pool;
using attention::TileSource;
using Eigen::Index;
using Clock = std::chrono::steady_clock;

double msSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// The thread with its Context and its kernels, which have numbers. Tasks run in the order in which they were queued.
class DeviceThread {
 public:
  explicit DeviceThread(std::string device) : device_(std::move(device)), thread_([this] { run(); }) {}
  ~DeviceThread() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }

  /// Queues `task` for the thread. The caller waits on the future, which returns the answer or rethrows the task's
  /// exception.
  template <class Answer>
  std::future<Answer> ask(std::function<Answer(DeviceThread&)> task) {
    const auto work =
        std::make_shared<std::packaged_task<Answer()>>([this, task = std::move(task)] { return task(*this); });
    std::future<Answer> answer = work->get_future();
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back([work] { (*work)(); });
    }
    wake_.notify_all();
    return answer;
  }

  // Only for tasks.
  Result<std::uint64_t> makeKernel(const QkData& data);
  /// Null if the device was lost and another source has set it up again.
  QkKernel* kernel(std::uint64_t id) {
    const auto found = kernels_.find(id);
    return found == kernels_.end() ? nullptr : found->second.get();
  }
  void drop(std::uint64_t id) { kernels_.erase(id); }
  Context* context() { return context_.get(); }
  std::string name() const { return context_ ? deviceName(*context_) : std::string(); }

 private:
  void run();

  const std::string device_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;  // guarded by mutex_
  bool stop_ = false;                        // guarded by mutex_
  std::unique_ptr<Context> context_;
  std::map<std::uint64_t, std::unique_ptr<QkKernel>> kernels_;
  std::uint64_t next_ = 1;
  std::thread thread_;  // last: starts when all other members exist
};

void DeviceThread::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stop_ || !tasks_.empty(); });
    if (tasks_.empty()) break;
    const std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
  kernels_.clear();
  context_.reset();
}

Result<std::uint64_t> DeviceThread::makeKernel(const QkData& data) {
  if (context_ && context_->lost()) {
    kernels_.clear();
    context_.reset();
  }
  if (!context_) {
    SEPX_ASSIGN(context_, Context::create({.device = device_}));
  }
  SEPX_ASSIGN(kernels_[next_], QkKernel::create(*context_, data));
  return next_++;
}

/// One thread per device, as long as any source uses it. The threads belong to the process, as the devices do.
std::shared_ptr<DeviceThread> deviceThread(const std::string& device) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<DeviceThread>> threads;
  const std::lock_guard lock(mutex);
  if (auto running = threads[device].lock()) return running;
  auto started = std::make_shared<DeviceThread>(device);
  threads[device] = started;
  return started;
}

class TilesOnDevice final : public TileSource {
 public:
  static Result<std::unique_ptr<TilesOnDevice>> create(const std::string& device, std::shared_ptr<const QkData> data);
  ~TilesOnDevice() override;

  Index rows() const override { return rows_; }
  Index columns() const override { return columns_; }
  std::string device() const override { return name_; }
  /// The values are also empty when the device failed; failed() is then true.
  Picture picture(const Crop& crop, Index step, Part part, Pool pool, const std::function<bool()>& cancelled) override;
  bool failed() const { return failed_; }

 private:
  explicit TilesOnDevice(std::shared_ptr<DeviceThread> thread) : thread_(std::move(thread)) {}
  std::shared_ptr<DeviceThread> thread_;
  std::uint64_t kernel_ = 0;
  Index rows_ = 0, columns_ = 0;
  std::string name_;
  bool failed_ = false;
};

Result<std::unique_ptr<TilesOnDevice>> TilesOnDevice::create(const std::string& device,
                                                             std::shared_ptr<const QkData> data) {
  struct Made {
    Result<std::uint64_t> kernel;
    Index rows = 0, columns = 0;
    std::string name;
  };
  std::unique_ptr<TilesOnDevice> tiles(new TilesOnDevice(deviceThread(device)));
  const Made made = tiles->thread_
                        ->ask<Made>([data](DeviceThread& thread) {
                          Made answer{thread.makeKernel(*data), 0, 0, thread.name()};
                          if (answer.kernel) {
                            answer.rows = thread.kernel(*answer.kernel)->rows();
                            answer.columns = thread.kernel(*answer.kernel)->columns();
                          }
                          return answer;
                        })
                        .get();
  if (!made.kernel) return tl::unexpected(made.kernel.error());
  tiles->kernel_ = *made.kernel;
  tiles->rows_ = made.rows;
  tiles->columns_ = made.columns;
  tiles->name_ = made.name;
  return tiles;
}

TilesOnDevice::~TilesOnDevice() {
  if (kernel_ == 0) return;
  try {
    thread_->ask<void>([id = kernel_](DeviceThread& thread) { thread.drop(id); });
  } catch (const std::bad_alloc&) {
    // The kernel stays until its thread ends.
  }
}

Picture TilesOnDevice::picture(const Crop& crop, Index step, Part part, Pool pool,
                               const std::function<bool()>& cancelled) {
  auto stop = std::make_shared<std::atomic<bool>>(false);
  std::future<std::optional<Picture>> answer =
      thread_->ask<std::optional<Picture>>([=, id = kernel_](DeviceThread& thread) -> std::optional<Picture> {
        QkKernel* const kernel = thread.kernel(id);
        if (!kernel) return std::nullopt;
        if (*stop) return Picture{};
        kernel->start(crop, step, part, pool);
        if (!kernel->finish([&] { return stop->load(); })) return std::nullopt;
        return *stop ? Picture{} : kernel->picture();
      });
  while (answer.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready)
    if (cancelled && cancelled()) *stop = true;
  std::optional<Picture> made = answer.get();
  failed_ = failed_ || !made;
  return made ? std::move(*made) : Picture{};
}

/// Uses the CPU or the device. Falls back to the CPU permanently when the device fails.
class TilesOnEither final : public TileSource {
 public:
  TilesOnEither(QkChoice choice, std::shared_ptr<const attention::LayerFactors> factors, ThreadPool* pool,
                std::vector<int> rowOrder, std::vector<int> columnOrder)
      : choice_(std::move(choice)),
        factors_(std::move(factors)),
        pool_(pool),
        rowOrder_(std::move(rowOrder)),
        columnOrder_(std::move(columnOrder)) {}

  Index rows() const override { return factors_->rows(); }
  Index columns() const override { return factors_->columns(); }
  std::string device() const override { return lastOnDevice_ ? onDevice_->device() : onCpu().device(); }
  Picture picture(const Crop& crop, Index step, Part part, Pool pool, const std::function<bool()>& cancelled) override;
  /// Returns an empty string on success, otherwise the error message.
  std::string openDevice();

 private:
  TileSource& onCpu() const;
  bool wantsDevice(double terms);

  QkChoice choice_;
  std::shared_ptr<const attention::LayerFactors> factors_;
  ThreadPool* pool_;
  std::vector<int> rowOrder_, columnOrder_;
  mutable std::unique_ptr<TileSource> onCpu_;  // made when first needed
  std::unique_ptr<TilesOnDevice> onDevice_;
  bool lastOnDevice_ = false, broken_ = false;
};

/// Measured milliseconds per term on large pictures, over all sources of the process; empty until measured.
struct Speeds {
  std::mutex mutex;
  std::optional<double> cpu, device;
};
Speeds& speeds() {
  static Speeds instance;
  return instance;
}
/// Below this number of product terms, the CPU finishes the picture before a device has received its commands.
constexpr double kMinDeviceTerms = 1e9;

TileSource& TilesOnEither::onCpu() const {
  if (!onCpu_) onCpu_ = attention::makeTileSource(factors_, pool_, rowOrder_, columnOrder_);
  return *onCpu_;
}

std::string TilesOnEither::openDevice() {
  auto made = TilesOnDevice::create(choice_.device, prepareQk(factors_, pool_, rowOrder_, columnOrder_));
  broken_ = !made;
  if (!made) return made.error().message;
  onDevice_ = std::move(*made);
  return {};
}

bool TilesOnEither::wantsDevice(double terms) {
  if (broken_) return false;
  if (choice_.use == QkUse::Gpu) return true;
  if (terms < kMinDeviceTerms) return false;
  Speeds& known = speeds();
  const std::lock_guard lock(known.mutex);
  if (!known.cpu) return false;  // the first picture is computed on the CPU, so that no device has to be opened
  return !known.device || *known.device < *known.cpu;
}

Picture TilesOnEither::picture(const Crop& crop, Index step, Part part, Pool pool,
                               const std::function<bool()>& cancelled) {
  const double entries = static_cast<double>(crop.rows()) * static_cast<double>(crop.columns());
  const double pixels =
      step > 1 && pool == Pool::Mean ? entries / (static_cast<double>(step) * static_cast<double>(step)) : entries;
  const double terms = pixels * static_cast<double>(factors_->W_K.cols()) * (part == Part::Full ? 1 : 2);
  if (wantsDevice(terms) && (onDevice_ || openDevice().empty())) {
    const Clock::time_point begin = Clock::now();
    Picture made = onDevice_->picture(crop, step, part, pool, cancelled);
    if (!onDevice_->failed()) {
      lastOnDevice_ = true;
      if (!made.values.empty() && terms >= kMinDeviceTerms) {
        const std::lock_guard lock(speeds().mutex);
        speeds().device = msSince(begin) / terms;
      }
      return made;
    }
    broken_ = true;  // the device was lost: continue on the CPU
  }
  lastOnDevice_ = false;
  TileSource& cpu = onCpu();
  const Clock::time_point begin = Clock::now();
  Picture made = cpu.picture(crop, step, part, pool, cancelled);
  if (!made.values.empty() && terms >= kMinDeviceTerms) {
    const std::lock_guard lock(speeds().mutex);
    speeds().cpu = msSince(begin) / terms;
  }
  return made;
}

}  // namespace

QkChoice qkChoice(const Context* context, QkUse asked) {
  if (asked == QkUse::Cpu || !context || context->lost()) return {};
  if (asked == QkUse::Faster && context->info().software) return {};
  return {asked, std::to_string(context->info().index)};
}

QkSource makeQkSource(const QkChoice& choice, std::shared_ptr<const attention::LayerFactors> factors, ThreadPool* pool,
                      std::vector<int> rowOrder, std::vector<int> columnOrder) {
  if (choice.use == QkUse::Cpu)
    return {attention::makeTileSource(std::move(factors), pool, std::move(rowOrder), std::move(columnOrder)), {}};
  auto either =
      std::make_unique<TilesOnEither>(choice, std::move(factors), pool, std::move(rowOrder), std::move(columnOrder));
  std::string note;
  if (choice.use == QkUse::Gpu) note = either->openDevice();
  return {std::move(either), std::move(note)};
}

void onQkThread(const QkChoice& choice, const std::function<void(Context*)>& task) {
  deviceThread(choice.device)->ask<void>([&task](DeviceThread& thread) { task(thread.context()); }).get();
}

}  // namespace sepx::gpu
