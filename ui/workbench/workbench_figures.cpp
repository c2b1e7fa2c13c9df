// SPDX-License-Identifier: Apache-2.0
// Figures that leave the program while the window goes on, and what goes to the clipboard. Frame thread.
#include <algorithm>

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/workbench/clip.h"
#include "ui/workbench/figure.h"
#include "ui/workbench/workbench_impl.h"

namespace sepx::ui {

const Exhibit& Workbench::exhibit(int pane) const {
  return impl_->pane(std::clamp(pane, 1, kMostPanes)).exhibit();
}
std::optional<ColorLimits> Workbench::sharedLimits() const {
  if (impl_->history.present().at("panes.limits") != "shared") return std::nullopt;
  return impl_->sharedLimits;
}
const WorkbenchOptions& Workbench::options() const {
  return impl_->options;
}
gpu::Context* Workbench::gpu() const {
  return impl_->gpu;
}

void Workbench::Impl::stepFigures() {
  if (figures.empty()) return;
  // One after the other: what was asked for first is there first.
  if (!figures.front()->step()) return;
  const std::unique_ptr<FigureMaker> first = std::move(figures.front());
  figures.erase(figures.begin());
  figureEnded(*first);
  settling = kSettlingFrames;
}

void Workbench::Impl::figureEnded(const FigureMaker& ended) {
  const auto outcome = ended.outcome();
  if (!outcome) {
    if (outcome.error().kind != ErrorKind::Interrupted) say(outcome.error().sentence);
    return;
  }
  if (ended.request().path.empty()) {
    if (options.copy) options.copy(ended.clip());
    self.say({Message::Level::Note, tr("The picture is on the clipboard.")});
    return;
  }
  self.say({Message::Level::Note, fmt::format(fmt::runtime(tr("{} is written.")), *outcome)});
}

std::vector<JobStatus> Workbench::Impl::figureJobs() const {
  std::vector<JobStatus> list;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const std::string& path = figures[i]->request().path;
    JobStatus status;
    status.lane = fmt::format("figure {}", i + 1);
    status.name = path.empty()
                      ? std::string(tr("picture for the clipboard"))
                      : fmt::format(fmt::runtime(tr("figure {}")), path.substr(path.rfind('/', path.size() - 2) + 1));
    status.state = i == 0 ? JobState::Running : JobState::Queued;
    status.share = figures[i]->share();
    list.push_back(std::move(status));
  }
  return list;
}

void Workbench::Impl::cancelFigures() {
  for (const auto& one : figures)
    one->cancel();
  figures.clear();
}

void Workbench::cancelJob(std::string_view lane) {
  const auto making = impl_->figureJobs();
  const auto found = std::find_if(making.begin(), making.end(), [&](const JobStatus& one) { return one.lane == lane; });
  if (found == making.end()) return impl_->jobs.cancel(lane);
  const auto place = impl_->figures.begin() + (found - making.begin());
  (*place)->cancel();
  impl_->figures.erase(place);
  impl_->settling = kSettlingFrames;
}

Result<void> Workbench::Impl::copy(std::string_view command) {
  if (!options.copy) return fail(ErrorKind::CheckFailed, tr("there is no clipboard here"));
  if (command == "edit.copy-picture") {
    return self.exportFigure(windowFigure(
        self, {static_cast<std::uint32_t>(window.x * scale), static_cast<std::uint32_t>(window.y * scale)}, scale, {}));
  }
  Result<Clip> clip = command == "edit.copy-table" ? tableClip(self) : numberClip(self);
  if (!clip) {
    say(clip.error().sentence);
    return tl::unexpected(clip.error());
  }
  options.copy(*clip);
  self.say({Message::Level::Note, command == "edit.copy-table"
                                      ? std::string(tr("The table is on the clipboard."))
                                      : fmt::format(fmt::runtime(tr("{} is on the clipboard.")), clip->text)});
  return {};
}

Result<void> Workbench::exportFigure(FigureRequest request) {
  if (auto checked = checkFigure(request); !checked) {
    impl_->say(checked.error().sentence);
    return checked;
  }
  if (impl_->options.scripted) {  // simulated time: it is there in the same frame on every machine
    auto made = makeFigure(*this, impl_->gpu, std::move(request));
    impl_->imgui.makeCurrent();
    if (!made) {
      impl_->say(made.error().sentence);
      return tl::unexpected(made.error());
    }
    return {};
  }
  impl_->figures.push_back(std::make_unique<FigureMaker>(*this, impl_->gpu, std::move(request)));
  impl_->settling = kSettlingFrames;
  if (impl_->options.wake) impl_->options.wake();
  return {};
}

}  // namespace sepx::ui
