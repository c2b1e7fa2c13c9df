// SPDX-License-Identifier: Apache-2.0
// See checkpoint_page.h.
#include "ui/exhibits/reversal/checkpoint/checkpoint_page.h"

#include <algorithm>
#include <utility>

#include "engine/data/pairs.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/reversal/shared/plane_charts.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/chart_grid.h"

namespace sepx::ui {

namespace {

constexpr const char* kSlotNames[] = {"heads", "far", "planes", "words"};
constexpr double kCompactHeads = 420;  // points of width

std::string textIn(const Document& document, const char* key) {
  const Json& value = document.at(key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

}  // namespace

void CheckpointPage::read(const Document& document, const PropertyRegistry& registry, const ReversalShared&) {
  const auto number = [&](const char* name) {
    return static_cast<int>(registry.real(document, std::string("reversal.checkpoint.") + name));
  };
  HeadsRequest wanted;
  wanted.path = textIn(document, "reversal.checkpoint.file");
  if (wanted.path.empty()) wanted.path = textIn(document, "weights.checkpoint");
  wanted.mask = number("mask");
  wanted.ships = wanted.path.empty();
  wanted.tokens = textIn(document, "reversal.checkpoint.tokens");
  wanted.prompts = textIn(document, "reversal.checkpoint.prompts");
  wanted.sample = number("sample");
  wanted.layers = number("layers");
  request_ = std::move(wanted);
  head_ = number("head");
  layer_ = number("layer");
  distance_ = number("distance");
  ++changes_;
}

void CheckpointPage::update(const ReversalFrame& frame, ExhibitContext& context) {
  if (request_.ships && request_.path.empty() && !frame.shared.assets.empty()) {
    request_.path = frame.shared.assets + "/models/mdm";
    if (request_.mask < 0) request_.mask = data::kPairMask;
  }
  if (lane_.refresh(context.jobs) && lane_.result()) {
    const Result<HeadsPointer>& made = *lane_.result();
    if (made)
      view_ = *made;
    else if (view_ && view_->request.path != request_.path)
      view_ = nullptr;  // what was measured of the same checkpoint stays
    failure_ = sentenceCase(made ? view_->promptFailure : made.error().sentence);
    ++changes_;
  }
  if (!request_.path.empty())
    lane_.request(context.jobs, request_, tr("measuring heads"),
                  [&pool = context.pool](const HeadsRequest& request, auto& output) {
                    return measureHeads(
                        request, pool, [&output] { return output.cancelled(); },
                        [&output](double share) { output.progress(share); });
                  });
  place(frame);
}

const reversal::RopePlanes* CheckpointPage::planes() const {
  if (!view_ || view_->heads.empty()) return nullptr;
  return &view_->heads[std::min(static_cast<std::size_t>(head_), view_->heads.size() - 1)];
}

const studies::PromptHead* CheckpointPage::prompted() const {
  if (!view_ || view_->layers.empty()) return nullptr;
  const studies::PromptLayer& layer =
      view_->layers[std::min(static_cast<std::size_t>(layer_), view_->layers.size() - 1)];
  return &layer.heads[std::min(static_cast<std::size_t>(head_), layer.heads.size() - 1)];
}

std::vector<render::Rect> CheckpointPage::boxesOf(const ReversalFrame& frame) const {
  const double pad = 1.5 * frame.theme.space;
  const render::Rect area{{frame.area.min.x + pad, frame.area.min.y + pad},
                          {frame.area.max.x - pad, frame.area.max.y - pad}};
  return frame.compact ? std::vector<render::Rect>(kSlots, area) : gridOf(area, kSlots, 2, pad);
}

void CheckpointPage::placeChart(Slot slot, const ReversalFrame& frame, const render::Rect& box, LineChart chart) {
  chart.compact = box.width() < kCompactHeads;
  if (chart.compact && slot == kPlanes) chart.x.name = "s";
  charts_[slot] = Kept{keyWith(frameKey(frame), changes_, box), PlacedChart(std::move(chart), box, frame.theme)};
}

void CheckpointPage::place(const ReversalFrame& frame) {
  const std::vector<render::Rect> boxes = boxesOf(frame);
  const reversal::RopePlanes* const shown = planes();
  for (const Slot slot : {kHeads, kFar, kPlanes}) {
    const bool there = shown && !saysFailureAlone(frame) && (slot == kHeads ? view_->layers.empty() : !frame.compact);
    if (!there) {
      charts_[slot].reset();
      continue;
    }
    if (charts_[slot] && charts_[slot]->key == keyWith(frameKey(frame), changes_, boxes[slot])) continue;
    const int head = std::min(head_, static_cast<int>(view_->heads.size()) - 1);
    placeChart(slot, frame, boxes[slot],
               slot == kHeads ? headsChart(*view_, distance_, frame.theme)
               : slot == kFar ? headDistances(*shown, head, frame.theme)
                              : planesChart(*shown, frame.theme));
  }
}

std::vector<render::Item> CheckpointPage::words(const ReversalFrame& frame, const render::Rect& box) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  double y = box.min.y + theme.textSize;
  const auto add = [&](const std::string& text, float size, render::Color color) {
    const std::vector<std::string> lines = wrapped(text, size, box.width());
    if (y + 1.4 * static_cast<double>(size) * (static_cast<double>(lines.size()) - 1) > box.max.y) {
      y = box.max.y + 1;  // nothing after what does not fit
      return;
    }
    for (const std::string& line : lines) {
      items.emplace_back(textAt({box.min.x, y}, line, size, color));
      y += 1.4 * static_cast<double>(size);
    }
    y += 0.4 * static_cast<double>(size);
  };
  if (view_) {
    add(view_->title, theme.textSize, theme.text);
    add(trFormat("Heads of layer 0: {}. [M] is token {}. Tokens of the sample: {}.", view_->heads.size(), view_->mask,
                 view_->sampled),
        theme.smallSize, theme.text);
  }
  if (!failure_.empty()) add(failure_, theme.smallSize, theme.error);
  if (request_.ships)
    add(tr("The model of pairs that ships. Open a checkpoint with RoPE in Weights, or name its file: LLaDA, Dream, "
           "LLaMA and their relatives."),
        theme.smallSize, theme.text);
  add(tr("A head scores a token B to the right and to the left of [M]. The paper finds both scores correlated in LLaDA "
         "at all placements (Figure 4). It does not print over what it correlates; here it is the sample of tokens, or "
         "the prompts of a file."),
      theme.smallSize, theme.textMuted);
  add(tr("Fine-tuning models of 4 to 8 billion parameters is out of the scope of this program; the page Tables shows "
         "Table 7 as published."),
      theme.smallSize, theme.textMuted);
  return items;
}

void CheckpointPage::scene(const ReversalFrame& frame, std::vector<render::Layer>& into) {
  place(frame);
  const std::vector<render::Rect> boxes = boxesOf(frame);
  const LayerKey key = keyWith(frameKey(frame), changes_);
  if (view_ && !view_->layers.empty() && !saysFailureAlone(frame))
    layers_.add(into, "reversal.checkpoint.map", key, [&] {
      std::vector<render::Item> items;
      const HeadMap map = headMapIn(*view_, boxes[kHeads], frame.theme);
      addHeadMap(items, *view_, map, std::min(layer_, map.layers - 1), std::min(head_, map.heads - 1), frame.theme);
      return items;
    });
  for (const Slot slot : {kHeads, kFar, kPlanes}) {
    if (!charts_[slot]) continue;
    const Kept& kept = *charts_[slot];
    layers_.add(
        into, std::string("reversal.checkpoint.") + kSlotNames[slot], kept.key,
        [&] {
          std::vector<render::Item> items = kept.chart.items();
          if (slot == kPlanes) addPlaneBars(items, kept.chart, *planes(), frame.theme);
          if (slot == kHeads) append(items, kept.chart.cursor(std::min(head_, int(view_->heads.size()) - 1)));
          return items;
        },
        true, false);
    if (frame.pointer && !frame.figure && kept.chart.camera().plot.contains(*frame.pointer))
      layers_.add(
          into, "reversal.checkpoint.tip", keyWith(kept.key, *frame.pointer),
          [&] { return kept.chart.tip(*frame.pointer, frame.area); }, false, false);
  }
  if (!frame.compact || !view_ || saysFailureAlone(frame))
    layers_.add(into, "reversal.checkpoint.words", key,
                [&] { return words(frame, view_ ? boxes[kWords] : boxesOf(frame).front()); });
}

std::optional<std::pair<int, int>> CheckpointPage::headAt(const ReversalFrame& frame, render::Point page) const {
  if (!view_) return std::nullopt;
  if (!view_->layers.empty()) return headMapIn(*view_, boxesOf(frame)[kHeads], frame.theme).at(page);
  if (!charts_[kHeads]) return std::nullopt;
  const std::optional<double> x = charts_[kHeads]->chart.xAt(page);
  if (!x) return std::nullopt;
  return std::pair{0, std::clamp(static_cast<int>(std::lround(*x)), 0, static_cast<int>(view_->heads.size()) - 1)};
}

Cursor CheckpointPage::input(const ReversalFrame& frame, ExhibitContext& context, const InputEvent& event) {
  if (!frame.pointer) return Cursor::Arrow;
  const auto over = headAt(frame, *frame.pointer);
  const auto* const press = std::get_if<PointerPressed>(&event);
  if (over && press && press->down && press->button == Button::Left) {
    context.editor.seal();
    const Document& now = context.editor.document();
    context.editor.commit(now.with("reversal.checkpoint.layer", static_cast<double>(over->first))
                              .with("reversal.checkpoint.head", static_cast<double>(over->second)),
                          "reversal.checkpoint.head", {});
  }
  return over ? Cursor::Hand : Cursor::Arrow;
}

void CheckpointPage::panel(const ReversalFrame&, ExhibitContext&, PagePanel& panel) {
  panel.heading(tr("Checkpoint"));
  for (const char* const key : {"file", "mask", "tokens", "sample"})
    panel.control(std::string("reversal.checkpoint.") + key);
  panel.readOut("reversal.checkpoint.failure");
  panel.heading(tr("Head of layer 0"));
  for (const char* const key : {"head", "distance"})
    panel.control(std::string("reversal.checkpoint.") + key);
  for (const char* const key : {"correlation", "assumed", "trace", "violating", "weight"})
    panel.readOut(std::string("reversal.checkpoint.") + key);
  panel.heading(tr("Prompts"));
  for (const char* const key : {"prompts", "layers"})
    panel.control(std::string("reversal.checkpoint.") + key);
  if (!prompted()) return;
  panel.control("reversal.checkpoint.layer");
  for (const char* const key : {"prompts.pairs", "prompts.correlation", "prompts.forward", "prompts.reverse"})
    panel.readOut(std::string("reversal.checkpoint.") + key);
}

std::string CheckpointPage::caption(const ReversalShared&) const {
  if (!view_) return {};
  return trFormat("{}: correlation of forward and reverse attention scores over {} tokens, by head of layer 0.",
                  view_->title, view_->sampled);
}

Numbers CheckpointPage::numbers(const ReversalShared&) const {
  Numbers numbers;
  if (!view_) return numbers;
  std::vector<double> head, correlation, assumed, violating;
  for (std::size_t i = 0; i < view_->heads.size(); ++i) {
    head.push_back(static_cast<double>(i));
    correlation.push_back(view_->heads[i].correlationAt(distance_, distance_));
    assumed.push_back(view_->heads[i].assumedCorrelation(distance_, distance_));
    violating.push_back(view_->heads[i].violating);
  }
  numbers.tables.push_back({"heads",
                            {{"head", "", std::move(head)},
                             {"correlation", "", std::move(correlation)},
                             {"assumed", "", std::move(assumed)},
                             {"violating", "", std::move(violating)}}});
  if (view_->layers.empty()) return numbers;
  std::vector<double> layers, heads, scores;
  for (const studies::PromptLayer& layer : view_->layers)
    for (std::size_t i = 0; i < layer.heads.size(); ++i) {
      layers.push_back(layer.layer);
      heads.push_back(static_cast<double>(i));
      scores.push_back(layer.heads[i].correlation);
    }
  numbers.tables.push_back(
      {"prompts",
       {{"layer", "", std::move(layers)}, {"head", "", std::move(heads)}, {"correlation", "", std::move(scores)}}});
  return numbers;
}

std::unique_ptr<ReversalPage> makeCheckpointPage() {
  return std::make_unique<CheckpointPage>();
}

}  // namespace sepx::ui
