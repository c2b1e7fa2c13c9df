// SPDX-License-Identifier: Apache-2.0
// The properties and read-outs of the page Norms.
#include "ui/exhibits/training/norms/norms_page.h"
#include "ui/properties/tr.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

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
      {.key = "d", .into = {&NormsState::options, &studies::GrowthOptions::d},
       .label = N_("Width"), .symbol = "d", .kind = Kind::Integer, .min = 2, .max = 512, .fallback = 64.0,
       .help = N_("The width of the embeddings: W_qk has d rows and d columns.")},
      {.key = "tokens", .into = {&NormsState::options, &studies::GrowthOptions::tokens},
       .label = N_("Tokens"), .symbol = "N", .kind = Kind::Integer, .min = 1, .max = 1024,
       .scale = Scale::Logarithmic, .fallback = 16.0,
       .help = N_("How many predicted tokens an update has. Their weights β_i are independent, N(0, 1/N).")},
      {.key = "updates",
       .into = {&NormsState::options, &studies::GrowthOptions::updates},
       .label = N_("Updates"), .kind = Kind::Integer, .min = 1, .max = 1e6,
       .scale = Scale::Logarithmic, .fallback = 4000.0,
       .help = N_("How many independent updates are added up."),
       .formula = "\\Delta W = \\left(\\sum_{i=1}^{N}\\beta_i\\,x_i\\right)y^\\top"},
      {.key = "predicted",
       .into = {&NormsState::options, &studies::GrowthOptions::predictedPower},
       .label = N_("Predicted tokens"), .symbol = "σ", .min = -3, .max = 3, .step = 0.1,
       .digits = 2, .fallback = 1.0,
       .help = N_("How much the variances of the predicted tokens differ: Σ_mm is proportional to m to the power −σ, of "
                  "mean 1. 0: all alike."),
       .formula = "x_i \\sim N(0,\\mathrm{diag}\\,\\Sigma),\\quad \\Sigma_{mm} \\propto m^{-\\sigma}"},
      {.key = "context",
       .into = {&NormsState::options, &studies::GrowthOptions::contextPower},
       .label = N_("Context"), .symbol = "γ", .min = -3, .max = 3, .step = 0.1, .digits = 2,
       .fallback = 0.0,
       .help = N_("How much the variances of the context differ: Γ_kk is proportional to k to the power −γ, of mean 1. "
                  "Proposition A.7 has them all alike: 0."),
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
       .help = N_("How many independent sums of updates the directionality is taken of: that of one matrix scatters "
                  "much.")},
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
      {.key = "updates", .label = N_("Updates made"), .help = N_("Over how many updates the directionality is known."),
       .digits = 0, .get = of([](const studies::GrowthBench& bench) {
         return bench.points.empty() ? std::int64_t{0} : bench.points.back().updates;
       })},
      {.key = "worst", .label = N_("Off (S56)"), .unit = N_("standard errors"),
       .help = N_("The largest distance of a measured mean squared norm of a row or column from its formula, in standard "
                  "errors. Of 2d numbers some 4 is what chance gives."),
       .formula = kRatio, .digits = 3, .get = of(&studies::GrowthBench::worst)},
      {.key = "energy", .label = N_("Rows over columns"),
       .help = N_("The squared norms of all rows over those of all columns. Both are the squared norm of the matrix: it "
                  "is always 1."),
       .digits = 6, .get = of([](const studies::GrowthBench& bench) {
         return bench.growth.rows2.sum() / bench.growth.columns2.sum();
       })},
      {.key = "row_variance", .label = N_("Variance of row norms"),
       .help = N_("The variance of the norms of the rows of the sum."), .errata = {"att-8"}, .digits = 1,
       .get = of([](const studies::GrowthBench& bench) { return bench.growth.rowVariance; })},
      {.key = "column_variance", .label = N_("Variance of column norms"),
       .help = N_("The variance of the norms of the columns of the sum. The proof of Theorem 2.3 wants it larger than "
                  "that of the rows."),
       .errata = {"att-8"}, .digits = 1,
       .get = of([](const studies::GrowthBench& bench) { return bench.growth.columnVariance; })},
      {.key = "directionality", .label = N_("Directionality"), .symbol = "d",
       .help = N_("The median over independent sums of all updates, of Definition 3.2 as printed: above 0 rows dominate, "
                  "below 0 columns."),
       .errata = {"att-8"}, .digits = 3, .get = of(last(&attention::Quartiles::median))},
      {.key = "directionality.q1", .label = N_("Lower quartile"),
       .help = N_("A quarter of the sums have a smaller directionality."), .digits = 3,
       .get = of(last(&attention::Quartiles::q1))},
      {.key = "directionality.q3", .label = N_("Upper quartile"),
       .help = N_("A quarter of the sums have a larger directionality."), .digits = 3,
       .get = of(last(&attention::Quartiles::q3))},
      {.key = "gamma", .label = N_("γ of Lemma A.11"), .symbol = "γ",
       .help = N_("Above this norm (18) is claimed, by the lemma that the proof applies: with the deviations of the norms "
                  "of rows and columns and their mean. Below 0 it bounds nothing: (18) is claimed everywhere."),
       .formula = "\\gamma = \\sqrt{\\sigma_{\\mathrm{row}}\\,\\sigma_{\\mathrm{column}}}-\\mu",
       .errata = {"att-9"}, .digits = 4, .get = of([](const studies::GrowthBench& bench) { return bench.claim.gamma; })},
      {.key = "gamma_printed", .label = N_("γ of (S95)"),
       .help = N_("The threshold as (S95) prints it, with variances where the lemma has deviations. It is not a norm: with "
                  "other units of W it is another norm."),
       .formula = "\\sqrt{\\mathrm{Var}(\\|w_{\\cdot,k}\\|)\\,\\mathrm{Var}(\\|w_{m,\\cdot}\\|)}-\\mu",
       .errata = {"att-9"}, .digits = 4, .get = of([](const studies::GrowthBench& bench) { return bench.claim.printed; })},
      {.key = "against", .label = N_("Against (18)"),
       .help = N_("The largest share of rows above a norm w less that of columns, over all w above γ. (18) wants it below "
                  "0."),
       .digits = 3, .get = of([](const studies::GrowthBench& bench) { return bench.claim.worst; })},
      {.key = "from", .label = N_("(18) holds from"),
       .help = N_("From this norm on at least as many columns as rows are above; none where the largest norm is that of "
                  "a row."),
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
