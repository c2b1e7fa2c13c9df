// SPDX-License-Identifier: Apache-2.0
// What the page Ideal declares: the setting, the time that is shown, and numbers.
#include <cmath>

#include "ui/exhibits/reversal/ideal/ideal_page.h"
#include "ui/properties/declarations.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr const char* kSetting = "Reversal, appendix C.3";
constexpr const char* kProposition = "Reversal, C.3, Proposition C.2";
constexpr int kMostIdealDimensions = 256, kMostIdealTokens = 1000;

/// RoPE turns planes of two dimensions.
Result<Document> inPlanes(const Document&, const Document& with) {
  const Json &kind = with.at("reversal.ideal.kind"), &dimensions = with.at("reversal.ideal.dimensions");
  if ((kind.is_string() && kind != "rope") || !dimensions.is_number()) return with;
  if (std::fmod(dimensions.get<double>(), 2) != 0)
    return fail(ErrorKind::Usage, tr("RoPE turns planes of two dimensions: D must be even. Choose an even D."));
  return with;
}

std::string probabilityWords(double value) {
  return shownProbability(value, 6);
}

}  // namespace

// clang-format off
void IdealPage::declare(PropertyRegistry& registry, const ReversalShared&) {
  const Condition here = onPages("reversal.page", "race", {"ideal"});
  const auto ofKind = [](bool rope) {
    return onPages("reversal.page", "race", {"ideal"}, [rope](const Document& document) {
      const Json& word = document.at("reversal.ideal.kind");
      return rope == (!word.is_string() || word == "rope");
    });
  };
  declareParameters(registry, {.prefix = "reversal.ideal.", .applies = here}, {
      {.key = "kind", .into = &IdealRequest::kind, .label = N_("Positions"),
       .options = {{"rope", N_("RoPE, key trains")}, {"alibi-fixed", N_("ALiBi, fixed scores")}, {"alibi-trained", N_("ALiBi, q and k train")}},
       .help = N_("The encoding of positions and what the flow trains beside the storage Y: under RoPE the key with the query "
                  "fixed, under ALiBi nothing or both."),
       .equation = kSetting, .follow = inPlanes},
      {.key = "forward",
       .into = &IdealRequest::forward,
       .label = N_("Forward"), .symbol = "Δ1", .kind = Kind::Integer, .min = 1, .max = kMostIdealDistance,
       .step = 1, .fallback = 1.0, .help = N_("How many places B stands to the right of [M] in the forward query, which trains."), .equation = kSetting},
      {.key = "reverse",
       .into = &IdealRequest::reverse,
       .label = N_("Reverse"), .symbol = "Δ2", .kind = Kind::Integer, .min = 1, .max = kMostIdealDistance,
       .step = 1, .fallback = 1.0, .help = N_("How many places B stands to the left of [M] in the reverse query, which is asked alone."), .equation = kSetting},
      {.key = "dimensions",
       .into = &IdealRequest::dimensions,
       .label = N_("Dimensions"), .symbol = "D", .kind = Kind::Integer, .min = 1, .max = kMostIdealDimensions,
       .step = 2, .fallback = 8.0, .help = N_("Dimensions of query and key; an even number under RoPE."), .equation = kSetting, .follow = inPlanes},
      {.key = "vocabulary",
       .into = &IdealRequest::vocabulary,
       .label = N_("Tokens"), .symbol = "V", .kind = Kind::Integer, .min = 2, .max = kMostIdealTokens, .step = 1,
       .fallback = 4.0, .help = N_("Tokens that can be the answer, with A."), .equation = kSetting},
      {.key = "seed",
       .into = &IdealRequest::seed,
       .label = N_("Seed"), .kind = Kind::Integer, .min = 0, .max = 1e9, .step = 1, .fallback = kIdealSeed,
       .help = N_("The seed of the query, drawn from N(0, I), and under ALiBi of the key. Under RoPE the key starts at 0.")},
      {.key = "remaining", .into = &IdealPage::remaining_, .label = N_("Show 1 − p"), .fallback = false,
       .help = N_("Shows how far the probabilities are from 1, on a logarithmic axis. 1 − p of the forward query falls as 1/t; that of "
                  "the reverse query does under RoPE for ρ ≥ 1/2 alone (ours, ρ is the read-out Condition), otherwise more slowly, under "
                  "ALiBi with fixed scores as t^(−α_rev/α_fwd).")},
      {.key = "time",
       .into = &IdealPage::time_,
       .label = N_("Time shown"), .symbol = "t", .min = kFirstIdealTime, .max = kLastIdealTime,
       .scale = Scale::Logarithmic, .digits = 2, .fallback = kLastIdealTime,
       .help = N_("The time of the flow whose numbers are listed. A drag in a chart over time moves it.")}});
  declareParameters(registry, {.prefix = "reversal.ideal.", .applies = ofKind(true)}, {
      {.key = "base",
       .into = &IdealRequest::base,
       .label = N_("RoPE base"), .min = 1.5, .max = 1e7, .scale = Scale::Logarithmic, .digits = 0, .fallback = 10000.0,
       .help = N_("Plane s turns by base^(−2s/D) radians a place."), .formula = "\\theta_s=base^{-2s/D}"}});
  declareParameters(registry, {.prefix = "reversal.ideal.", .applies = ofKind(false)}, {
      {.key = "slope",
       .into = &IdealRequest::slope,
       .label = N_("Slope"), .symbol = "b", .min = -1, .max = 1, .step = 0.01, .digits = 2, .fallback = -0.25,
       .help = N_("What ALiBi adds to the score a place: b Δ1 forward, −b Δ2 in reverse."), .equation = "Reversal, C.3, Proposition C.3"}});
  declareResults(registry);
}

void IdealPage::declareResults(PropertyRegistry& registry) {
  const Condition here = onPages("reversal.page", "race", {"ideal"});
  const Getters of([this](int) { return view_.get(); });
  const Getters state([this](int) { return shown(); });
  const Getters end([this](int) { return view_ ? &view_->states.back() : nullptr; });
  declareReadOuts(registry, {.prefix = "reversal.ideal.", .applies = here}, {
      {.key = "condition", .label = N_("Condition"), .help = N_("What Proposition C.2 assumes to be above 0 under RoPE, divided by |q|²; "
           "none under ALiBi. Ours: in the limit p_rev approaches 1 above −1/2, a value strictly between 1/V and 1 at −1/2, and "
           "1/V below it."),
       .equation = kProposition, .formula = "q^\\top R(\\Delta_1+\\Delta_2)\\,q/|q|^2", .errata = {"rev-8"}, .digits = 4,
       .get = of(&IdealView::condition)},
      {.key = "holds", .label = N_("Condition holds"), .help = N_("Whether what the proposition assumes is so: always under ALiBi."),
       .equation = kProposition, .errata = {"rev-8"},
       .get = of([](const IdealView& view) { return std::isnan(view.condition) || view.condition > 0; })},
      {.key = "p_forward", .label = N_("Forward"), .symbol = "p_fwd", .help = N_("The probability of A in the forward query at the time shown."),
       .equation = kSetting, .digits = 6, .get = state(&reversal::TransferState::forward), .numberWords = probabilityWords},
      {.key = "p_reverse", .label = N_("Reverse"), .symbol = "p_rev", .help = N_("The probability of A in the reverse query at the time shown."),
       .equation = kSetting, .digits = 6, .get = state(&reversal::TransferState::reverse), .numberWords = probabilityWords},
      {.key = "alpha_forward", .label = N_("Attention forward"), .symbol = "α", .help = N_("Attention from [M] to B in the forward query at the time shown."),
       .equation = kSetting, .formula = "\\sigma(S/\\sqrt{D})", .digits = 4, .get = state(&reversal::TransferState::forwardAlpha)},
      {.key = "alpha_reverse", .label = N_("Attention reverse"), .symbol = "α", .help = N_("Attention from [M] to B in the reverse query at the time shown."),
       .equation = kSetting, .formula = "\\sigma(S/\\sqrt{D})", .digits = 4, .get = state(&reversal::TransferState::reverseAlpha)},
      {.key = "storage", .label = N_("Storage"), .symbol = "Y", .help = N_("What B adds to the logit of A at the time shown, with an attention of 1."),
       .equation = kSetting, .digits = 4, .get = state(&reversal::TransferState::target)},
      {.key = "end.forward", .label = N_("Forward at the end"), .symbol = "p_fwd", .help = N_("The probability of A in the forward query at t = 10⁶."),
       .equation = kSetting, .digits = 6, .get = end(&reversal::TransferState::forward), .numberWords = probabilityWords},
      {.key = "end.reverse", .label = N_("Reverse at the end"), .symbol = "p_rev", .help = N_("The probability of A in the reverse query at t = 10⁶."),
       .equation = kSetting, .digits = 6, .get = end(&reversal::TransferState::reverse), .numberWords = probabilityWords}});
}
// clang-format on

void IdealPage::read(const Document& document, const PropertyRegistry& registry, const ReversalShared& live) {
  TimedPage::read(document, registry, live);
  registry.read(document, request_);
  registry.read(document, *this);
}

}  // namespace sepx::ui
