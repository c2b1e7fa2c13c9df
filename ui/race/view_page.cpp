// SPDX-License-Identifier: Apache-2.0
// See view_page.h.
#include "ui/race/view_page.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/race/race_page_kit.h"
#include "ui/race/run_charts.h"

namespace sepx::ui {

RaceFrame ViewPage::content(const RaceFrame& frame) const {
  render::Rect area = frame.area;
  area.min.y += failuresHeight(frame, failuresOf(frame.shared, showsRuns()));
  area.max.y = std::max(area.min.y + 1, area.max.y - transport_.height());
  RaceFrame made(frame.shared, frame.theme, area, std::nullopt, frame.figure, frame.compact);
  if (frame.pointer && area.contains(*frame.pointer)) made.pointer = frame.pointer;
  return made;
}

void ViewPage::update(const RaceFrame& frame, ExhibitContext& context) {
  transport_.place(frame, showsSteps() && !ownTitle(frame.shared));
  replays_ = frame.shared.replays;
  updateViews(content(frame), context);
}

void ViewPage::scene(const RaceFrame& frame, std::vector<render::Layer>& into) {
  transport_.place(frame, showsSteps() && !ownTitle(frame.shared));
  drawViews(content(frame), into);
  addFailures(failures_, into, frame, frame.shared.key("failures"), failuresOf(frame.shared, showsRuns()));
  transport_.scene(frame, into);
}

Cursor ViewPage::input(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) {
  transport_.place(frame, showsSteps() && !ownTitle(frame.shared));
  if (transport_.input(frame, context, event)) return transport_.cursor(frame).value_or(Cursor::Arrow);
  return inputViews(content(frame), context, event);
}

void ViewPage::report(const RaceFrame& frame, const ExhibitContext& context) const {
  transport_.report(frame, context);
  reportStrip(board().controls(), context);
}

std::vector<RacePage::Command> ViewPage::commands(const RaceShared& shared, const Document&) {
  const char *const menu = tr("Run"), *const exhibit = tr("Exhibit");
  const RaceState& state = shared.state;
  const auto seek = [&shared](bool forward) {
    return [&shared, forward](ExhibitContext& context) { shared.seek(context, forward); };
  };
  const auto walk = [&shared](int layers) {
    return [&shared, layers](ExhibitContext& context) { shared.walk(context, layers, 0); };
  };
  return {{shared.key("earlier"), tr("Previous recorded step"), "Left", menu, shared.step > 0, seek(false)},
          {shared.key("later"), tr("Next recorded step"), "Right", menu, !shared.live, seek(true)},
          {shared.key("next-layer"), tr("Next layer"), "Down", exhibit, state.layer + 1 < shared.layers, walk(1)},
          {shared.key("previous-layer"), tr("Previous layer"), "Up", exhibit, state.layer > 0, walk(-1)}};
}

void ViewPage::showSteps(ChartContent& chart, const RaceFrame& frame) const {
  const RaceShared& shared = frame.shared;
  if (!shared.live || frame.figure) chart.cursor = static_cast<double>(shared.step);
  chart.slide = [&shared](Editor& editor, double step, double) { showStep(editor, shared, std::llround(step)); };
}

Arrangement ViewPage::addCharts(Views& into, const RaceFrame& frame, const std::vector<RaceMetric>& metrics,
                                std::size_t perRow) const {
  Arrangement charts = gridOfViews(perRow, frame.theme.space, {});
  for (const RaceMetric metric : metrics) {
    ChartContent chart{makeRunChart(frame.shared, metric, frame.theme, true)};
    showSteps(chart, frame);
    into.views.push_back({wordOf(metric), std::move(chart)});
    charts.parts.push_back(viewNamed(wordOf(metric)));
  }
  if (std::none_of(metrics.begin(), metrics.end(), ofLayers)) return charts;
  into.views.push_back({"legend", LegendContent{layerLegend(frame.shared, frame.theme)}});
  return {.kind = Arrangement::Kind::Column, .parts = {asHighAsContent("legend"), std::move(charts)}};
}

std::uint64_t ViewPage::madeOf(const RaceFrame& frame) const {
  const RaceShared& shared = frame.shared;
  return Digest()
      .add(frameKey(frame), documents_, shared.revision, shared.end, shared.formsRevision, shared.step, shared.live)
      .value();
}

}  // namespace sepx::ui
