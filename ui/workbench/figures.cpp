// SPDX-License-Identifier: Apache-2.0
// The queue of figures, and the clipboard.
#include "ui/workbench/figures.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/clip.h"

namespace sepx::ui {

void Figures::step() {
  std::erase_if(endedMakers_, [](const auto& one) { return one->jobsEnded(); });
  if (makers_.empty()) return;
  // One after the other, so that figures are finished in the order in which they were requested.
  if (!makers_.front()->step()) return;
  std::unique_ptr<FigureMaker> first = std::move(makers_.front());
  makers_.erase(makers_.begin());
  ended(*first);
  retire(std::move(first));
  window_.redraw();
}

void Figures::retire(std::unique_ptr<FigureMaker> maker) {
  if (!maker->jobsEnded()) endedMakers_.push_back(std::move(maker));
}

void Figures::ended(const FigureMaker& maker) {
  const auto outcome = maker.outcome();
  if (!outcome) {
    if (outcome.error().kind != ErrorKind::Interrupted) window_.error(outcome.error().message);
    return;
  }
  if (maker.request().path.empty()) {
    if (window_.options.copy) window_.options.copy(maker.clip());
    window_.note(tr("The picture is on the clipboard."));
    return;
  }
  written_ = *outcome;
  const std::size_t slash = outcome->rfind('/', outcome->size() - 2);  // the path of a folder ends in one
  const std::string saved = trFormat("Saved {}", slash == std::string::npos ? *outcome : outcome->substr(slash + 1));
  const std::string lacks = maker.remark();
  Message message{.text = lacks.empty() ? saved : saved + ". " + lacks, .passes = true};
  if (window_.options.openExternally) {
    message.command = "file.open-figure";
    message.action = tr("Open");
    message.more = {{"file.show-figure", tr("Show in folder")}};
  }
  window_.say(std::move(message));
}

std::vector<JobStatus> Figures::jobs() const {
  std::vector<JobStatus> list;
  for (std::size_t i = 0; i < makers_.size(); ++i) {
    const std::string& path = makers_[i]->request().path;
    JobStatus status;
    status.lane = fmt::format("figure {}", i + 1);
    status.name = path.empty() ? std::string(tr("picture for the clipboard"))
                               : trFormat("figure {}", path.substr(path.rfind('/', path.size() - 2) + 1));
    status.state = i == 0 ? JobState::Running : JobState::Queued;
    status.share = makers_[i]->share();
    list.push_back(std::move(status));
  }
  return list;
}

void Figures::cancelAll() {
  for (auto& one : std::exchange(makers_, {})) {
    one->cancel();
    retire(std::move(one));
  }
}

void Figures::endAll() {
  cancelAll();
  endedMakers_.clear();
}

bool Figures::cancel(std::string_view lane) {
  const auto making = jobs();
  const auto found = std::find_if(making.begin(), making.end(), [&](const JobStatus& one) { return one.lane == lane; });
  if (found == making.end()) return false;
  const auto place = makers_.begin() + (found - making.begin());
  (*place)->cancel();
  retire(std::move(*place));
  makers_.erase(place);
  window_.redraw();
  return true;
}

void Figures::addCommands(Commands& to) {
  if (window_.options.openExternally) {
    const char* const kFile = tr("File");
    const bool there = !written_.empty();
    to.add({"file.open-figure", tr("Open the last figure"), "", kFile, there},
           [this] { window_.options.openExternally(written_); });
    to.add({"file.show-figure", tr("Show the last figure in its folder"), "", kFile, there}, [this] {
      const std::size_t slash = written_.rfind('/', written_.size() - 2);  // the path of a folder ends in one
      window_.options.openExternally(slash == std::string::npos ? "." : written_.substr(0, slash + 1));
    });
  }
  const char* const kEdit = tr("Edit");
  const bool can = bool(window_.options.copy);
  to.add({"edit.copy-number", tr("Copy number"), "Ctrl+C", kEdit, can}, [this] {
    auto clip = numberClip(workbench_);
    const std::string confirmation = clip ? trFormat("{} is on the clipboard.", clip->text) : std::string();
    return copy(std::move(clip), confirmation);
  });
  to.add({"edit.copy-picture", tr("Copy picture"), "Ctrl+Shift+C", kEdit, can}, [this] {
    const render::Point size = window_.size;
    const gpu::Extent pixels{static_cast<std::uint32_t>(size.x * window_.scale),
                             static_cast<std::uint32_t>(size.y * window_.scale)};
    return workbench_.exportFigure(windowFigure(workbench_, pixels, window_.scale, {}));
  });
  to.add({"edit.copy-table", tr("Copy table"), "", kEdit, can},
         [this] { return copy(tableClip(workbench_), tr("The table is on the clipboard.")); });
}

Result<void> Figures::copy(Result<Clip> clip, const std::string& confirmation) {
  if (!clip) {
    window_.error(clip.error().message);
    return tl::unexpected(clip.error());
  }
  window_.options.copy(*clip);
  window_.note(confirmation);
  return {};
}

Result<void> Figures::start(FigureRequest request) {
  if (auto checked = checkFigure(request); !checked) {
    window_.error(checked.error().message);
    return checked;
  }
  if (window_.options.scripted) {  // simulated time: the figure is there in the same frame on every machine
    auto made = makeFigure(workbench_, window_.gpu, std::move(request));
    if (made) return {};
    window_.error(made.error().message);
    return tl::unexpected(made.error());
  }
  makers_.push_back(std::make_unique<FigureMaker>(workbench_, window_.gpu, std::move(request)));
  window_.redraw();
  if (window_.options.wake) window_.options.wake();
  return {};
}

}  // namespace sepx::ui
