// SPDX-License-Identifier: Apache-2.0
// Plays a lesson without a display, step by step in simulated time, as the studio or the stage shows it. The stage is
// then a second window that follows the first one as it does over the link. Used for pictures of all steps, and for
// tests that inspect each step. Main thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "app/headless.h"
#include "app/options.h"
#include "engine/core/result.h"
#include "ui/document/lesson.h"

namespace sepx::app {

class LessonTour {
 public:
  /// `room`: shown() is the stage instead of the studio. BadInput when the lesson cannot be read, NoDevice without a
  /// device.
  static Result<std::unique_ptr<LessonTour>> begin(const Options& options, const std::string& lesson, bool room);

  const ui::Lesson& lesson() const { return *lesson_; }
  /// Index of the shown step, from 0; no step is shown before the first next().
  std::size_t step() const { return step_; }
  /// Whether the lines of the next step would train a run. False at the end.
  bool trainsNext() const;
  /// Answers the questions of this step and shows the next one, with its lines executed and the picture settled. False:
  /// this was the last step. CheckFailed when an expectation does not hold.
  Result<bool> next();
  Headless& shown() { return stage_ ? *stage_ : *studio_; }

 private:
  explicit LessonTour(ui::Lesson lesson) : lesson_(std::make_shared<const ui::Lesson>(std::move(lesson))) {}
  Result<void> play(const std::vector<ui::ScriptStep>& lines);

  std::shared_ptr<const ui::Lesson> lesson_;
  std::unique_ptr<Headless> studio_, stage_;
  std::size_t step_ = 0, next_ = 0;
};

struct LessonPictureOptions {
  std::string folder;  ///< an existing folder; "01.png", "02.png", … are written into it, each as soon as it is made
  bool room = false;   ///< show the step as the stage does, not the studio
  bool half = false;   ///< half as wide and high as the window
  bool trains = true;  ///< false: stop before a step whose lines would train a run
};

/// Returns the number of pictures written. An expectation that does not hold is an error, after the picture of the step
/// before.
Result<std::size_t> lessonPictures(const Options& options, const std::string& lesson,
                                   const LessonPictureOptions& pictureOptions);

/// File name of a step's picture.
std::string lessonPictureName(std::size_t step);

}  // namespace sepx::app
