// SPDX-License-Identifier: Apache-2.0
// See lesson_tour.h.
#include "app/lesson_tour.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/core/try.h"
#include "engine/render/png.h"
#include "ui/document/lesson_file.h"
#include "ui/workbench/presented.h"

namespace sepx::app {
namespace {

/// Whether a line starts a trainer.
bool trains(const ui::ScriptStep& line) {
  return line.kind == ui::StepKind::ClickControl && line.text.ends_with("start");
}

/// The image at half size: each pixel is the mean of 2x2 pixels.
gpu::Pixels halved(const gpu::Pixels& pixels) {
  gpu::Pixels made;
  made.extent = {pixels.extent.width / 2, pixels.extent.height / 2};
  const std::size_t width = made.extent.width, height = made.extent.height, row = std::size_t{4} * pixels.extent.width;
  made.rgba.resize(4 * width * height);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < 4 * width; ++x) {
      const std::size_t from = 2 * y * row + 8 * (x / 4) + x % 4;
      const unsigned sum =
          unsigned{pixels.rgba[from]} + pixels.rgba[from + 4] + pixels.rgba[from + row] + pixels.rgba[from + row + 4];
      made.rgba[4 * y * width + x] = static_cast<std::uint8_t>(sum / 4);
    }
  return made;
}

}  // namespace

Result<std::unique_ptr<LessonTour>> LessonTour::begin(const Options& options, const std::string& lesson, bool room) {
  SEPX_ASSIGN(ui::Lesson read, ui::readLessonFile(lesson));
  std::unique_ptr<LessonTour> tour(new LessonTour(std::move(read)));
  SEPX_ASSIGN(tour->studio_, Headless::create(options));
  if (room) {
    SEPX_ASSIGN(tour->stage_, Headless::create(options, Drawing::WhenCaptured, Window::Stage));
  }
  SEPX_TRY(tour->studio_->workbench().open(lesson));
  return tour;
}

bool LessonTour::trainsNext() const {
  return next_ < lesson_->steps.size() && std::ranges::any_of(lesson_->steps[next_].steps, trains);
}

Result<void> LessonTour::play(const std::vector<ui::ScriptStep>& lines) {
  if (!lines.empty()) {
    ui::ScriptRunner runner({lesson_->name, lines}, studio_->workbench(), *studio_, {}, true);
    SEPX_TRY(studio_->play(runner));
  }
  return studio_->settle();
}

Result<bool> LessonTour::next() {
  if (next_ > 0)
    for (const ui::Question& question : lesson_->steps[step_].questions)
      SEPX_TRY(play(question.solution));
  if (next_ >= lesson_->steps.size()) return false;
  step_ = next_++;
  studio_->workbench().enterLessonStep(step_, false);
  SEPX_TRY(play(lesson_->steps[step_].steps));
  if (!stage_) return true;
  const ui::Presented now = studio_->workbench().presented();
  SEPX_TRY(stage_->workbench().follow(now, lesson_));
  SEPX_TRY(stage_->settle());
  return true;
}

std::string lessonPictureName(std::size_t step) {
  return fmt::format("{:02}.png", step + 1);
}

Result<std::size_t> lessonPictures(const Options& options, const std::string& lesson,
                                   const LessonPictureOptions& pictureOptions) {
  SEPX_ASSIGN(const auto tour, LessonTour::begin(options, lesson, pictureOptions.room));
  for (std::size_t made = 0;; ++made) {
    if (!pictureOptions.trains && tour->trainsNext()) return made;
    SEPX_ASSIGN(const bool more, tour->next());
    if (!more) return made;
    SEPX_ASSIGN(const gpu::Pixels pixels, tour->shown().capture());
    SEPX_TRY(render::writePng(pictureOptions.half ? halved(pixels) : pixels,
                              pictureOptions.folder + "/" + lessonPictureName(tour->step())));
  }
}

}  // namespace sepx::app
