// SPDX-License-Identifier: Apache-2.0
// A page with the transport below it and, where runs failed, what went wrong above it: what a page of this exhibit
// shows stands between the two. A page says what its content is; events and layers of the rest are dealt with here.
// Frame thread.
#pragma once

#include <vector>

#include "ui/race/race_page.h"
#include "ui/race/transport.h"

namespace sepx::ui {

class TimedPage : public RacePage {
 public:
  void read(const Document&, const PropertyRegistry&, const RaceShared&) override { ++documents_; }
  void update(const RaceFrame& frame, ExhibitContext& context) final;
  void scene(const RaceFrame& frame, std::vector<render::Layer>& into) final;
  Cursor input(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) final;
  Cursor cursor(const RaceFrame& frame, Cursor last) const final;
  void report(const RaceFrame& frame, const ExhibitContext& context) const final;
  bool complete() const override { return true; }
  /// The keys of the slider.
  std::vector<Command> commands(const RaceShared& shared, const Document& document) override;
  bool animating() const override { return replays_; }

 protected:
  /// Above the transport and below failures.
  virtual void updateContent(const RaceFrame&, ExhibitContext&) {}
  virtual void drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) = 0;
  virtual Cursor inputContent(const RaceFrame&, ExhibitContext&, const InputEvent&) { return Cursor::Arrow; }
  virtual Strip controls(const RaceFrame&) const { return {}; }
  /// Whether it shows the step of the slider: then the slider stands below it.
  virtual bool showsSteps() const { return true; }
  /// Whether it shows the runs of the race: then what went wrong with one of them is said above.
  virtual bool showsRuns() const { return true; }
  /// All that a layer may depend on besides its place: the document and what runs report.
  LayerKey keyOf(const RaceFrame& frame) const;

 private:
  RaceFrame content(const RaceFrame& frame) const;

  Transport transport_;
  PageLayers failures_;
  std::uint64_t documents_ = 0;
  bool replays_ = false;
};

}  // namespace sepx::ui
