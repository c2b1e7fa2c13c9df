// SPDX-License-Identifier: Apache-2.0
// Figures of more than one picture: films, and pages with a slider or a whole lesson.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/page/exhibit.h"
#include "ui/properties/tr.h"
#include "ui/workbench/figure_maker_impl.h"
#include "ui/workbench/figure_panels.h"

namespace sepx::ui {

void FigureMaker::Impl::beginFilm() {
  double play = 0;
  for (int pane = 1; pane <= bench->panes(); ++pane) {
    play = std::max(play, bench->exhibit(pane).playSeconds());
    bench->activatePane(pane);
    static_cast<void>(bench->run("play.toggle"));  // a pane where nothing moves stands still
  }
  if (!(play > 0)) {
    return end(fail(ErrorKind::CheckFailed, request.path + ": " + tr("nothing moves in this picture; add a point")));
  }
  const double length = request.seconds > 0 ? request.seconds : play;
  frames = static_cast<int>(std::ceil(length * request.framesPerSecond)) + 1;
  auto made =
      Film::create({request.path, page.pixels, request.framesPerSecond, recipeOf(*bench, document, request), waits});
  if (!made) return end(tl::unexpected(made.error()));
  reel = std::move(*made);
  phase = Phase::Filming;
}

/// One frame of simulated time after the other; a frame is drawn once the one before is handed over.
void FigureMaker::Impl::film() {
  auto free = reel->advance();
  if (!free) return end(tl::unexpected(free.error()));
  if (!*free) return;
  if (frame == frames) {
    phase = Phase::Finishing;
    return;
  }
  if (placed.empty()) {
    if (frame > 0) seconds += 1 / request.framesPerSecond;
    if (!advance()) return;
    place();
  }
  draw();
  if (!drawn || phase != Phase::Filming) return;
  if (auto added = reel->add(picture->pixels()); !added) return end(tl::unexpected(added.error()));
  drawn = false;
  placed.clear();
  ++frame;
}

void FigureMaker::Impl::finishFilm() {
  auto there = reel->finish();
  if (!there) return end(tl::unexpected(there.error()));
  if (*there) end(request.path);
}

void FigureMaker::Impl::beginPage() {
  if (format != FigureFormat::Html) return;
  pictures = std::make_unique<WebPictures>(request, request.idPrefix.empty() ? "p" : request.idPrefix);
  if (auto begun = pictures->begin(*bench); !begun) end(tl::unexpected(begun.error()));
}

/// The next value of the slider is set, or the file is written.
void FigureMaker::Impl::addToPage() {
  const std::string title = titleOf(*bench, options.choices.empty() ? choicesOf(request, shown) : options.choices);
  const auto more = pictures->add(*bench, placed, page, *theme, title);
  if (!more) return end(tl::unexpected(more.error()));
  ticks = settledTicks = 0;
  if (*more) return;
  if (!request.idPrefix.empty()) return end(request.path);
  phase = Phase::Writing;
  deliver();
}

void FigureMaker::Impl::goThroughLesson() {
  if (!lesson->step()) return;
  auto made = lesson->take();
  if (!made) return end(fail(made.error().kind, request.path + ": " + made.error().sentence));
  auto delivery = std::make_shared<FigureDelivery>();
  delivery->format = format;
  delivery->request = request;
  delivery->web = std::move(*made);
  phase = Phase::Writing;
  send(std::move(delivery));
}

}  // namespace sepx::ui
