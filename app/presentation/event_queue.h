// SPDX-License-Identifier: Apache-2.0
// Passes events from one thread to another without blocking and without loss: the producer keeps the events that do not
// fit in the ring until there is room. If only the newest event of a kind matters (what was drawn, whether the other
// side is connected), only that one is kept. Pressed keys and requests to end are all kept, and full() tells when no
// more of them should be read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <utility>
#include <variant>

#include "engine/core/command_ring.h"

namespace sepx::app {

template <class Event>
auto kindOf(const Event& event) {
  return event.kind;
}
template <class... Messages>
std::size_t kindOf(const std::variant<Messages...>& message) {
  return message.index();
}

enum class Keep { All, Newest };  ///< which waiting events of one kind are kept

template <class Event, std::size_t Capacity>
class EventQueue {
 public:
  /// Producer. Returns whether the consumer has something new.
  bool push(Event event, Keep keep) {
    if (pending_.empty() && ring_.push(std::move(event))) return true;
    if (keep == Keep::Newest) std::erase_if(pending_, [&](const Event& one) { return kindOf(one) == kindOf(event); });
    pending_.push_back(std::move(event));
    return false;
  }
  /// Producer: moves waiting events into the ring. Returns whether the consumer has something new.
  bool movePendingToRing() {
    bool any = false;
    for (; !pending_.empty() && ring_.push(std::move(pending_.front())); any = true)
      pending_.pop_front();
    return any;
  }
  /// Producer.
  bool hasPending() const { return !pending_.empty(); }
  bool full() const { return pending_.size() >= Capacity; }
  /// Consumer: removes and returns the oldest event.
  std::optional<Event> pop() { return ring_.pop(); }

 private:
  CommandRing<Event, Capacity> ring_;
  std::deque<Event> pending_;
};

}  // namespace sepx::app
