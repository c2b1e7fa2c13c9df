// SPDX-License-Identifier: Apache-2.0
// The implementation of FigureMaker, for its own .cpp files only. Frame thread, except for the job that writes.
#pragma once

#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/resource_limits.h"
#include "engine/render/picture.h"
#include "ui/page/lane.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/figure_delivery.h"
#include "ui/workbench/figure_format.h"
#include "ui/workbench/figure_page.h"
#include "ui/workbench/film.h"
#include "ui/workbench/lesson_pages.h"
#include "ui/workbench/web_maker.h"

namespace sepx::ui {

struct FigureMaker::Impl {
  enum class Phase { Sharing, Lesson, Settling, Drawing, Filming, Finishing, Writing, Ended };

  Impl(const Workbench& of, gpu::Context* device, FigureRequest wanted);
  ~Impl();

  void takeOptions(const WorkbenchOptions& from);
  void begin();
  void makeBench(const Document& document);
  void share();
  void settle();
  bool advance();  ///< one tick of the bench; false when it failed
  bool advanceOnDevice(HostFrame& host);
  bool settled() const;
  bool fitCaption();
  bool nothingDrawn() const;
  void place();
  void draw();
  void beginFilm();
  void film();
  void finishFilm();
  void endFilm();
  void deliver();
  void send(std::shared_ptr<FigureDelivery> delivery);
  void write();
  void beginPage();
  void addToPage();
  void stepLesson();
  template <class Work>
  void guarded(const Work& work);
  void runPhase();
  void end(Result<std::string> with);
  gpu::Extent pictureExtent() const {
    return {page.pixels.width, page.pixels.height - captionPixels(lines.size(), page, *theme)};
  }

  FigureRequest request;
  FigureFormat format = FigureFormat::Png;
  gpu::Context* context;
  WorkbenchOptions options;
  Document document;  ///< of the whole window
  int shown = 1;      ///< number of its panes
  const Theme* theme = nullptr;
  FigurePage page;
  bool waits = false;  ///< makeFigure: a step may take as long as it needs

  Phase phase = Phase::Settling;
  std::unique_ptr<Workbench> bench;
  int ticks = 0, settledTicks = 0;
  double seconds = 0;
  std::vector<std::string> lines;
  std::string remark;
  std::vector<render::Rect> boxes;  ///< boxes of the panels in the last tick
  render::Scene caption, letters;
  std::vector<render::PlacedScene> placed;
  std::unique_ptr<render::Picture> picture;
  std::unique_ptr<Film> reel;
  std::unique_ptr<WebPictures> pictures;  ///< for a page
  std::unique_ptr<LessonPage> lesson;
  bool empty = false;  ///< there is nothing to see
  int frame = 0, frames = 0;
  bool drawn = false;  ///< the current frame of the film is drawn
  Result<std::string> outcome = fail(ErrorKind::Internal, "the figure has not ended");
  Lane<std::shared_ptr<const FigureDelivery>, Result<Clip>> written{"figure"};
  std::unique_ptr<Jobs> jobs;  ///< separate jobs for writing, so that those of the window are not waited for
};

/// Runs `work`. An exception ends this figure with an error, and the window continues to work.
template <class Work>
void FigureMaker::Impl::guarded(const Work& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    end(fail(ErrorKind::Internal, request.path + ": " + outOfMemory()));
  } catch (const std::exception& error) {
    end(fail(ErrorKind::Internal,
             trFormat("{}: the figure was not made; internal error: {}", request.path, error.what())));
  }
}

}  // namespace sepx::ui
