// SPDX-License-Identifier: Apache-2.0
// The messages between studio and stage, as values and as JSON text. The studio sends what it shows: the whole document
// after the stage's hello, then its changes. The stage reports which of these states it has drawn, and which keys of a
// remote were pressed there. Each side says goodbye before a regular end. Times are nanoseconds of CLOCK_MONOTONIC.
// Pure; any thread.
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

/// Increases with every change that an older program would misread. Both sides refuse any other version.
inline constexpr int kPresentationVersion = 2;

/// The first message of each side.
struct HelloMessage {
  int version = kPresentationVersion;
  std::string program;        ///< version number of the sending program
  std::string monitor{};      ///< name of the stage's monitor; empty: a window
  int width = 0, height = 0;  ///< of the stage, pixels
};

/// What the studio shows. `shown.document` is empty: the document is `document`, or the previous one with `changes`
/// applied. `shown.live` is empty: the runs are in `live`, which continues earlier messages about the same runs.
struct StateMessage {
  std::uint64_t number = 0;  ///< increases
  std::int64_t time = 0;     ///< start of the studio's frame that shows it
  std::optional<ui::Json> document{};
  std::vector<DocumentChange> changes{};
  ui::Presented shown{};
  std::vector<LiveUpdate> live{};
};

/// The stage's screen shows a state.
struct DrawnMessage {
  std::uint64_t number = 0;
  std::int64_t time = 0;  ///< when it was handed to the screen
};

enum class RemoteKey { Next, Previous, Blank };
struct KeyMessage {
  RemoteKey key = RemoteKey::Next;
};

/// `ends`: the other side must end too (the studio closes the stage).
struct GoodbyeMessage {
  bool ends = false;
};

using LinkMessage = std::variant<HelloMessage, StateMessage, DrawnMessage, KeyMessage, GoodbyeMessage>;

std::string encode(const LinkMessage& message);
/// BadInput with one sentence if the text is not JSON, the kind is unknown, or a field is missing or has the wrong
/// type.
Result<LinkMessage> decode(std::string_view text);

}  // namespace sepx::app
