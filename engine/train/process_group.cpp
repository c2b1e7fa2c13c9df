// SPDX-License-Identifier: Apache-2.0
// See process_group.h.
#include "engine/train/process_group.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/core/try.h"

namespace sepx::train {

template <class Call>
Result<void> ProcessGroup::guarded(const Call& call) {
  if (broken_) return tl::unexpected(noAnswer());
  stopped_ = {};
  Result<void> done = call();
  broken_ = !done;
  return done;
}

Result<void> ProcessGroup::sum(std::span<float> values) {
  return guarded([&] { return doSum(values); });
}

Result<void> ProcessGroup::sum(std::span<double> values) {
  return guarded([&] { return doSum(values); });
}

Result<void> ProcessGroup::broadcast(std::span<std::byte> bytes, int root) {
  return guarded([&] { return doBroadcast(bytes, root); });
}

void ProcessGroup::onStop(std::function<bool()> stop, std::chrono::milliseconds patience) {
  stop_ = std::move(stop);
  patience_ = patience;
}

void ProcessGroup::abandon() {
  broken_ = true;
  doAbandon();
}

bool ProcessGroup::givesUp() {
  if (!stop_ || !stop_()) return false;
  const auto now = std::chrono::steady_clock::now();
  if (stopped_ == std::chrono::steady_clock::time_point{}) stopped_ = now;
  return now - stopped_ >= patience_;
}

Error noAnswer() {
  return {ErrorKind::Interrupted, "the other ranks no longer answer; one of them may have ended"};
}

Result<void> agree(ProcessGroup& group, const Result<void>& mine) {
  std::vector<double> failed(static_cast<std::size_t>(group.size()), 0.0);
  failed[static_cast<std::size_t>(group.rank())] = mine ? 0 : exitStatus(mine.error().kind);
  SEPX_TRY(group.sum(failed));
  const auto first = std::ranges::find_if(failed, [](double one) { return one != 0; });
  if (first == failed.end()) return {};
  const int root = static_cast<int>(first - failed.begin());
  SEPX_ASSIGN(std::string sentence, broadcastText(group, mine ? std::string() : mine.error().message, root));
  if (root != 0) sentence = fmt::format("rank {}: {}", root, sentence);
  return fail(static_cast<ErrorKind>(static_cast<int>(*first)), std::move(sentence));
}

Result<std::string> broadcastText(ProcessGroup& group, const std::string& text, int root) {
  std::uint64_t size = text.size();
  SEPX_TRY(group.broadcast(std::as_writable_bytes(std::span(&size, 1)), root));
  std::string same = text;
  same.resize(size);
  SEPX_TRY(group.broadcast(std::as_writable_bytes(std::span(same)), root));
  return same;
}

}  // namespace sepx::train
