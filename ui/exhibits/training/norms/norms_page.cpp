// SPDX-License-Identifier: Apache-2.0
// See norms_page.h.
#include "ui/exhibits/training/norms/norms_page.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/core/try.h"
#include "ui/canvas/page_draw.h"
#include "ui/page/number_table.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"
#include "ui/runs/state_words.h"

namespace sepx::ui {

namespace {

constexpr const char* kRoleNames[] = {N_("context"), N_("predicted"), N_("both, autoregressive"),
                                      N_("both, bidirectional")};

/// The variances that a command sets.
struct NormsCase {
  const char *command, *label;
  double predicted, context;
};
constexpr NormsCase kCases[] = {
    {"training.norms-published", N_("As in Proposition A.7"), 1, 0},
    {"training.norms-context", N_("Context that differs"), 0, 1},
    {"training.norms-alike", N_("Both differ equally"), 1, 1},
};

}  // namespace

void NormsPage::read(const Document& document, const PropertyRegistry& registry, const RaceShared&) {
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
  TextContent text{.lines = {{{tr("Claims and what holds")}, NoteLine::Role::Heading}}};
  const auto say = [&text](std::string line) { text.lines.push_back({{std::move(line)}}); };
  const studies::GrowthBench& made = *bench();
  const char* const formula = normsFormula(made.model.role);
  say(
      tr("Assumed: an update is ΔW = (Σ β_i x_i) y^T with independent x_i ~ N(0, diag Σ), y ~ N(0, diag Γ) and "
         "β_i ~ N(0, 1/N). Proposition A.7 has Γ = I."));
  if (const attention::TokenCounts counts = attention::expectedCounts(made.model); counts.predicted > 0)
    say(trFormat("When it is predicted, t* adds the transpose: it is context of {} of {} tokens, predicted by {}.",
                 shownFixed(counts.context, 1), made.model.tokens, shownFixed(counts.predicted, 1)));
  constexpr double kFar = 5;  // standard errors; among some hundred numbers one is rarely so far off by chance
  say(made.worst < kFar
          ? trFormat("{} holds: no mean of {} updates is further than {} standard errors from its formula.", formula,
                     stepText(made.growth.updates), shownFixed(made.worst, 1))
          : trFormat("{} is not confirmed: a mean of {} updates is {} standard errors from its formula. For few "
                     "updates the standard error itself is uncertain.",
                     formula, stepText(made.growth.updates), shownFixed(made.worst, 1)));
  if (!made.points.empty()) {
    const attention::Quartiles& d = made.points.back().directionality;
    const char* const side = d.median > 0.1    ? tr("rows dominate")
                             : d.median < -0.1 ? tr("columns dominate")
                                               : tr("neither side dominates");
    say(trFormat("Ours: the norms of the columns do not spread more because of {}. Here d = {} ({} to {}): {}.",
                 formula, shownFixed(d.median, 2), shownFixed(d.q1, 2), shownFixed(d.q3, 2), side));
  }
  say(made.claim.worst < 0
          ? std::string(tr("(18) holds above γ for this sum."))
          : trFormat("(18) fails for this sum: it is claimed for every w above γ = {}, and at some w the share of "
                     "rows above it exceeds that of columns by {}.",
                     shownFixed(made.claim.gamma, 1), shownFixed(made.claim.worst, 2)));
  const std::optional<attention::TailExample> example = lemmaExample(state_.lemma);
  say(example ? trFormat("Ours: Lemma A.11 is false. Above z = {} the law with the larger deviation has {} of its "
                         "probability, the other {}. The lemma needs laws of the same shape.",
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
  const char* const called[] = {
      "", tr("the ratio"), tr("the share of rows"), tr("the directionality"), tr("Lemma A.11"), tr("what holds")};
  for (const View& view : shown.views) {
    const std::size_t i = shown.arrangement.parts.size();
    Arrangement& part = shown.arrangement.parts.emplace_back(viewNamed(view.name));
    part.leastHeight = 8 * theme.textSize;
    part.leastWidth = 11 * theme.textSize;
    part.order = static_cast<int>(i);
    part.called = called[i];
  }
  shown.arrangement.margin = 1.5 * theme.space;
  return shown;
}

void NormsPage::panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) {
  panel.group(tr("Sampled updates"), "training.norms.",
              {"role", "early", "mask", "d", "tokens", "predicted", "context", "updates", "sums", "seed", "column"});
  for (const NormsCase& one : kCases)
    if (panel.button(tr(one.label), one.command)) run(frame, context, one.command);
  panel.group(tr("Results"), "training.norms.result.",
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
      "Theorem 2.3 of Attention-Structure, sampled: {} updates, t*: {}, d = {}, N = {}, Σ_mm ∝ m^{:g}, Γ_kk ∝ k^{:g}, "
      "seed {}. Bars are standard errors, the band is between the quartiles.",
      stepText(options.updates), tr(kRoleNames[static_cast<std::size_t>(options.role)]), options.d, options.tokens,
      -options.predictedPower, -options.contextPower, options.seed);
}

Numbers NormsPage::exported() const {
  using Eigen::Index;
  using studies::GrowthPoint;
  const studies::GrowthBench& made = *bench();
  const attention::NormModel& model = made.model;
  const attention::NormGrowth& growth = made.growth;
  const attention::ExpectedNorms expected = attention::expectedNorms(model);
  std::vector<Index> places(static_cast<std::size_t>(model.predicted.size()));
  std::iota(places.begin(), places.end(), 0);
  const Index k = std::clamp<Index>(state_.column - 1, 0, model.predicted.size() - 1);
  const auto of = [](const Eigen::VectorXd& values) { return [&values](Index m) { return values[m]; }; };
  return {{numberTable("norms", places, NumberColumn{"index", [](Index m) { return m + 1; }},
                       NumberColumn{"row", of(growth.rows2)}, NumberColumn{"row_error", of(growth.rowErrors)},
                       NumberColumn{"row_formula", of(expected.rows2)}, NumberColumn{"column", of(growth.columns2)},
                       NumberColumn{"column_error", of(growth.columnErrors)},
                       NumberColumn{"column_formula", of(expected.columns2)},
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

// The properties and read-outs of the page Norms.

namespace {

constexpr const char* kTheorem = "Attention-Structure, Theorem 2.3, Proposition A.7";
constexpr const char* kLemma = "Attention-Structure, Lemma A.11";
constexpr const char* kRatio =
    "\\frac{E\\|\\Delta w_{\\cdot,k}\\|^2}{E\\|\\Delta w_{m,\\cdot}\\|^2} = "
    "\\frac{\\Gamma_{kk}\\,\\mathrm{Tr}(\\Sigma)}{\\Sigma_{mm}\\,\\mathrm{Tr}(\\Gamma)}";

}  // namespace

// clang-format off
void NormsPage::declare(PropertyRegistry& registry, const RaceShared&) {
  const Condition here = onPages("training.page", "experiments", {"norms"});
  declareParameters(registry, {.prefix = "training.norms.", .applies = here, .equation = kTheorem}, {
      {.key = "role", .into = {&NormsState::options, &studies::GrowthOptions::role}, .label = N_("Role of t*"),
       .options = {{"context", kRoleNames[0]}, {"predicted", kRoleNames[1]}, {"autoregressive", kRoleNames[2]},
                   {"bidirectional", kRoleNames[3]}},
       .help = N_("What t* is to the other tokens of a sequence: context of all, as in Proposition A.7; predicted by "
                  "all, as in Corollary A.8; both, by its position, (S89) to (S91); both, by what is masked, as in "
                  "Corollary A.12."),
       .equation = "Attention-Structure, Proposition A.7, Corollaries A.8, A.12, (S89)-(S91)"},
      {.key = "early", .into = {&NormsState::options, &studies::GrowthOptions::early},
       .label = N_("Early"), .symbol = "a", .min = -4, .max = 4, .step = 0.1, .digits = 2, .fallback = 1.0,
       .help = N_("Autoregressive only: t* is at position k with a probability proportional to k to the power −a. For "
                  "a above 0 it is context of more tokens than predict it."),
       .equation = "Attention-Structure, Remark A.10"},
      {.key = "mask", .into = {&NormsState::options, &studies::GrowthOptions::mask},
       .label = N_("Masked"), .symbol = "ρ", .min = 0.01, .max = 0.99, .step = 0.01, .digits = 2, .fallback = 0.15,
       .help = N_("Bidirectional only: the share of masked positions."), .equation = "Attention-Structure, Proposition A.9"},
      {.key = "d", .into = {&NormsState::options, &studies::GrowthOptions::d},
       .label = N_("Width"), .symbol = "d", .kind = Kind::Integer, .min = 2, .max = 512, .fallback = 64.0,
       .help = N_("The width of the embeddings: W_qk has d rows and d columns.")},
      {.key = "tokens", .into = {&NormsState::options, &studies::GrowthOptions::tokens},
       .label = N_("Tokens"), .symbol = "N", .kind = Kind::Integer, .min = 1, .max = 1024,
       .scale = Scale::Logarithmic, .fallback = 16.0,
       .help = N_("How many other tokens a sequence has. Their weights β_i are independent, N(0, 1/N).")},
      {.key = "updates",
       .into = {&NormsState::options, &studies::GrowthOptions::updates},
       .label = N_("Updates"), .kind = Kind::Integer, .min = 1, .max = 1e6,
       .scale = Scale::Logarithmic, .fallback = 4000.0,
       .help = N_("How many independent updates are added up."),
       .formula = "\\Delta W = \\left(\\sum_{i=1}^{N}\\beta_i\\,x_i\\right)y^\\top"},
      {.key = "predicted",
       .into = {&NormsState::options, &studies::GrowthOptions::predictedPower},
       .label = N_("Other tokens"), .symbol = "σ", .min = -3, .max = 3, .step = 0.1,
       .digits = 2, .fallback = 1.0,
       .help = N_("How much the variances of the other tokens differ: Σ_mm is proportional to m to the power −σ, with "
                  "mean 1. 0: all equal."),
       .formula = "x_i \\sim N(0,\\mathrm{diag}\\,\\Sigma),\\quad \\Sigma_{mm} \\propto m^{-\\sigma}"},
      {.key = "context",
       .into = {&NormsState::options, &studies::GrowthOptions::contextPower},
       .label = N_("Token t*"), .symbol = "γ", .min = -3, .max = 3, .step = 0.1, .digits = 2,
       .fallback = 0.0,
       .help = N_("How much the variances of t* differ: Γ_kk is proportional to k to the power −γ, with mean 1. In "
                  "Proposition A.7 they are all equal: 0."),
       .formula = "y \\sim N(0,\\mathrm{diag}\\,\\Gamma),\\quad \\Gamma_{kk} \\propto k^{-\\gamma}", .errata = {"att-8"}},
      {.key = "column",
       .into = &NormsState::column,
       .label = N_("Column"), .symbol = "k", .kind = Kind::Integer, .min = 1, .max = 512, .step = 1,
       .fallback = 1.0,
       .help = N_("The column whose squared norm is compared with that of every row; the last one where there are "
                  "fewer."),
       .formula = kRatio},
      {.key = "sums",
       .into = {&NormsState::options, &studies::GrowthOptions::matrices},
       .label = N_("Sums"), .kind = Kind::Integer, .min = 1, .max = 100, .fallback = 12.0,
       .help = N_("How many independent sums of updates the directionality is computed for: that of a single matrix "
                  "varies strongly.")},
      {.key = "seed",
       .into = {&NormsState::options, &studies::GrowthOptions::seed},
       .label = N_("Seed"), .kind = Kind::Integer, .min = 0, .max = 1e9, .step = 1, .fallback = 0.0,
       .help = N_("The seed of all random numbers of this page. The same seed gives the same numbers.")}});
  declareParameters(registry, {.prefix = "training.norms.lemma.", .applies = here, .equation = kLemma,
                               .errata = {"att-9"}}, {
      {.key = "mean",
       .into = {&NormsState::lemma, &LemmaChoice::mean},
       .label = N_("Mean"), .symbol = "μ", .min = -1e6, .max = 1e6, .digits = 4, .fallback = 10.0,
       .help = N_("The mean of both laws of the lemma.")},
      {.key = "wide",
       .into = {&NormsState::lemma, &LemmaChoice::wide},
       .label = N_("Larger deviation"), .symbol = "σ_a", .min = 1e-6, .max = 1e6, .digits = 4,
       .fallback = 4.97, .help = N_("The standard deviation of the law that the lemma says has the heavier tail.")},
      {.key = "narrow",
       .into = {&NormsState::lemma, &LemmaChoice::narrow},
       .label = N_("Smaller deviation"), .symbol = "σ_b", .min = 1e-6, .max = 1e6, .digits = 4,
       .fallback = 1.0, .help = N_("The standard deviation of the other law.")},
      {.key = "z",
       .into = {&NormsState::lemma, &LemmaChoice::z},
       .label = N_("Threshold"), .symbol = "z", .min = -1e6, .max = 1e6, .digits = 4, .fallback = 12.5,
       .help = N_("The tails are compared above z. The counterexample is made for any z above the mean: all of the "
                  "first law is at or below z, a part of the second is above it."),
       .formula = "z > \\sqrt{\\sigma_a\\,\\sigma_b}-\\mu"}});
  declareResults(registry);
}

void NormsPage::declareResults(PropertyRegistry& registry) {
  const Condition here = onPages("training.page", "experiments", {"norms"});
  const Getters of([this](int) { return bench(); });
  const auto last = [](double attention::Quartiles::*member) {
    return [member](const studies::GrowthBench& bench) -> std::optional<double> {
      if (bench.points.empty()) return std::nullopt;
      return bench.points.back().directionality.*member;
    };
  };
  const Getters lemma([this](int) { return lemmaExample(state_.lemma); });
  declareReadOuts(registry, {.prefix = "training.norms.result.", .applies = here, .equation = kTheorem}, {
      {.key = "updates", .label = N_("Updates made"), .help = N_("The number of updates for which the directionality is known."),
       .digits = 0, .get = of([](const studies::GrowthBench& bench) {
         return bench.points.empty() ? std::int64_t{0} : bench.points.back().updates;
       })},
      {.key = "worst", .label = N_("Distance from (S56)"), .unit = N_("standard errors"),
       .help = N_("The largest distance of a measured mean squared norm of a row or column from its formula, in "
                  "standard errors. For 2d numbers about 4 is expected by chance."),
       .formula = kRatio, .digits = 3, .get = of(&studies::GrowthBench::worst)},
      {.key = "energy", .label = N_("Rows over columns"),
       .help = N_("The sum of the squared norms of all rows over that of all columns. Both are the squared norm of "
                  "the matrix: the ratio is always 1."),
       .digits = 6, .get = of([](const studies::GrowthBench& bench) {
         return bench.growth.rows2.sum() / bench.growth.columns2.sum();
       })},
      {.key = "row_variance", .label = N_("Variance of row norms"),
       .help = N_("The variance of the norms of the rows of the sum."), .errata = {"att-8"}, .digits = 1,
       .get = of([](const studies::GrowthBench& bench) { return bench.growth.rowVariance; })},
      {.key = "column_variance", .label = N_("Variance of column norms"),
       .help = N_("The variance of the norms of the columns of the sum. The proof of Theorem 2.3 requires it to be "
                  "larger than that of the rows."),
       .errata = {"att-8"}, .digits = 1,
       .get = of([](const studies::GrowthBench& bench) { return bench.growth.columnVariance; })},
      {.key = "directionality", .label = N_("Directionality"), .symbol = "d",
       .help = N_("The median of the directionality of Definition 3.2, as printed, over independent sums of all "
                  "updates: above 0 rows dominate, below 0 columns."),
       .errata = {"att-8"}, .digits = 3, .get = of(last(&attention::Quartiles::median))},
      {.key = "directionality.q1", .label = N_("Lower quartile"),
       .help = N_("A quarter of the sums have a smaller directionality."), .digits = 3,
       .get = of(last(&attention::Quartiles::q1))},
      {.key = "directionality.q3", .label = N_("Upper quartile"),
       .help = N_("A quarter of the sums have a larger directionality."), .digits = 3,
       .get = of(last(&attention::Quartiles::q3))},
      {.key = "gamma", .label = N_("γ of Lemma A.11"), .symbol = "γ",
       .help = N_("Above this norm (18) is claimed, by the lemma that the proof applies: with the deviations of the "
                  "norms of rows and columns and their mean. If it is below 0, (18) is claimed for every norm."),
       .formula = "\\gamma = \\sqrt{\\sigma_{\\mathrm{row}}\\,\\sigma_{\\mathrm{column}}}-\\mu",
       .errata = {"att-9"}, .digits = 4, .get = of([](const studies::GrowthBench& bench) { return bench.claim.gamma; })},
      {.key = "gamma_printed", .label = N_("γ of (S95)"),
       .help = N_("The threshold as (S95) prints it, with variances where the lemma has deviations. It does not have "
                  "the unit of a norm, so its meaning depends on the unit of W."),
       .formula = "\\sqrt{\\mathrm{Var}(\\|w_{\\cdot,k}\\|)\\,\\mathrm{Var}(\\|w_{m,\\cdot}\\|)}-\\mu",
       .errata = {"att-9"}, .digits = 4, .get = of([](const studies::GrowthBench& bench) { return bench.claim.printed; })},
      {.key = "against", .label = N_("Against (18)"),
       .help = N_("The largest difference over all w above γ: the share of rows whose norm is above w minus that of "
                  "columns. (18) requires it to be below 0."),
       .digits = 3, .get = of([](const studies::GrowthBench& bench) { return bench.claim.worst; })},
      {.key = "from", .label = N_("(18) holds from"),
       .help = N_("For every w from this norm on, at least as many columns as rows are above w; none where the "
                  "largest norm is that of a row."),
       .digits = 4, .get = of([](const studies::GrowthBench& bench) { return bench.claim.from; })}});
  declareReadOuts(registry, {.prefix = "training.norms.lemma.result.", .applies = here, .equation = kLemma,
                             .errata = {"att-9"}}, {
      {.key = "threshold", .label = N_("Threshold, published"),
       .help = N_("Above this the lemma claims that the law with the larger deviation has the heavier tail, as printed."),
       .formula = "\\sqrt{\\sigma_a\\,\\sigma_b}-\\mu", .digits = 4,
       .get = [this](int) {
         return valueOf(attention::lemmaThreshold(state_.lemma.mean, state_.lemma.wide, state_.lemma.narrow));
       }},
      {.key = "wide", .label = N_("Pr[X_a > z]"), .help = N_("The probability under the law with the larger deviation."), .digits = 4,
       .get = lemma([](const attention::TailExample& one) { return one.wide.above(one.z); })},
      {.key = "narrow", .label = N_("Pr[X_b > z]"), .help = N_("The probability under the law with the smaller deviation."), .digits = 4,
       .get = lemma([](const attention::TailExample& one) { return one.narrow.above(one.z); })},
      {.key = "problem", .label = N_("What is wrong"),
       .help = N_("Why there is no counterexample for these numbers; empty: there is one."),
       .get = [this](int) { return Value(state_.lemma.problem()); }}});
}
// clang-format on

}  // namespace sepx::ui
