// SPDX-License-Identifier: Apache-2.0
// The charts page put together: what it takes over, where its plots stand, pointer and panel.
#include "ui/exhibits/weights/charts/charts_page.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "engine/studies/score_study.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kWide = 1.5;  // side by side from this ratio on

}  // namespace

std::unique_ptr<WeightsPage> makeChartsPage() {
  return std::make_unique<ChartsPage>();
}

void ChartsPage::declare(PropertyRegistry& registry, const WeightsShared& live) {
  declareCharts(registry, live, *this);
}

void ChartsPage::loadTable(ExhibitContext& context) {
  table_.refresh(context.jobs);
  if (table_.requested() || context.assets.empty()) return;
  table_.start(context.jobs, context.assets + "/published/attention_structure.json", tr("published values"),
               [](const std::string& file, auto&) {
                 std::ifstream stream(file, std::ios::binary);
                 const std::string text{std::istreambuf_iterator<char>(stream), {}};
                 return attention::parsePublished(text);
               });
}

void ChartsPage::refresh(const PageFrame& frame) {
  const WeightsShared& shared = frame.shared;
  LayerKey key{shared.modelRevision, shared.boardRevision, other_.revision(), table_.revision(),
               static_cast<std::uint64_t>(published_)};
  if (key == made_) return;
  made_ = std::move(key);
  same_ = table() && shared.model && published_ ? studies::publishedOf(*table(), *shared.model) : nullptr;
  for (const ChartScore which : {ChartScore::Symmetry, ChartScore::Directionality}) {
    const auto i = static_cast<std::size_t>(which);
    series_[i] = seriesOf(*shared.board, which);
    dots_[i].clear();
    if (table() && published_) dots_[i] = publishedDots(*table(), which);
    const auto append = [&](const std::vector<ModelDot>& more) {
      dots_[i].insert(dots_[i].end(), more.begin(), more.end());
    };
    if (shared.model) append(ownDots(*shared.model, *shared.board, which, false));
    if (other_.model()) append(ownDots(*other_.model(), other_.board(), which, true));
  }
}

void ChartsPage::update(const PageFrame& frame, ExhibitContext& context) {
  const PropertyRegistry& registry = context.editor.properties();
  const Document& document = context.editor.document();
  shown_ = registry.text(document, "weights.charts.show") == "models" ? ChartsShown::Models : ChartsShown::Layers;
  heads_ = registry.toggle(document, "weights.charts.heads");
  published_ = registry.toggle(document, "weights.charts.published");
  if (frame.shared.wantBoard) frame.shared.wantBoard();
  loadTable(context);
  other_.update(shown_ == ChartsShown::Models ? frame.shared.state.comparePath : std::string(), frame.shared.state,
                context);
  refresh(frame);
}

double ChartsPage::legendHeight(const PageFrame& frame) const {
  std::vector<render::Item> ignored;
  const double width = frame.area.width() - 4 * frame.theme.space;
  if (shown_ == ChartsShown::Models) {
    ScatterChart chart{ChartScore::Symmetry, &dots_[0], &frame.theme, {}, frame.compact};
    return addScatterLegend(ignored, {0, 0}, width, chart);
  }
  return addLegend(ignored, {0, 0}, width, layerLegend(series_[0], heads_, frame.theme), frame.theme);
}

ChartsPage::Layout ChartsPage::layoutOf(const PageFrame& frame) const {
  Layout layout;
  const double space = frame.theme.space, legend = legendHeight(frame);
  const render::Rect& area = frame.area;
  layout.legend = {{area.min.x + 2 * space, area.min.y + space}, {area.max.x - 2 * space, area.min.y + space + legend}};
  const render::Rect rest{{area.min.x, layout.legend.max.y + 0.5 * space}, area.max};
  layout.box[0] = layout.box[1] = rest;
  if (rest.width() > kWide * rest.height()) {
    layout.box[0].max.x = layout.box[1].min.x = rest.min.x + rest.width() / 2;
  } else {
    layout.box[0].max.y = layout.box[1].min.y = rest.min.y + rest.height() / 2;
  }
  return layout;
}

LayerChart ChartsPage::layerChart(const PageFrame& frame, ChartScore which) const {
  LayerChart chart;
  chart.which = which;
  chart.series = &series_[static_cast<std::size_t>(which)];
  chart.theme = &frame.theme;
  chart.box = layoutOf(frame).box[static_cast<std::size_t>(which)];
  chart.heads = heads_;
  chart.chosenLayer = frame.shared.state.layer;
  chart.published = same_;
  return chart;
}

ScatterChart ChartsPage::scatterChart(const PageFrame& frame, ChartScore which) const {
  const auto i = static_cast<std::size_t>(which);
  return {which, &dots_[i], &frame.theme, layoutOf(frame).box[i], frame.compact};
}

bool ChartsPage::sentence(const PageFrame& frame, std::vector<render::Layer>& into) {
  std::string text;
  if (shown_ == ChartsShown::Layers && frame.shared.board->empty()) {
    text = frame.shared.model ? frame.shared.model->map.noForm : frame.shared.failure;
    if (text.empty()) text = tr("Opening the checkpoint …");
  } else if (shown_ == ChartsShown::Models && dots_[0].empty()) {
    if (table_.pending())
      text = tr("Reading the published values …");
    else if (table_.result() && !*table_.result())
      text = *table_.answered() + ": " + table_.result()->error().sentence;
    if (text.empty()) text = tr("There are no values to show: the published ones are switched off.");
  }
  if (text.empty()) return false;
  LayerKey key = frameKey(frame);
  key.push_back(bits(std::string_view(text)));
  layers_.add(into, "charts.sentence", std::move(key), [&] {
    std::vector<render::Item> items;
    addSentence(items, frame.area, sentenceCase(text), frame.theme);
    return items;
  });
  return true;
}

void ChartsPage::layerScene(const PageFrame& frame, std::vector<render::Layer>& into) {
  LayerKey key = frameKey(frame);
  key.insert(key.end(), made_.begin(), made_.end());
  key.insert(key.end(), {static_cast<std::uint64_t>(heads_), static_cast<std::uint64_t>(frame.shared.state.layer),
                         static_cast<std::uint64_t>(frame.shared.state.stack)});
  const Layout layout = layoutOf(frame);
  layers_.add(into, "charts.legend", key, [&] {
    std::vector<render::Item> items;
    addLegend(items, layout.legend.min, layout.legend.width(), layerLegend(series_[0], heads_, frame.theme),
              frame.theme);
    return items;
  });
  for (const ChartScore which : {ChartScore::Symmetry, ChartScore::Directionality})
    layers_.add(into, std::string("charts.layers.") + symbolOf(which), key,
                [&] { return layerItems(layerChart(frame, which)); });
  if (!frame.pointer || frame.figure) return;
  for (const ChartScore which : {ChartScore::Symmetry, ChartScore::Directionality}) {
    const LayerChart chart = layerChart(frame, which);
    const std::optional<ChartPlace> place = layerAt(chart, *frame.pointer);
    if (!place) continue;
    LayerKey tip = key;
    tip.insert(tip.end(), {bits(frame.pointer->x), bits(frame.pointer->y)});
    layers_.add(
        into, "charts.tip", std::move(tip), [&] { return layerTip(chart, *place, *frame.pointer, frame.area); }, false);
  }
}

void ChartsPage::modelScene(const PageFrame& frame, std::vector<render::Layer>& into) {
  LayerKey key = frameKey(frame);
  key.insert(key.end(), made_.begin(), made_.end());
  const Layout layout = layoutOf(frame);
  layers_.add(into, "charts.models.legend", key, [&] {
    std::vector<render::Item> items;
    addScatterLegend(items, layout.legend.min, layout.legend.width(), scatterChart(frame, ChartScore::Symmetry));
    return items;
  });
  for (const ChartScore which : {ChartScore::Symmetry, ChartScore::Directionality})
    layers_.add(into, std::string("charts.models.") + symbolOf(which), key,
                [&] { return scatterItems(scatterChart(frame, which)); });
  if (!frame.pointer || frame.figure) return;
  for (const ChartScore which : {ChartScore::Symmetry, ChartScore::Directionality}) {
    const ScatterChart chart = scatterChart(frame, which);
    const std::optional<std::size_t> dot = dotAt(chart, *frame.pointer);
    if (!dot) continue;
    LayerKey tip = key;
    tip.insert(tip.end(), {bits(frame.pointer->x), bits(frame.pointer->y)});
    layers_.add(
        into, "charts.models.tip", std::move(tip), [&] { return dotTip(chart, *dot, *frame.pointer, frame.area); },
        false);
  }
}

void ChartsPage::scene(const PageFrame& frame, std::vector<render::Layer>& into) {
  if (sentence(frame, into)) return;
  if (shown_ == ChartsShown::Layers)
    layerScene(frame, into);
  else
    modelScene(frame, into);
}

Cursor ChartsPage::input(const PageFrame& frame, ExhibitContext& context, const InputEvent& event) {
  if (shown_ != ChartsShown::Layers || frame.shared.board->empty()) return Cursor::Arrow;
  const auto at = [&](render::Point point) -> std::optional<std::pair<ChartScore, ChartPlace>> {
    for (const ChartScore which : {ChartScore::Symmetry, ChartScore::Directionality})
      if (const auto place = layerAt(layerChart(frame, which), point)) return std::pair{which, *place};
    return std::nullopt;
  };
  if (const auto* press = std::get_if<PointerPressed>(&event)) {
    if (press->button == Button::Left && press->down) {
      if (const auto hit = at({press->x, press->y})) {
        const StackSeries& series = series_[static_cast<std::size_t>(hit->first)][hit->second.series];
        chooseHead(context.editor, series.stack, series.points[hit->second.point].layer, frame.shared.state.head);
      }
    }
  }
  return frame.pointer && at(*frame.pointer) ? Cursor::Hand : Cursor::Arrow;
}

void ChartsPage::panel(const PageFrame& frame, ExhibitContext&, PagePanel& panel) {
  panel.control("weights.charts.show");
  panel.control("weights.charts.heads");
  panel.control("weights.charts.published");
  if (shown_ == ChartsShown::Models) {
    panel.readOut("weights.charts.models");
    if (!other_.failure().empty()) panel.sentence(other_.failure());
    panel.sentence(
        tr("A second checkpoint (page Compare) is shown too. Crossed dots were computed with the keys of other heads. "
           "Measurements are not judged by hollow dots; point at one for the reason."));
  } else if (same_ && !same_->unsafe.empty()) {
    panel.sentence(std::string(tr("The published values of this model are not comparable: ")) + same_->unsafe);
  }
  (void)frame;
}

std::string ChartsPage::status(const WeightsShared& shared) const {
  const auto ready = std::count_if(shared.board->begin(), shared.board->end(),
                                   [](const LayerScores& entry) { return entry.moments && entry.headMoments; });
  if (ready == static_cast<std::ptrdiff_t>(shared.board->size())) return {};
  return fmt::format("{} {}/{}", tr("scores of layers"), ready, shared.board->size());
}

}  // namespace sepx::ui
