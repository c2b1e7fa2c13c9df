// SPDX-License-Identifier: Apache-2.0
// An exhibit that shows itself on the start page: its own document (Exhibit::exampleState), played once, then the state
// that is most telling beside it (Exhibit::contrastState), played once, then rest. Nothing of the person's document is
// touched. In simulated time nothing plays, so that a script finds a picture that is complete. Frame thread.
#pragma once

#include <memory>

#include "ui/page/exhibit.h"

namespace sepx::ui {

class StartPicture {
 public:
  explicit StartPicture(std::unique_ptr<Exhibit> exhibit);
  ~StartPicture();

  /// One frame, in the place that `like` names as its area; threads, device, theme and time are `like`'s as well.
  void update(const ExhibitContext& like);
  /// Only the first of the two states: beside a panel that shows the parameters of another document.
  void keepToOneSide() { plays_ = 1; }
  /// The state that is shown now.
  const Document& document() const;
  /// Of the last update.
  const render::Scene& scene() const { return *scene_; }

  bool animating() const;
  bool complete() const { return exhibit_->complete(); }
  void releaseGpu() { exhibit_->releaseGpu(); }

 private:
  class OwnEditor;  // the editor of its own document
  void advance(ExhibitContext& context);

  std::unique_ptr<Exhibit> exhibit_;
  std::unique_ptr<OwnEditor> editor_;
  const render::Scene* scene_;
  int plays_ = 2;
  int play_ = 0;           // how many plays have begun
  double restSince_ = -1;  // host time since which an act is over
  bool scripted_ = false;
};

}  // namespace sepx::ui
