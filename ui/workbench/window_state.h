// SPDX-License-Identifier: Apache-2.0
// State that the parts of one workbench share: the document with its history, the current frame, messages, and the
// request to the host. Plain data; what only one part needs is a member of that part. Frame thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/terminal_text.h"
#include "ui/properties/translated_sentence.h"
#include "ui/properties/widgets.h"
#include "ui/workbench/layout.h"
#include "ui/workbench/workbench.h"

namespace sepx::ui {

inline constexpr int kSettlingFrames = 3;  ///< needed after an event: action, layout of new items, hover state

struct WindowState {
  WorkbenchOptions options;
  History history{Document{}};
  ControlMap controls;
  const Theme* theme = nullptr;
  gpu::Context* gpu = nullptr;  ///< of the last target
  bool chromeShown = true;
  bool figure = false;  ///< the picture alone fills the target

  render::Point size;  ///< of the window, points
  float scale = 1;     ///< pixels per point, as the interface uses it
  double seconds = 0;
  bool framed = false;  ///< a frame was drawn, so positions on the canvas are valid
  Layout layout;
  int settling = kSettlingFrames;  ///< frames still to be drawn although nothing changes

  HostRequest request = HostRequest::None;
  std::string fileDialogKey;  ///< the key that gets the file of the host's dialog
  std::vector<Message> messages;
  std::uint64_t messageRevision = 0;  ///< revision of the document at the last message

  void redraw(int frames = kSettlingFrames) { settling = std::max(settling, frames); }
  void say(Message message) {
    message.text = printableSentence(translatedSentence(message.text));
    messages.push_back(std::move(message));
    messageRevision = history.revision();
    redraw();
  }
  void note(std::string sentence) { say({.level = Message::Level::Note, .text = std::move(sentence), .passes = true}); }
  void error(std::string sentence) { say({Message::Level::Error, std::move(sentence)}); }
  /// The next checkpoint that the host opens becomes the value of `key`, which may belong to any pane.
  void chooseFile(std::string key) {
    fileDialogKey = std::move(key);
    request = HostRequest::OpenDialog;
  }
  bool hasCommand(std::string_view key) const {
    return std::find(options.without.begin(), options.without.end(), key) == options.without.end();
  }
};

}  // namespace sepx::ui
