// SPDX-License-Identifier: Apache-2.0
// Goes through a lesson without a display, step by step in simulated time, as the studio shows it or as the stage does,
// which is then a second window that follows the first one as it does over the link: for pictures of all steps, and
// for tests that look at each. Main thread.
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
  /// `room`: what shown() shows is the stage. BadInput where the lesson cannot be read, NoDevice without a device.
  static Result<std::unique_ptr<LessonTour>> begin(const Options& options, const std::string& lesson, bool room);

  const ui::Lesson& lesson() const { return *lesson_; }
  /// Of the step that is shown, from 0; before the first next() none is.
  std::size_t step() const { return step_; }
  /// Whether the lines of the next step would train a run. False at the end.
  bool trainsNext() const;
  /// Answers the questions of this step and shows the next one, its lines done and the picture at rest. False: this was
  /// the last. CheckFailed where an expectation does not hold.
  Result<bool> next();
  Headless& shown() { return stage_ ? *stage_ : *studio_; }

 private:
  explicit LessonTour(ui::Lesson lesson) : lesson_(std::make_shared<const ui::Lesson>(std::move(lesson))) {}
  Result<void> play(const std::vector<ui::ScriptStep>& lines);

  std::shared_ptr<const ui::Lesson> lesson_;
  std::unique_ptr<Headless> studio_, stage_;
  std::size_t step_ = 0, next_ = 0;
};

struct PictureWishes {
  std::string folder;  ///< it is there; "01.png", "02.png", … are written into it, each as soon as it is made
  bool room = false;   ///< as the stage shows the step, in place of the studio
  bool half = false;   ///< half as wide and high as the window
  bool trains = true;  ///< false: no further than a step whose lines would train a run
};

/// How many were written. An expectation that does not hold ends it, after the picture of the step before.
Result<std::size_t> lessonPictures(const Options& options, const std::string& lesson, const PictureWishes& wishes);

/// The name of a step's file.
std::string lessonPictureName(std::size_t step);

}  // namespace sepx::app
