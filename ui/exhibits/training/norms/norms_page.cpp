// SPDX-License-Identifier: Apache-2.0
// See norms_page.h.
#include "ui/exhibits/training/norms/norms_page.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/chart_grid.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

namespace {

/// The variances that a command sets.
struct NormsCase {
  const char *command, *label;
  double predicted, context;
};
constexpr NormsCase kCases[] = {
    {"training.norms-published", N_("As in Proposition A.7"), 1, 0},
    {"training.norms-context", N_("Context that differs"), 0, 1},
    {"training.norms-alike", N_("Both differ alike"), 1, 1},
};

}  // namespace

void NormsPage::read(const Document& document, const PropertyRegistry& registry, const RaceShared&) {
  registry.read(document, state_);
}

void NormsPage::update(const RaceFrame& frame, ExhibitContext& context) {
  bench_.refresh(context.jobs);
  bench_.request(context.jobs, state_.options, tr("sampling updates of W_qk"),
                 [&pool = context.pool](const studies::GrowthOptions& options, auto& output) -> Result<void> {
                   const auto made = [&output](const studies::GrowthBench& bench, double share) {
                     output.progress(share);
                     return output.publish(bench, share >= 1);
                   };
                   Result<studies::GrowthBench> bench =
                       studies::benchGrowth(options, pool, made, [&output] { return output.cancelled(); });
                   if (!bench) return tl::unexpected(bench.error());
                   output.finish(*std::move(bench));
                   return {};
                 });
  layOut(frame);
}

void NormsPage::place(std::size_t slot, const char* name, const LayerKey& key, const render::Rect& box,
                      const std::function<LineChart()>& make, const Theme& theme) {
  const LayerKey now = keyWith(key, box);
  if (slot < charts_.size() && charts_[slot].key == now) return;
  LineChart chart = make();
  chart.compact = box.width() < 420;
  Kept kept{name, now, PlacedChart(std::move(chart), box, theme)};
  if (slot < charts_.size())
    charts_[slot] = std::move(kept);
  else
    charts_.push_back(std::move(kept));
}

void NormsPage::layOut(const RaceFrame& frame) {
  const double pad = 1.5 * frame.theme.space;
  const render::Rect area{{frame.area.min.x + pad, frame.area.min.y + pad},
                          {frame.area.max.x - pad, frame.area.max.y - pad}};
  const std::vector<render::Rect> boxes = gridOf(area, 6, 3, pad);
  words_ = boxes.back();
  const LayerKey look = frameKey(frame),
                 lemma = keyWith(look, state_.lemma.mean, state_.lemma.wide, state_.lemma.narrow, state_.lemma.z);
  if (!bench()) {
    charts_.clear();
    return;
  }
  const LayerKey result = keyWith(look, bench_.revision());
  const studies::GrowthBench& made = *bench();
  const Theme& theme = frame.theme;
  place(
      0, "norms", result, boxes[0], [&] { return squaredNormsChart(made, theme); }, theme);
  place(
      1, "ratio", keyWith(result, state_.column), boxes[1], [&] { return ratioChart(made, state_.column, theme); },
      theme);
  place(
      2, "survival", result, boxes[2], [&] { return survivalChart(made, theme); }, theme);
  place(
      3, "directionality", result, boxes[3], [&] { return directionalityChart(made, theme); }, theme);
  place(
      4, "lemma", lemma, boxes[4], [&] { return lemmaChart(state_.lemma, theme); }, theme);
}

std::vector<std::string> NormsPage::findings() const {
  std::vector<std::string> lines{
      tr("Assumed: an update is ΔW = (Σ β_i x_i) y^T with independent x_i ~ N(0, diag Σ), y ~ N(0, diag Γ) and "
         "β_i ~ N(0, 1/N). Proposition A.7 has Γ = I.")};
  if (!bench()) return lines;
  const studies::GrowthBench& made = *bench();
  constexpr double kFar = 5;  // standard errors: some hundred numbers seldom have one so far off by chance
  lines.push_back(
      made.worst < kFar
          ? trFormat("(S56) holds: no mean of {} updates is further than {} standard errors from its formula.",
                     stepText(made.growth.updates), shownFixed(made.worst, 1))
          : trFormat(
                "(S56) is not confirmed: a mean of {} updates is {} standard errors from its formula. Of few updates "
                "the standard error itself is uncertain.",
                stepText(made.growth.updates), shownFixed(made.worst, 1)));
  if (!made.points.empty()) {
    const attention::Quartiles& d = made.points.back().directionality;
    const char* const side = d.median > 0.1    ? tr("rows dominate")
                             : d.median < -0.1 ? tr("columns dominate")
                                               : tr("neither side dominates");
    lines.push_back(
        trFormat("Ours: the norms of the columns do not spread more because of (S56). Here d = {} ({} to {}): {}.",
                 shownFixed(d.median, 2), shownFixed(d.q1, 2), shownFixed(d.q3, 2), side));
  }
  lines.push_back(
      made.claim.worst < 0
          ? std::string(tr("(18) holds above γ for this sum."))
          : trFormat("(18) fails for this sum: it is claimed for every w above γ = {}, and at some w the share of rows "
                     "above it is larger by {}.",
                     shownFixed(made.claim.gamma, 1), shownFixed(made.claim.worst, 2)));
  const std::optional<attention::TailExample> example = lemmaExample(state_.lemma);
  lines.push_back(
      example ? trFormat("Ours: Lemma A.11 is false. Above z = {} lies {} of the law with the larger deviation, {} of "
                         "the other. It needs laws of one shape.",
                         shownFixed(example->z, 2), shownFixed(example->wide.above(example->z), 3),
                         shownFixed(example->narrow.above(example->z), 3))
              : sentenceCase(state_.lemma.problem()));
  return lines;
}

std::vector<render::Item> NormsPage::words(const RaceFrame& frame) const {
  const Theme& theme = frame.theme;
  std::vector<render::Item> items;
  const float size = theme.smallSize;
  const double line = 1.4 * size, left = words_.min.x + theme.space, width = words_.width() - 2 * theme.space;
  double y = words_.min.y + 0.8 * theme.textSize;
  render::Label title =
      textAt({left, y}, elided(tr("Claimed, and what holds"), theme.textSize, width), theme.textSize, theme.text);
  title.bold = true;
  items.emplace_back(std::move(title));
  y += 1.8 * theme.textSize;
  for (const std::string& paragraph : findings()) {
    for (const std::string& part : wrapped(paragraph, size, width)) {
      if (y > words_.max.y) return items;
      items.emplace_back(textAt({left, y}, part, size, theme.text));
      y += line;
    }
    y += 0.45 * line;
  }
  return items;
}

void NormsPage::scene(const RaceFrame& frame, std::vector<render::Layer>& into) {
  layOut(frame);
  if (!bench()) {
    layers_.addSentence(into, "training.norms.sentence", frame,
                        bench_.failed() ? bench_.failure() : std::string(tr("Sampling updates…")));
    return;
  }
  for (const Kept& kept : charts_)
    layers_.add(
        into, "training.norms." + kept.name, kept.key, [&] { return kept.chart.items(); }, true, false);
  layers_.add(into, "training.norms.words", keyWith(frameKey(frame), bench_.revision(), words_, charts_.back().key),
              [&] { return words(frame); });
  if (!frame.pointer || frame.figure) return;
  for (const Kept& kept : charts_)
    if (kept.chart.camera().plot.contains(*frame.pointer))
      layers_.add(
          into, "training.norms.tip", keyWith(kept.key, *frame.pointer),
          [&] { return kept.chart.tip(*frame.pointer, frame.area); }, false, false);
}

Cursor NormsPage::input(const RaceFrame& frame, ExhibitContext&, const InputEvent&) {
  const bool over = frame.pointer && std::any_of(charts_.begin(), charts_.end(), [&](const Kept& kept) {
                      return kept.chart.camera().plot.contains(*frame.pointer);
                    });
  return over ? Cursor::Cross : Cursor::Arrow;
}

void NormsPage::panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) {
  panel.group(tr("Sampled updates"), "training.norms.",
              {"d", "tokens", "predicted", "context", "updates", "sums", "seed", "column"});
  for (const NormsCase& one : kCases)
    if (panel.button(tr(one.label), one.command)) run(frame, context, one.command);
  panel.group(tr("What follows"), "training.norms.result.",
              {"worst", "energy", "row_variance", "column_variance", "directionality", "directionality.q1",
               "directionality.q3", "gamma", "gamma_printed", "against", "from"});
  panel.group(tr("Lemma A.11"), "training.norms.lemma.", {"mean", "wide", "narrow", "z"});
  panel.rows("training.norms.lemma.result.", {"threshold", "wide", "narrow"});
}

std::vector<RacePage::Command> NormsPage::commands(const RaceShared&, const Document&) {
  std::vector<Command> all;
  for (const NormsCase& one : kCases)
    all.push_back({one.command, tr(one.label), "", tr("Exhibit"), true, [&one](ExhibitContext& context) {
                     context.editor.seal();
                     context.editor.commit(context.editor.document()
                                               .with("training.norms.predicted", one.predicted)
                                               .with("training.norms.context", one.context),
                                           tr("choose variances"));
                     context.editor.seal();
                   }});
  return all;
}

std::string NormsPage::status(const RaceShared&) const {
  return bench_.failed() ? bench_.failure() : std::string();
}

std::string NormsPage::caption(const RaceShared&) const {
  const studies::GrowthOptions& options = state_.options;
  return trFormat(
      "Theorem 2.3 of Attention-Structure, sampled: {} updates, d = {}, N = {}, Σ_mm ∝ m^{:g}, Γ_kk ∝ k^{:g}, seed {}. "
      "Bars are standard errors, the band is between the quartiles.",
      stepText(options.updates), options.d, options.tokens, -options.predictedPower, -options.contextPower,
      options.seed);
}

Numbers NormsPage::numbers(const RaceShared&) const {
  Numbers numbers;
  if (!bench()) return numbers;
  const studies::GrowthBench& made = *bench();
  const attention::NormModel& model = made.model;
  const Eigen::Index d = model.predicted.size(), k = std::clamp<Eigen::Index>(state_.column - 1, 0, d - 1);
  std::vector<double> index, row, rowError, rowTheory, column, columnError, columnTheory, ratio, ratioTheory, rowNorm,
      columnNorm;
  for (Eigen::Index m = 0; m < d; ++m) {
    index.push_back(static_cast<double>(m + 1));
    row.push_back(made.growth.rows2[m]);
    rowError.push_back(made.growth.rowErrors[m]);
    rowTheory.push_back(model.predicted[m] * model.context.sum());
    column.push_back(made.growth.columns2[m]);
    columnError.push_back(made.growth.columnErrors[m]);
    columnTheory.push_back(model.context[m] * model.predicted.sum());
    ratio.push_back(measuredRatio(made.growth, k, m).value);
    ratioTheory.push_back(attention::expectedRatio(model, k, m));
    rowNorm.push_back(made.growth.moments.rowNorms[m]);
    columnNorm.push_back(made.growth.moments.columnNorms[m]);
  }
  numbers.tables.push_back({"norms",
                            {{"index", "", std::move(index)},
                             {"row", "", std::move(row)},
                             {"row_error", "", std::move(rowError)},
                             {"row_formula", "", std::move(rowTheory)},
                             {"column", "", std::move(column)},
                             {"column_error", "", std::move(columnError)},
                             {"column_formula", "", std::move(columnTheory)},
                             {"ratio", "", std::move(ratio)},
                             {"ratio_formula", "", std::move(ratioTheory)},
                             {"row_norm_of_sum", "", std::move(rowNorm)},
                             {"column_norm_of_sum", "", std::move(columnNorm)}}});
  std::vector<double> updates, median, q1, q3;
  for (const studies::GrowthPoint& point : made.points) {
    updates.push_back(static_cast<double>(point.updates));
    median.push_back(point.directionality.median);
    q1.push_back(point.directionality.q1);
    q3.push_back(point.directionality.q3);
  }
  numbers.tables.push_back({"directionality",
                            {{"updates", "", std::move(updates)},
                             {"median", "", std::move(median)},
                             {"q1", "", std::move(q1)},
                             {"q3", "", std::move(q3)}}});
  return numbers;
}

std::unique_ptr<RacePage> makeNormsPage() {
  return std::make_unique<NormsPage>();
}

}  // namespace sepx::ui
