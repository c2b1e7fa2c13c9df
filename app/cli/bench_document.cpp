// SPDX-License-Identifier: Apache-2.0
// See bench_document.h. Files go to a folder of their own that is gone afterwards.
#include "app/cli/bench_document.h"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "app/cli/text.h"
#include "app/headless.h"
#include "ui/workbench/figure.h"

namespace sepx::app::cli {
namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("sepx-bench-files-" + std::to_string(getpid()))) {
    std::error_code failed;
    fs::create_directories(path_, failed);
  }
  ~Folder() {
    std::error_code failed;
    fs::remove_all(path_, failed);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

Result<void> timed(Measurement& measurement, const std::function<Result<void>()>& once) {
  const Clock::time_point start = Clock::now();
  if (const Result<void> done = once(); !done) return done;
  measurement.milliseconds.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  return {};
}

/// A workbench with `count` points on a spiral that crosses all basins, settled.
Result<std::unique_ptr<Headless>> withPoints(const Options& common, int count) {
  auto headless = Headless::create(common);
  if (!headless) return headless;
  for (int i = 0; i < count; ++i) {
    const double turn = 0.1 * i, reach = 0.2 + 1.5 * i / count;
    const Result<void> added = (*headless)->workbench().addPoint({reach * std::cos(turn), reach * std::sin(turn)});
    if (!added) return tl::unexpected(added.error());
  }
  if (const Result<void> settled = (*headless)->settle(); !settled) return tl::unexpected(settled.error());
  return headless;
}

/// From the call until the picture has come to rest.
Result<void> openings(const Options& common, Measurement& measurement, int points, const std::string& file) {
  constexpr int kTimes = 5;
  auto author = withPoints(common, points);
  if (!author) return tl::unexpected(author.error());
  if (const Result<void> saved = (*author)->workbench().save(file); !saved) return saved;
  for (int i = 0; i < kTimes; ++i) {
    auto reader = Headless::create(common);
    if (!reader) return tl::unexpected(reader.error());
    if (const Result<void> drawn = (*reader)->frame(); !drawn) return drawn;
    const Result<void> opened = timed(measurement, [&]() -> Result<void> {
      if (const Result<void> done = (*reader)->workbench().open(file); !done) return done;
      return (*reader)->settle();
    });
    if (!opened) return opened;
  }
  return {};
}

/// An edit of one of many points and its undo, each with the frame that shows it.
Result<void> edits(Headless& headless, Measurement& edit, Measurement& undo) {
  constexpr int kTimes = 30;
  ui::Workbench& workbench = headless.workbench();
  for (int i = 0; i < kTimes; ++i) {
    const Result<void> changed = timed(edit, [&]() -> Result<void> {
      if (const Result<void> set = workbench.set("flow.points[7].e", 0.01 * i + 0.2); !set) return set;
      return headless.frame();
    });
    if (!changed) return changed;
    const Result<void> undone = timed(undo, [&]() -> Result<void> {
      workbench.undo();
      return headless.frame();
    });
    if (!undone) return undone;
  }
  return {};
}

}  // namespace

Result<BenchResult> benchSession(const Options& common) {
  constexpr int kMany = 1000, kFew = 10;
  const Folder folder;
  Measurement few{"open-10", trf(N_("session of {} points, from the file to the settled picture"), kFew), {}};
  Measurement many{"open-1000", trf(N_("session of {} points, from the file to the settled picture"), kMany), {}};
  Measurement edit{"edit", trf(N_("one of {} points changed, with its frame"), kMany), {}};
  Measurement undo{"undo", tr(N_("its undo, with its frame")), {}};
  if (const Result<void> done = openings(common, few, kFew, folder.file("few.sepx")); !done)
    return tl::unexpected(done.error());
  if (const Result<void> done = openings(common, many, kMany, folder.file("many.sepx")); !done)
    return tl::unexpected(done.error());
  auto headless = withPoints(common, kMany);
  if (!headless) return tl::unexpected(headless.error());
  if (const Result<void> done = edits(**headless, edit, undo); !done) return tl::unexpected(done.error());
  return BenchResult{"session",
                     {std::move(few), std::move(many), std::move(edit), std::move(undo)},
                     {},
                     0,
                     (*headless)->context().info().name};
}

Result<BenchResult> benchFigure(const Options& common) {
  constexpr int kPaths = 100, kTimes = 3;
  const Folder folder;
  auto headless = withPoints(common, kPaths);
  if (!headless) return tl::unexpected(headless.error());
  BenchResult result{"figure", {}, {}, 0, (*headless)->context().info().name};
  for (const char* name : {"figure.svg", "figure.pdf", "figure.png"}) {
    Measurement one{
        std::string(name).substr(7), trf(N_("{} trajectories as {}"), kPaths, std::string(name).substr(7)), {}};
    for (int i = 0; i < kTimes; ++i) {
      const Result<void> made = timed(one, [&]() -> Result<void> {
        ui::FigureRequest request;
        request.path = folder.file(name);
        const auto written = ui::makeFigure((*headless)->workbench(), &(*headless)->context(), std::move(request));
        if (!written) return tl::unexpected(written.error());
        return {};
      });
      if (!made) return tl::unexpected(made.error());
    }
    result.measurements.push_back(std::move(one));
  }
  return result;
}

}  // namespace sepx::app::cli
