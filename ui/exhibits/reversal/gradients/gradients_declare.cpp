// SPDX-License-Identifier: Apache-2.0
// The properties and read-outs of the page Gradients.
#include "ui/exhibits/reversal/gradients/gradients_page.h"
#include "ui/exhibits/reversal/gradients/gradients_scene.h"
#include "ui/properties/declarations.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr const char *kFirstOrder = "Reversal, section 4.3", *kTheorem = "Reversal, Theorem 4.6",
                     *kCosine = "Reversal, C.1", *kSigns = "Reversal, Proposition 4.1";

double shareOf(std::int64_t count, std::int64_t of) {
  return of > 0 ? static_cast<double>(count) / static_cast<double>(of) : std::nan("");
}

}  // namespace

// clang-format off
void GradientsPage::declare(PropertyRegistry& registry, const RaceShared&) {
  const Condition here = onPages("reversal.page", "race", {"gradients"});
  const auto apart = [](const Document&, const Document& with) -> Result<Document> {
    const Json &lower = with.at("reversal.gradients.lower"), &upper = with.at("reversal.gradients.upper");
    const double first = lower.is_number() ? lower.get<double>() : 0, last = upper.is_number() ? upper.get<double>() : 4;
    if (first < last) return with;
    return fail(ErrorKind::Usage, tr("the small letter stands before its capital, as in training: its place must be the smaller "
                                     "one"));
  };
  declareParameters(registry, {.prefix = "reversal.gradients.", .applies = here}, {
      {.key = "of",
       .into = &GradientsRequest::of,
       .label = N_("Loss of"), .options = {{"pair", N_("one pair")}, {"mean", N_("mean of 52 pairs")}},
       .help = N_("Whose loss is differentiated: that of the selected pair, or the mean over 52 pairs, every letter twice and "
                  "places in turn. A mean hides that single pairs may be aligned less.")},
      {.key = "letter",
       .into = &GradientsRequest::letter,
       .label = N_("Letter"), .kind = Kind::Integer, .min = 0, .max = 25, .step = 1, .fallback = 3.0,
       .help = N_("The letter of the selected pair: 0 is a, 25 is z.")},
      {.key = "lower",
       .into = &GradientsRequest::lower,
       .label = N_("Small at"), .kind = Kind::Integer, .min = 0, .max = 4095, .step = 1,
       .fallback = 0.0, .help = N_("Where the small letter stands in training, counted from 0: [M] of the forward query."),
       .follow = apart},
      {.key = "upper",
       .into = &GradientsRequest::upper,
       .label = N_("Capital at"), .kind = Kind::Integer, .min = 1, .max = 4095, .step = 1,
       .fallback = 4.0, .help = N_("Where the capital stands in training, counted from 0: [M] of the reverse query."),
       .follow = apart},
      {.key = "rate",
       .into = &GradientsRequest::rate,
       .label = N_("Step"), .symbol = "η", .min = 1e-8, .max = 10, .scale = Scale::Logarithmic,
       .digits = 6, .fallback = 1e-3,
       .help = N_("How far the parameters are taken down the gradient of the forward loss. It is a plain step, not one of the "
                  "optimiser; the run is left as it is."),
       .equation = kFirstOrder}});
  declareResults(registry);
  declareGroups(registry);
}

void GradientsPage::declareResults(PropertyRegistry& registry) {
  const Condition here = onPages("reversal.page", "race", {"gradients"});
  const Getters of([this](int) { return view(); });
  const Getters storage([this](int) { return view() && view()->factors ? &*view()->factors : nullptr; });
  const Getters singles([this](int) { return singles_.value().get(); });
  const Getters signs([this](int) {
    return singles_.value() && singles_.value()->signs ? &*singles_.value()->signs : nullptr;
  });
  using reversal::StorageSigns;
  declareReadOuts(registry, {.prefix = "reversal.gradients.", .applies = here}, {
      {.key = "at", .label = N_("Step of the gradients"), .help = N_("The saved or live step whose model is shown."),
       .digits = 0, .get = of(&GradientsView::step)},
      {.key = "pairs", .label = N_("Pairs"), .help = N_("The pairs whose mean loss is differentiated."), .digits = 0,
       .get = of(&GradientsView::pairs)},
      {.key = "cosine", .label = N_("Cosine"),
       .help = N_("The cosine of the gradients of the forward and of the reverse loss over all parameters. The paper measures "
                  "more than 0.6 during training."),
       .equation = "Reversal, Figure 3", .formula = "\\cos(\\nabla L_{fwd},\\,\\nabla L_{rev})", .digits = 4,
       .get = of([](const GradientsView& view) { return view.alignment.all.cosine(); })},
      {.key = "single", .label = N_("Single pairs"),
       .help = N_("The mean over 52 pairs of the cosine of each pair's own gradients."), .digits = 4,
       .get = singles(&SinglePairs::cosine)},
      {.key = "forward_loss", .label = N_("Forward loss"), .unit = N_("nats"), .help = N_("−log p(A) of the forward query."),
       .digits = 4, .get = of([](const GradientsView& view) { return view.alignment.forwardLoss; })},
      {.key = "reverse_loss", .label = N_("Reverse loss"), .unit = N_("nats"), .help = N_("−log p(A) of the reverse query."),
       .digits = 4, .get = of([](const GradientsView& view) { return view.alignment.reverseLoss; })},
      {.key = "step.predicted", .label = N_("Predicted"), .unit = N_("nats"),
       .help = N_("What a step down the forward loss does to the reverse loss, to first order."), .equation = kFirstOrder,
       .formula = "-\\eta\\langle\\nabla L_{rev},\\,\\nabla L_{fwd}\\rangle",
       .get = of([](const GradientsView& view) { return view.effect.reversePredicted; }), .numberWords = formatReading},
      {.key = "step.measured", .label = N_("Measured"), .unit = N_("nats"),
       .help = N_("The reverse loss after the step less that before it, at the length η that is chosen."), .equation = kFirstOrder,
       .get = of([](const GradientsView& view) { return view.effect.reverse; }), .numberWords = formatReading},
      {.key = "storage.cosine", .label = N_("Cosine by Y"),
       .help = N_("The cosine of both gradients where Y is the parameter, with attention and predictions of this model: the "
                  "product of the two cosines below, exactly."),
       .equation = kCosine, .formula = "\\cos(p-e_A,\\,p'-e_A)\\,\\cos(m,\\,m')", .digits = 4,
       .get = storage(&reversal::StorageFactors::cosine)},
      {.key = "storage.errors", .label = N_("Cosine of the errors"),
       .help = N_("The cosine of p − e_A in both queries. Ours: it is never below 1/2."), .equation = kCosine,
       .errata = {"rev-9"}, .digits = 4,
       .get = storage(&reversal::StorageFactors::errorCosine)},
      {.key = "storage.masses", .label = N_("Cosine of the masses"),
       .help = N_("The cosine of the attention by token in both queries."), .equation = kCosine, .digits = 4,
       .get = storage(&reversal::StorageFactors::massCosine)},
      {.key = "storage.column", .label = N_("Column of B"),
       .help = N_("The product of both gradients by the column of Y that belongs to the capital: above 0 always."),
       .equation = kTheorem, .formula = "m_B\\,m'_B\\,\\langle p-e_A,\\,p'-e_A\\rangle",
       .get = storage(&reversal::StorageFactors::columnProduct), .numberWords = formatReading},
      {.key = "signs.rises", .label = N_("Y_AB rises"),
       .help = N_("The share of 52 pairs in which a step down the forward loss raises Y_AB. Where Y itself is the parameter it is "
                  "1; here all parameters of a trained model move."),
       .equation = kSigns, .digits = 3, .get = signs([](const StorageSigns& s) { return shareOf(s.rises, s.pairs); })},
      {.key = "signs.falls", .label = N_("Y_CB falls"),
       .help = N_("The share of the entries Y_CB, C ≠ A, that such a step lowers."), .equation = kSigns, .digits = 3,
       .get = signs([](const StorageSigns& s) { return shareOf(s.falls, s.others); })},
      {.key = "signs.forward", .label = N_("More attention to B helps, forward"),
       .help = N_("The share of the pairs with ∂L/∂S_B below 0 in the forward query."), .equation = kCosine, .digits = 3,
       .get = signs([](const StorageSigns& s) { return shareOf(s.forwardHelps, s.pairs); })},
      {.key = "signs.reverse", .label = N_("More attention to B helps, reverse"),
       .help = N_("The share of the pairs with ∂L/∂S_B below 0 in the reverse query."), .equation = kCosine, .digits = 3,
       .get = signs([](const StorageSigns& s) { return shareOf(s.reverseHelps, s.pairs); })},
      {.key = "signs.same", .label = N_("Both of one sign"),
       .help = N_("The share of the pairs in which ∂L/∂S_B has one sign in both queries. C.1 argues that it has, once B is "
                  "useful in both."),
       .equation = kCosine, .digits = 3, .get = signs([](const StorageSigns& s) { return shareOf(s.sameSign, s.pairs); })},
      {.key = "signs.formula", .label = N_("∂L/∂S as the formula"),
       .help = N_("The share of all ∂L/∂S_k, over places and both queries, whose sign is that of α_k (μ_k − Σ α μ) with the "
                  "storage of this model. The formula leaves out the residual path, the MLP and the norms."),
       .equation = kCosine, .digits = 3, .get = signs([](const StorageSigns& s) { return shareOf(s.agrees, s.scores); })},
      {.key = "failure", .label = N_("Why there are no gradients"), .help = N_("Why nothing can be measured; empty: it can."),
       .get = [this](int) { return Value(failure()); }}});
}

/// Of each group of parameters, measured and idealised.
void GradientsPage::declareGroups(PropertyRegistry& registry) {
  const Condition here = onPages("reversal.page", "race", {"gradients"});
  const Getters of([this](int) { return view(); });
  std::vector<ReadOut> rows;
  for (std::size_t i = 0; i < nn::kParameterGroups; ++i) {
    const auto group = static_cast<nn::ParameterGroup>(i);
    rows.push_back({.key = "cosine." + std::string(nn::groupWord(group)), .label = N_("Cosine of a group"),
                    .help = N_("The cosine of both gradients over the parameters of this group alone."),
                    .equation = "Reversal, Figure 3", .digits = 4,
                    .get = of([group](const GradientsView& view) { return view.alignment.of(group).cosine(); }), .detail = true});
    rows.push_back({.key = "idealised." + std::string(nn::groupWord(group)), .label = N_("Cosine of a group, idealised"),
                    .help = N_("What the idealised layer of the appendix gives with the attention and the vectors of this model. "
                               "It knows one evidence token, no norm, no MLP."),
                    .equation = "Reversal, C.1, Proposition C.1", .errata = {"rev-7"}, .digits = 4,
                    .get = of([group](const GradientsView& view) { return idealisedCosine(view, group); }), .detail = true});
  }
  declareReadOuts(registry, {.prefix = "reversal.gradients.", .applies = here}, std::move(rows));
}
// clang-format on

}  // namespace sepx::ui
