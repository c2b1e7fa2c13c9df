// SPDX-License-Identifier: Apache-2.0
// Events from one thread to another that nobody waits for and that are not lost: where the ring has no room, its
// producer keeps them until it has. Of what only the newest counts for (what was drawn, whether somebody is there) the
// newest is kept; what was pressed and who ends is kept whole, and full() says when no more of it should be read.
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

enum class Keep { All, Newest };  ///< of those of one kind that wait

template <class Event, std::size_t Capacity>
class EventQueue {
 public:
  /// Producer. Whether the consumer has something new.
  bool push(Event event, Keep keep) {
    if (kept_.empty() && ring_.push(std::move(event))) return true;
    if (keep == Keep::Newest) std::erase_if(kept_, [&](const Event& one) { return kindOf(one) == kindOf(event); });
    kept_.push_back(std::move(event));
    return false;
  }
  /// Producer: moves what waits into the ring. Whether the consumer has something new.
  bool handOver() {
    bool any = false;
    for (; !kept_.empty() && ring_.push(std::move(kept_.front())); any = true)
      kept_.pop_front();
    return any;
  }
  /// Producer.
  bool waits() const { return !kept_.empty(); }
  bool full() const { return kept_.size() >= Capacity; }
  /// Consumer: the oldest.
  std::optional<Event> pop() { return ring_.pop(); }

 private:
  CommandRing<Event, Capacity> ring_;
  std::deque<Event> kept_;
};

}  // namespace sepx::app
