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
constexpr std::array kScores{ChartScore::Symmetry, ChartScore::Directionality};

}  // namespace

std::unique_ptr<WeightsPage> makeChartsPage() {
  return std::make_unique<ChartsPage>();
}

void OtherScores::update(const std::string& path, const WeightsState& state, ExhibitContext& context) {
  if (opening_.refresh(context.jobs)) ++revision_;
  Request wanted{path, context.rules};
  if (path.empty() ? opening_.requested() != nullptr : !opening_.isFor(wanted)) {
    opening_.clear();
    board_.clear();
    ++revision_;
  }
  if (!path.empty())
    opening_.request(context.jobs, std::move(wanted), tr("opening the second checkpoint"),
                     [](const Request& request, auto& output) {
                       return checkpoint::openModel(request.path, request.rules, output.whileReading());
                     });
  if (board_.refresh(context) ||
      (model() && board_.update(model(), state, tr("scores of the second checkpoint"), context)))
    ++revision_;
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
  LayerKey key =
      keyWith({}, shared.modelRevision, shared.boardRevision, other_.revision(), table_.revision(), published_);
  if (key == made_) return;
  made_ = std::move(key);
  same_ = table() && shared.model && published_ ? studies::publishedOf(*table(), *shared.model) : nullptr;
  for (const ChartScore which : kScores) {
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

std::vector<LegendEntry> ChartsPage::legend(const PageFrame& frame) const {
  if (shown_ == ChartsShown::Layers) return layerLegend(series_[0], heads_, frame.theme);
  return scatterLegend({ChartScore::Symmetry, &dots_[0], &frame.theme, {}, frame.compact});
}

ChartsPage::Layout ChartsPage::layoutOf(const PageFrame& frame) const {
  Layout layout;
  const double space = frame.theme.space;
  const render::Rect& area = frame.area;
  std::vector<render::Item> ignored;
  const double legend = addLegend(ignored, {}, area.width() - 4 * space, this->legend(frame), frame.theme);
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
  const auto i = static_cast<std::size_t>(which);
  return {which, &series_[i], &frame.theme, layoutOf(frame).box[i], heads_, frame.shared.state.layer, same_};
}

ScatterChart ChartsPage::scatterChart(const PageFrame& frame, ChartScore which) const {
  const auto i = static_cast<std::size_t>(which);
  return {which, &dots_[i], &frame.theme, layoutOf(frame).box[i], frame.compact};
}

std::string ChartsPage::sentence(const WeightsShared& shared) const {
  if (shown_ == ChartsShown::Layers) return shared.board->empty() ? modelSentence(shared) : std::string();
  if (!dots_[0].empty()) return {};
  if (table_.pending()) return tr("Reading the published values …");
  if (table_.result() && !*table_.result()) return *table_.answered() + ": " + table_.result()->error().sentence;
  return tr("There are no values to show: the published ones are switched off.");
}

std::vector<render::Item> ChartsPage::items(const PageFrame& frame, ChartScore which) const {
  return shown_ == ChartsShown::Layers ? placedLayers(layerChart(frame, which)).items()
                                       : scatterItems(scatterChart(frame, which));
}

std::vector<render::Item> ChartsPage::tip(const PageFrame& frame) const {
  const render::Point at = *frame.pointer;
  for (const ChartScore which : kScores) {
    if (shown_ == ChartsShown::Layers) {
      const LayerChart chart = layerChart(frame, which);
      if (const std::optional<ChartPlace> place = layerAt(chart, at)) return layerTip(chart, *place, at, frame.area);
    } else {
      const ScatterChart chart = scatterChart(frame, which);
      if (const std::optional<std::size_t> dot = dotAt(chart, at)) return dotTip(chart, *dot, at, frame.area);
    }
  }
  return {};
}

void ChartsPage::scene(const PageFrame& frame, std::vector<render::Layer>& into) {
  if (const std::string text = sentence(frame.shared); !text.empty()) {
    layers_.addSentence(into, "charts.sentence", frame, text);
    return;
  }
  const WeightsState& state = frame.shared.state;
  const std::string name = shown_ == ChartsShown::Layers ? "charts.layers." : "charts.models.";
  const LayerKey key = keyWith(frameKey(frame), made_, shown_, heads_, state.layer, state.stack);
  layers_.add(into, "charts.legend", key, [&] {
    std::vector<render::Item> items;
    const render::Rect box = layoutOf(frame).legend;
    addLegend(items, box.min, box.width(), legend(frame), frame.theme);
    return items;
  });
  for (const ChartScore which : kScores)
    layers_.add(into, name + symbolOf(which), key, [&] { return items(frame, which); });
  if (!frame.pointer || frame.figure) return;
  layers_.add(
      into, "charts.tip", keyWith(key, *frame.pointer), [&] { return tip(frame); }, false);
}

Cursor ChartsPage::input(const PageFrame& frame, ExhibitContext& context, const InputEvent& event) {
  if (shown_ != ChartsShown::Layers || frame.shared.board->empty()) return Cursor::Arrow;
  const auto at = [&](render::Point point) -> std::optional<std::pair<ChartScore, ChartPlace>> {
    for (const ChartScore which : kScores)
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

void ChartsPage::panel(const PageFrame&, ExhibitContext&, PagePanel& panel) {
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
}

std::string ChartsPage::status(const WeightsShared& shared) const {
  const auto ready = std::count_if(shared.board->begin(), shared.board->end(),
                                   [](const LayerScores& entry) { return entry.complete(); });
  if (ready == static_cast<std::ptrdiff_t>(shared.board->size())) return {};
  return fmt::format("{} {}/{}", tr("scores of layers"), ready, shared.board->size());
}

}  // namespace sepx::ui
