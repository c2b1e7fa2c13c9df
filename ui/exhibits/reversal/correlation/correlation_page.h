// SPDX-License-Identifier: Apache-2.0
// The page Correlation: forward and reverse attention scores of the chosen model at the step shown, by the sum of the
// distances, with the bounds that hold under Assumption 4.2; the same far beyond the length of the sequences, where the
// trace becomes negative; and the assumption itself, plane by plane. Bounds need no run. Frame thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ui/exhibit/lane.h"
#include "ui/exhibits/reversal/correlation/correlation_view.h"
#include "ui/exhibits/reversal/shared/reversal_page.h"
#include "ui/plots/line_chart.h"
#include "ui/race/timed_page.h"

namespace sepx::ui {

class CorrelationPage final : public TimedPage {
 public:
  PageLabel label() const override { return {"correlation", N_("Correlation")}; }
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& live) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  bool complete() const override { return measure_.complete() && bounds_.complete(); }
  Numbers numbers(const RaceShared& shared) const override;
  std::string caption(const RaceShared& shared) const override;

 protected:
  void updateContent(const RaceFrame& frame, ExhibitContext& context) override;
  void drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) override;
  Cursor inputContent(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) override;

 private:
  enum Slot : std::size_t { kSum, kFar, kPlanes, kCantelli, kSlots };
  struct Kept {
    LayerKey key;
    PlacedChart chart;
  };
  void declareResults(PropertyRegistry& registry);
  void measure(const RaceShared& shared, ExhibitContext& context);
  const RopeBounds* bounds() const { return bounds_.result() ? bounds_.result()->get() : nullptr; }
  void place(const RaceFrame& frame);
  void placeChart(Slot slot, const RaceFrame& frame, const render::Rect& box, const std::function<LineChart()>& make);
  std::string title() const;

  BoundsRequest choice_;  ///< without the length
  int head_ = 0;
  Lane<CorrelationRequest, Result<CorrelationPointer>> measure_{"reversal.correlation"};
  Lane<BoundsRequest, BoundsPointer> bounds_{"reversal.correlation.bounds"};
  std::shared_ptr<RunData> data_ = std::make_shared<RunData>();
  std::string folder_, sentence_;
  CorrelationPointer view_;
  std::uint64_t changes_ = 0;
  std::optional<Kept> charts_[kSlots];
  render::Rect planesBox_;
  PageLayers layers_;
};

}  // namespace sepx::ui
