// SPDX-License-Identifier: Apache-2.0
// What studio and stage say to each other, as values and as JSON text. The studio sends what it shows: the document as
// a whole after the stage's hello, then its changes; the stage answers which of these it has drawn, and keys of a
// remote that were pressed there. Either says goodbye before it ends in order. Times are nanoseconds of
// CLOCK_MONOTONIC. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/presentation/document_changes.h"
#include "app/presentation/live_runs.h"
#include "engine/core/result.h"
#include "ui/workbench/presented.h"

namespace sepx::app {

/// Grows with every change that an older program would misread: another number is refused by both sides.
inline constexpr int kPresentationVersion = 2;

/// The first message of each side.
struct HelloMessage {
  int version = kPresentationVersion;
  std::string program;        ///< version of the program, for the sentence about another one
  std::string monitor{};      ///< of the stage: name of the monitor; empty: a window
  int width = 0, height = 0;  ///< of the stage, pixels
};

/// What the studio shows. `shown.document` is empty: it is `document`, or the one before with `changes`. `shown.live`
/// is empty: it is `live`, with what was said of these runs before.
struct StateMessage {
  std::uint64_t number = 0;  ///< grows
  std::int64_t time = 0;     ///< when the frame began that shows it in the studio
  std::optional<ui::Json> document{};
  std::vector<DocumentChange> changes{};
  ui::Presented shown{};
  std::vector<LiveNews> live{};
};

/// A state is on the stage's screen.
struct DrawnMessage {
  std::uint64_t number = 0;
  std::int64_t time = 0;  ///< when it was handed to the screen
};

enum class RemoteKey { Next, Previous, Blank };
struct KeyMessage {
  RemoteKey key = RemoteKey::Next;
};

/// `ends`: the other side is to end too (the studio closes the stage).
struct GoodbyeMessage {
  bool ends = false;
};

using LinkMessage = std::variant<HelloMessage, StateMessage, DrawnMessage, KeyMessage, GoodbyeMessage>;

std::string encode(const LinkMessage& message);
/// BadInput with one sentence: not JSON, of no known kind, a field that is not there or not of its kind.
Result<LinkMessage> decode(std::string_view text);

}  // namespace sepx::app
