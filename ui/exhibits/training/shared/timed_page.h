// SPDX-License-Identifier: Apache-2.0
// A page with the transport below it: what a page of this exhibit shows stands above. A page says what its content is;
// events and layers of the transport are dealt with here. Frame thread.
#pragma once

#include <vector>

#include "ui/exhibits/training/shared/training_page.h"
#include "ui/exhibits/training/shared/transport.h"

namespace sepx::ui {

class TimedPage : public TrainingPage {
 public:
  void read(const Document&, const PropertyRegistry&, const TrainingShared&) override { ++documents_; }
  void update(const TrainingFrame& frame, ExhibitContext& context) final;
  void scene(const TrainingFrame& frame, std::vector<render::Layer>& into) final;
  Cursor input(const TrainingFrame& frame, ExhibitContext& context, const InputEvent& event) final;
  Cursor cursor(const TrainingFrame& frame, Cursor last) const final;
  void report(const TrainingFrame& frame, const ExhibitContext& context) const final;
  bool complete() const override { return true; }
  /// The keys of the slider.
  std::vector<ExhibitCommand> commands(const TrainingShared& shared, const Document& document) const override;
  bool animating() const override { return replays_; }

 protected:
  /// Above the transport.
  virtual void updateContent(const TrainingFrame&, ExhibitContext&) {}
  virtual void drawContent(const TrainingFrame& frame, std::vector<render::Layer>& into) = 0;
  virtual Cursor inputContent(const TrainingFrame&, ExhibitContext&, const InputEvent&) { return Cursor::Arrow; }
  virtual Strip controls(const TrainingFrame&) const { return {}; }
  /// All that a layer may depend on besides its place: the document and what runs report.
  LayerKey keyOf(const TrainingFrame& frame) const;

 private:
  TrainingFrame content(const TrainingFrame& frame) const;

  Transport transport_;
  std::uint64_t documents_ = 0;
  bool replays_ = false;
};

}  // namespace sepx::ui
