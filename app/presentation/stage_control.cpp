// SPDX-License-Identifier: Apache-2.0
// See stage_control.h.
#include "app/presentation/stage_control.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <utility>

#include <sys/wait.h>

#include "engine/core/log.h"
#include "engine/core/spawn.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/presented.h"
#include "ui/workbench/presenter.h"

namespace sepx::app {

StageControl::StageControl(ui::Workbench& workbench, std::string program, std::function<void()> wake)
    : workbench_(workbench), program_(std::move(program)), wake_(std::move(wake)) {}

StageControl::~StageControl() = default;

void StageControl::start(const std::string& monitor) {
  const auto failed = [this](const Error& error) {
    workbench_.say({ui::Message::Level::Error, error.message});
    if (!connected()) end();
  };
  poll();  // a stage that has just ended does not count
  if (connected()) return;
  if (!link_) {
    const auto path = presentationSocket();
    if (!path) return failed(path.error());
    auto link = StudioLink::listen(*path, wake_);
    if (!link) return failed(link.error());
    link_ = std::move(*link);
    sent_.reset();
    latencies_.clear();
    nextLatency_ = 0;
    workbench_.presenter().setActive(true);
  }
  const bool waits = StudioLink::stageWaits(link_->path());
  // The process lost its connection and does not wait for another one, so it is ending. A killed process takes longer
  // to end than its connection.
  if (process_ && answered_ && !waits) abandonProcess();
  if (process_ || waits) return;  // it will connect in a moment
  std::vector<std::string> words{program_, "--follow", link_->path()};
  if (monitor.empty()) {
    words.emplace_back("--windowed");
  } else {
    words.insert(words.end(), {"--monitor", monitor});
  }
  const auto started = spawnDetached(words, true);
  if (!started) return failed(started.error());
  process_ = *started;
  answered_ = false;
}

void StageControl::end() {
  // A stage that is not connected yet receives no goodbye and would wait in full screen for a studio.
  if (process_ && !connected()) abandonProcess();
  if (link_) link_->endStage();
  link_.reset();
  stage_.reset();
  sent_.reset();
  workbench_.presenter().setActive(false);
}

void StageControl::abandonProcess() {
  ::kill(*process_, SIGTERM);
  ending_.push_back(*process_);
  process_.reset();
}

void StageControl::update(std::int64_t begun) {
  if (!link_) return;
  ui::Presented now = workbench_.presented();
  const ui::Lesson* const lesson = workbench_.lesson();
  const void* const steps = lesson ? lesson->steps.data() : nullptr;
  if (sent_ && *sent_ == now && steps == sentLesson_) return;
  sentLesson_ = steps;
  link_->show(now, begun);
  sent_ = std::move(now);
}

void StageControl::poll() {
  if (link_) {
    while (const auto event = link_->next())
      take(*event);
  }
  watchProcess();
}

void StageControl::take(const StudioLink::Event& event) {
  using Kind = StudioLink::Event::Kind;
  if (event.kind == Kind::Connected) {
    stage_ = event.hello;
    answered_ = true;
  } else if (event.kind == Kind::Disconnected) {
    stage_.reset();
    const std::string why = event.sentence.empty() ? ui::tr("The stage has ended.") : event.sentence;
    spdlog::debug("stage: gone");
    workbench_.say({ui::Message::Level::Note, why + " " + ui::tr("Nothing is lost here."), "present.start",
                    ui::tr("Open the stage again")});
  } else if (event.kind == Kind::NotSent) {
    workbench_.say({ui::Message::Level::Note, event.sentence});
  } else if (event.kind == Kind::Key) {
    press(event.key);
  } else {
    if (latencies_.size() < kLatencies) latencies_.push_back(0);
    latencies_[nextLatency_++ % kLatencies] = event.latency;
    spdlog::debug("stage: state {} after {:.1f} ms", event.number, 1e3 * event.latency);
  }
}

void StageControl::press(RemoteKey key) {
  const char* const command = key == RemoteKey::Next       ? "lesson.next"
                              : key == RemoteKey::Previous ? "lesson.previous"
                                                           : "present.blank";
  static_cast<void>(workbench_.run(command));  // at the end of a lesson there is no next step
}

/// The exit status explains why a stage ended before it was connected.
void StageControl::watchProcess() {
  int status = 0;
  std::erase_if(ending_, [](pid_t one) { return ::waitpid(one, nullptr, WNOHANG) != 0; });
  if (!process_ || ::waitpid(*process_, &status, WNOHANG) == 0) return;
  process_.reset();
  if (answered_) stage_.reset();  // the Disconnected event may not have arrived yet
  const bool inOrder = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!link_ || answered_ || inOrder) return;  // take() reports the end of a connected stage
  const std::string how = WIFEXITED(status) ? ui::trFormat("ended with status {}", WEXITSTATUS(status))
                                            : ui::trFormat("was terminated by signal {}", WTERMSIG(status));
  spdlog::warn("{} {}", program_, how);
  workbench_.say(
      {ui::Message::Level::Error,
       ui::trFormat("The stage is not open: {} {}. The reason is shown in the terminal in which the studio was "
                    "started.",
                    program_, how),
       "present.start", ui::tr("Open the stage again")});
}

std::optional<double> StageControl::latencyQuantile(double share) const {
  if (latencies_.empty()) return std::nullopt;
  std::vector<double> sorted = latencies_;
  std::sort(sorted.begin(), sorted.end());
  const double last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(std::lround(share * last))];
}

}  // namespace sepx::app
