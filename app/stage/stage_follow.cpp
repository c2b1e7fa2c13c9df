// SPDX-License-Identifier: Apache-2.0
// The stage while it follows a studio. It shows each state that arrives and reports when it was on the screen. Keys of
// a presenter's remote are sent to the studio. While no studio is connected, the last picture stays, with a sentence in
// the corner.
#include <chrono>

#include <unistd.h>

#include "app/stage/stage_window.h"
#include "engine/core/log.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

#include <GLFW/glfw3.h>

namespace sepx::app {

namespace {

std::optional<RemoteKey> remoteKey(ui::Key key) {
  switch (key) {
    case ui::Key::PageDown:
    case ui::Key::Right:
    case ui::Key::Space:
      return RemoteKey::Next;
    case ui::Key::PageUp:
    case ui::Key::Left:
      return RemoteKey::Previous;
    case ui::Key::B:
    case ui::Key::Period:
      return RemoteKey::Blank;
    default:
      return std::nullopt;
  }
}

}  // namespace

Result<void> StageWindow::startFollowing() {
  HelloMessage hello;
  hello.program = versionNumber();
  hello.monitor = monitorName_;
  const gpu::Extent size = extent();
  hello.width = int(size.width);
  hello.height = int(size.height);
  link_ = StageLink::follow(options_.follow, std::move(hello), [] { glfwPostEmptyEvent(); });
  if (!link_)
    return fail(ErrorKind::Internal, ui::tr("--follow: the system cannot create another event for a connection"));
  spdlog::info("stage: process {} follows {}", ::getpid(), options_.follow);
  updateQuietSentence();
  return {};
}

/// Sets the sentence that the audience reads while the picture is not what the studio shows.
void StageWindow::updateQuietSentence() {
  std::string words;
  if (!connected_)
    words = lost_.empty() ? ui::tr("Waiting for the studio.") : ui::trFormat("Waiting for the studio: {}.", lost_);
  if (connected_ && !refused_.empty()) words = refused_;
  if (monitorDisconnected_)
    words += (words.empty() ? "" : " ") + ui::trFormat("The screen {} is not connected.", monitorName_);
  session_->workbench().setQuietSentence(words);
}

void StageWindow::takeFollowing(const ui::KeyPressed& key) {
  const bool plain = key.modifiers == ui::Modifiers{};
  ui::Workbench& workbench = session_->workbench();
  const bool help = workbench.controlAt("help.close").has_value();
  if (key.key == ui::Key::Q && key.modifiers == ui::Modifiers{.ctrl = true}) {
    glfwSetWindowShouldClose(window_, GLFW_TRUE);
  } else if (key.key == ui::Key::F11 && plain) {
    toggleFullScreen();
    updateQuietSentence();
  } else if ((key.key == ui::Key::F1 && plain) || key.key == ui::Key::Question ||
             (key.key == ui::Key::Escape && help)) {
    static_cast<void>(workbench.run("help.keys"));
    dirty_ = true;
  } else if (const auto pressed = plain ? remoteKey(key.key) : std::nullopt) {
    if (connected_) return link_->send(KeyMessage{*pressed});
    if (*pressed == RemoteKey::Blank) toggleLocalBlank();
  }
}

/// Switches the black screen on or off without a studio. The next state of a studio overrides it.
void StageWindow::toggleLocalBlank() {
  const StageLink::State& latest = link_->latest();
  if (latest.number == 0) return;  // no studio has been connected yet
  ui::Presented shown = latest.shown;
  shown.blank = !std::exchange(blankedLocally_, !blankedLocally_);
  static_cast<void>(session_->workbench().follow(shown, latest.lesson));
  dirty_ = true;
}

bool StageWindow::followStudio() {
  bool news = false;
  while (const auto event = link_->next()) {
    news = true;
    if (event->kind == StageLink::Event::Kind::EndRequested) glfwSetWindowShouldClose(window_, GLFW_TRUE);
    if (event->kind == StageLink::Event::Kind::Connected) {
      connected_ = true;
      blankedLocally_ = false;
      lost_.clear();
    } else if (event->kind == StageLink::Event::Kind::Disconnected) {
      connected_ = false;
      lost_ = event->sentence;
      if (!lost_.empty()) spdlog::warn("the link to the studio ended: {}", lost_);
    }
    updateQuietSentence();
  }
  if (!link_->refresh()) return news;
  const StageLink::State& latest = link_->latest();
  const Result<void> done = latest.lessonError.empty() ? session_->workbench().follow(latest.shown, latest.lesson)
                                                       : fail(ErrorKind::BadInput, latest.lessonError);
  const std::string refused = done ? std::string() : done.error().message;
  if (std::exchange(refused_, refused) != refused) updateQuietSentence();
  if (done) followed_ = latest.number;
  return true;
}

void StageWindow::reportDrawn() {
  const auto number = std::exchange(followed_, std::nullopt);
  if (!number) return;
  const std::chrono::nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
  link_->send(DrawnMessage{*number, now.count()});
}

}  // namespace sepx::app
