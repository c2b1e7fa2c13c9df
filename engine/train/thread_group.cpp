// SPDX-License-Identifier: Apache-2.0
// See thread_group.h. The last rank to arrive combines the values of all ranks. The result cannot be overwritten before
// all have read it, because the next round needs all ranks again.
#include "engine/train/thread_group.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>

namespace sepx::train {
namespace {

struct Hub {
  explicit Hub(int size) : contributions(static_cast<std::size_t>(size)) {}

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::vector<std::byte>> contributions;  ///< values, by rank
  std::vector<std::byte> outcome;
  std::size_t arrived = 0;
  std::uint64_t rounds = 0;  ///< completed so far
  bool broken = false;       ///< a rank has left
};

template <class T>
std::vector<std::byte> sumOf(const std::vector<std::vector<std::byte>>& contributions) {
  std::vector<T> total(contributions.front().size() / sizeof(T)), one(total.size());
  for (const std::vector<std::byte>& its : contributions) {
    if (its.size() != contributions.front().size()) continue;  // the receiver detects the wrong size
    if (!its.empty()) std::memcpy(one.data(), its.data(), its.size());
    for (std::size_t i = 0; i < total.size(); ++i)
      total[i] += one[i];
  }
  const auto bytes = std::as_bytes(std::span(total));
  return {bytes.begin(), bytes.end()};
}

class ThreadMember final : public ProcessGroup {
 public:
  ThreadMember(std::shared_ptr<Hub> hub, int rank) : hub_(std::move(hub)), rank_(rank) {}
  ~ThreadMember() override { leave(); }
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(hub_->contributions.size()); }

 protected:
  Result<void> doSum(std::span<float> values) override {
    return exchange(std::as_writable_bytes(values), [this] { return sumOf<float>(hub_->contributions); });
  }
  Result<void> doSum(std::span<double> values) override {
    return exchange(std::as_writable_bytes(values), [this] { return sumOf<double>(hub_->contributions); });
  }
  Result<void> doBroadcast(std::span<std::byte> bytes, int root) override {
    return exchange(bytes, [this, root] { return hub_->contributions[static_cast<std::size_t>(root)]; });
  }
  void doAbandon() override { leave(); }

 private:
  void leave() {
    const std::lock_guard lock(hub_->mutex);
    hub_->broken = true;
    hub_->changed.notify_all();
  }

  template <class Combine>
  Result<void> exchange(std::span<std::byte> values, const Combine& combine) {
    constexpr std::chrono::milliseconds kLook{1};
    std::unique_lock lock(hub_->mutex);
    const std::uint64_t round = hub_->rounds;
    hub_->contributions[static_cast<std::size_t>(rank_)].assign(values.begin(), values.end());
    if (++hub_->arrived == hub_->contributions.size()) {
      hub_->outcome = combine();
      hub_->arrived = 0;
      ++hub_->rounds;
      hub_->changed.notify_all();
    }
    while (hub_->rounds == round) {
      if (hub_->broken || givesUp()) {
        hub_->broken = true;
        hub_->changed.notify_all();
        return tl::unexpected(noAnswer());
      }
      hub_->changed.wait_for(lock, kLook);
    }
    if (hub_->outcome.size() != values.size())
      return fail(ErrorKind::Internal, "the ranks of the group made different calls");
    std::ranges::copy(hub_->outcome, values.begin());
    return {};
  }

  std::shared_ptr<Hub> hub_;
  int rank_;
};

}  // namespace

std::vector<std::unique_ptr<ProcessGroup>> makeThreadGroup(int size) {
  const auto hub = std::make_shared<Hub>(size);
  std::vector<std::unique_ptr<ProcessGroup>> members;
  for (int rank = 0; rank < size; ++rank)
    members.push_back(std::make_unique<ThreadMember>(hub, rank));
  return members;
}

}  // namespace sepx::train
