// SPDX-License-Identifier: Apache-2.0
// See norms_page.h.
#include "ui/exhibits/training/norms/norms_page.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/core/try.h"
#include "ui/canvas/page_draw.h"
#include "ui/exhibit/number_table.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/runs/state_words.h"

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

void NormsPage::read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) {
  TimedPage::read(document, registry, shared);
  registry.read(document, state_);
}

void NormsPage::ask(const RaceFrame&, ExhibitContext& context) {
  bench_.refresh(context.jobs);
  bench_.ask(context.jobs, state_.options, tr("sampling updates of W_qk"),
             [&pool = context.pool](const studies::GrowthOptions& options, auto& output) -> Result<BenchPointer> {
               const auto made = [&output](const studies::GrowthBench& bench, double share) {
                 output.progress(share);
                 return output.publish(std::make_shared<const studies::GrowthBench>(bench));
               };
               SEPX_ASSIGN(studies::GrowthBench bench,
                           studies::benchGrowth(options, pool, made, [&output] { return output.cancelled(); }));
               return std::make_shared<const studies::GrowthBench>(std::move(bench));
             });
}

TextContent NormsPage::findings() const {
  TextContent text{.lines = {{{tr("Claimed, and what holds")}, NoteLine::Role::Heading}}};
  const auto say = [&text](std::string line) { text.lines.push_back({{std::move(line)}}); };
  say(
      tr("Assumed: an update is ΔW = (Σ β_i x_i) y^T with independent x_i ~ N(0, diag Σ), y ~ N(0, diag Γ) and "
         "β_i ~ N(0, 1/N). Proposition A.7 has Γ = I."));
  const studies::GrowthBench& made = *bench();
  constexpr double kFar = 5;  // standard errors: some hundred numbers seldom have one so far off by chance
  say(made.worst < kFar
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
    say(trFormat("Ours: the norms of the columns do not spread more because of (S56). Here d = {} ({} to {}): {}.",
                 shownFixed(d.median, 2), shownFixed(d.q1, 2), shownFixed(d.q3, 2), side));
  }
  say(made.claim.worst < 0
          ? std::string(tr("(18) holds above γ for this sum."))
          : trFormat("(18) fails for this sum: it is claimed for every w above γ = {}, and at some w the share of rows "
                     "above it is larger by {}.",
                     shownFixed(made.claim.gamma, 1), shownFixed(made.claim.worst, 2)));
  const std::optional<attention::TailExample> example = lemmaExample(state_.lemma);
  say(example ? trFormat("Ours: Lemma A.11 is false. Above z = {} lies {} of the law with the larger deviation, {} of "
                         "the other. It needs laws of one shape.",
                         shownFixed(example->z, 2), shownFixed(example->wide.above(example->z), 3),
                         shownFixed(example->narrow.above(example->z), 3))
              : sentenceCase(state_.lemma.problem()));
  return text;
}

Views NormsPage::views(const RaceFrame& frame) const {
  if (!bench())
    return sentenceAlone(bench_.sentence().empty() ? std::string(tr("Sampling updates…")) : bench_.sentence());
  const Theme& theme = frame.theme;
  const studies::GrowthBench& made = *bench();
  Views shown{{{"norms", ChartContent{squaredNormsChart(made, theme)}, [this] { return exported(); }},
               {"ratio", ChartContent{ratioChart(made, state_.column, theme)}},
               {"survival", ChartContent{survivalChart(made, theme)}},
               {"directionality", ChartContent{directionalityChart(made, theme)}},
               {"lemma", ChartContent{lemmaChart(state_.lemma, theme)}},
               {"words", findings()}},
              gridOfViews(3, 1.5 * theme.space, {})};
  for (const View& view : shown.views)
    shown.arrangement.parts.push_back(viewNamed(view.name));
  shown.arrangement.margin = 1.5 * theme.space;
  return shown;
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

std::string NormsPage::caption(const RaceShared&) const {
  const studies::GrowthOptions& options = state_.options;
  return trFormat(
      "Theorem 2.3 of Attention-Structure, sampled: {} updates, d = {}, N = {}, Σ_mm ∝ m^{:g}, Γ_kk ∝ k^{:g}, seed {}. "
      "Bars are standard errors, the band is between the quartiles.",
      stepText(options.updates), options.d, options.tokens, -options.predictedPower, -options.contextPower,
      options.seed);
}

Numbers NormsPage::exported() const {
  using Eigen::Index;
  using studies::GrowthPoint;
  const studies::GrowthBench& made = *bench();
  const attention::NormModel& model = made.model;
  const attention::NormGrowth& growth = made.growth;
  std::vector<Index> places(static_cast<std::size_t>(model.predicted.size()));
  std::iota(places.begin(), places.end(), 0);
  const Index k = std::clamp<Index>(state_.column - 1, 0, model.predicted.size() - 1);
  const auto of = [](const Eigen::VectorXd& values) { return [&values](Index m) { return values[m]; }; };
  return {
      {numberTable("norms", places, NumberColumn{"index", [](Index m) { return m + 1; }},
                   NumberColumn{"row", of(growth.rows2)}, NumberColumn{"row_error", of(growth.rowErrors)},
                   NumberColumn{"row_formula", [&](Index m) { return model.predicted[m] * model.context.sum(); }},
                   NumberColumn{"column", of(growth.columns2)}, NumberColumn{"column_error", of(growth.columnErrors)},
                   NumberColumn{"column_formula", [&](Index m) { return model.context[m] * model.predicted.sum(); }},
                   NumberColumn{"ratio", [&](Index m) { return measuredRatio(growth, k, m).value; }},
                   NumberColumn{"ratio_formula", [&](Index m) { return attention::expectedRatio(model, k, m); }},
                   NumberColumn{"row_norm_of_sum", of(growth.moments.rowNorms)},
                   NumberColumn{"column_norm_of_sum", of(growth.moments.columnNorms)}),
       numberTable("directionality", made.points, NumberColumn{"updates", &GrowthPoint::updates},
                   NumberColumn{"median", [](const GrowthPoint& point) { return point.directionality.median; }},
                   NumberColumn{"q1", [](const GrowthPoint& point) { return point.directionality.q1; }},
                   NumberColumn{"q3", [](const GrowthPoint& point) { return point.directionality.q3; }})},
      {}};
}

std::unique_ptr<RacePage> makeNormsPage() {
  return std::make_unique<NormsPage>();
}

}  // namespace sepx::ui
