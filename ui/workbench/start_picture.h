// SPDX-License-Identifier: Apache-2.0
// An exhibit that plays by itself on the start page, with a document of its own: first an example
// (Exhibit::exampleState), played once, then the state that is most instructive beside it (Exhibit::contrastState),
// played once. Then it rests. The user's document is not changed. In simulated time nothing plays, so that a script
// finds a complete picture. Frame thread.
#pragma once

#include <memory>

#include "ui/page/exhibit.h"

namespace sepx::ui {

class StartPicture {
 public:
  explicit StartPicture(std::unique_ptr<Exhibit> exhibit);
  ~StartPicture();

  /// Updates one frame in the area of `like`; threads, device, theme and time are those of `like` too.
  void update(const ExhibitContext& like);
  /// Shows only the first of the two states, for use beside a panel that shows the parameters of another document.
  void showFirstStateOnly() { plays_ = 1; }
  /// The state that is shown now.
  const Document& document() const;
  /// The scene of the last update.
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
  int play_ = 0;           // number of plays that have begun
  double restSince_ = -1;  // host time since which the picture has been at rest; -1: it is not
  bool scripted_ = false;
};

}  // namespace sepx::ui
