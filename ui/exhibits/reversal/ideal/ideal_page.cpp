// SPDX-License-Identifier: Apache-2.0
// See ideal_page.h.
#include "ui/exhibits/reversal/ideal/ideal_page.h"

#include <algorithm>
#include <cmath>

#include "ui/canvas/page_draw.h"
#include "ui/properties/declarations.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/views/left_out.h"

namespace sepx::ui {

namespace {

struct Chart {
  const char* name;
  IdealChart shown;
};
constexpr Chart kCharts[] = {{"probability", IdealChart::Probability},
                             {"attention", IdealChart::Attention},
                             {"storage", IdealChart::Storage},
                             {"geometry", IdealChart::Geometry}};
constexpr const char* kViolate = "reversal.ideal-violate";
constexpr double kLeastBeside = 14;  // least width of small charts side by side, in text sizes
constexpr double kMostWords = 0.25;  // largest share of the height for the sentence

/// A small chart has no room for a legend and names: the title tells which line is which, and the panel gives the
/// distances.
void makeSmall(LineChart& chart, IdealChart which, bool remaining) {
  chart.legend = false;
  if (which == IdealChart::Probability)
    chart.title = remaining ? tr("1 − p of A, reverse dashed") : tr("p of A, reverse dashed");
  for (ChartReference& line : chart.references)
    line.name.clear();
}

/// Rounds to three significant digits, so that a dragged time is a short number.
double shortTime(double t) {
  const double unit = std::pow(10.0, std::floor(std::log10(t)) - 2);
  return std::round(t / unit) * unit;
}

void setDragged(Editor& editor, const char* key, double value) {
  if (const auto done = editor.set(key, value, "reversal.ideal.drag"); !done) editor.say(done.error().message);
}

void dragTime(Editor& editor, double t, double) {
  setDragged(editor, "reversal.ideal.time", std::clamp(shortTime(t), kFirstIdealTime, kLastIdealTime));
}

}  // namespace

void IdealPage::ask(const ReversalFrame&, ExhibitContext&) {
  if (followed_ == request_) return;
  followed_ = request_;
  Result<IdealPointer> made = computeIdeal(request_);
  failure_ = made ? std::string() : sentenceCase(made.error().message);
  if (made) result_ = *std::move(made);
  results_.changed();
}

ChoicesContent IdealPage::choices(const ReversalFrame& frame) const {
  using reversal::TransferKind;
  return {{{"reversal.ideal.kind",
            frame.compact ? "" : tr("positions:"),
            {{"rope", tr("RoPE, key trained"), request_.kind == TransferKind::Rope},
             {"alibi-fixed", tr("ALiBi, fixed scores"), request_.kind == TransferKind::AlibiFixed},
             {"alibi-trained", tr("ALiBi, q and k trained"), request_.kind == TransferKind::AlibiTrained}}}}};
}

TextContent IdealPage::words(const ReversalFrame& frame, const std::string& text) const {
  const bool wrong = !failure_.empty() || (result_ && result_->condition <= 0);
  return {.lines = {{{text}, wrong ? NoteLine::Role::Error : NoteLine::Role::Normal}}, .large = !frame.compact};
}

/// A small picture is left to the charts; the panel and the caption have the whole sentence.
bool IdealPage::hasRoomForWords(const ReversalFrame& frame) const {
  const double height = heightOf({"words", words(frame, idealSentence(*result_))}, frame.area.width(), frame.theme);
  return !frame.compact && height <= kMostWords * frame.area.height();
}

/// Sets distances by a drag to `x` in the chart of the geometry: under RoPE their sum, otherwise the distance on the
/// side of `from`.
void IdealPage::dragDistance(Editor& editor, double x, double from) const {
  const auto places = [](double value) { return std::clamp(std::round(value), 1.0, double(kMostIdealDistance)); };
  if (request_.kind != reversal::TransferKind::Rope)
    return from < 0 ? setDragged(editor, "reversal.ideal.reverse", places(-x))
                    : setDragged(editor, "reversal.ideal.forward", places(x));
  // Δ2 takes as much of the change as it can, and Δ1 the rest.
  const double sum = std::clamp(std::round(x), 2.0, 2.0 * kMostIdealDistance);
  const double reverse = places(sum - request_.forward), forward = places(sum - reverse);
  if (reverse != request_.reverse) setDragged(editor, "reversal.ideal.reverse", reverse);
  if (forward != request_.forward) setDragged(editor, "reversal.ideal.forward", forward);
}

ChartContent IdealPage::chart(const ReversalFrame& frame, IdealChart which) const {
  ChartContent content{idealChart(*result_, which, remaining_, frame.theme), {}, {}, {}};
  if (frame.compact) makeSmall(content.chart, which, remaining_);
  if (which == IdealChart::Geometry) {
    content.slide = [this](Editor& editor, double x, double from) { dragDistance(editor, x, from); };
  } else {
    content.cursor = time_;
    content.slide = dragTime;
  }
  return content;
}

Views IdealPage::views(const ReversalFrame& frame) const {
  const double pad = 1.5 * frame.theme.space;
  const std::string text = !failure_.empty()        ? failure_
                           : !result_               ? std::string()
                           : hasRoomForWords(frame) ? idealSentence(*result_)
                                                    : idealShortSentence(*result_);
  Views made{{{"choices", choices(frame)}, {"words", words(frame, text)}}, {}};
  // A small pane shows only the probability and the geometry, in which the distances are dragged.
  Arrangement charts = gridOfViews(2, pad, {});
  if (frame.compact) charts = {.kind = Arrangement::Kind::Row, .gap = pad, .breaks = true};
  for (const Chart& one : kCharts) {
    if (!result_ || (frame.compact && one.shown != IdealChart::Probability && one.shown != IdealChart::Geometry))
      continue;
    made.views.push_back({one.name, chart(frame, one.shown)});
    charts.parts.push_back(viewNamed(one.name));
    charts.parts.back().leastWidth = frame.compact ? kLeastBeside * frame.theme.textSize : 0;
  }
  made.arrangement = {.kind = Arrangement::Kind::Column,
                      .parts = {asHighAsContent("choices"), asHighAsContent("words"), std::move(charts)},
                      .margin = pad};
  if (result_ && frame.compact && !frame.figure) made.arrangement.parts.push_back(leftOut(tr("attention and storage")));
  return made;
}

void IdealPage::violate(ExhibitContext& context) const {
  if (!result_ || result_->geometry.empty()) return context.editor.say(tr("ALiBi has no condition to violate."));
  const std::vector<double>& conditions = result_->geometry;
  const auto least = std::min_element(conditions.begin() + 2, conditions.end());
  if (*least > 0)
    return context.editor.say(
        trFormat("No sum of distances up to {} violates the condition: choose another seed, or a smaller base.",
                 2 * kMostIdealDistance));
  const auto sum = static_cast<int>(least - conditions.begin());
  const int reverse = std::clamp(sum - request_.forward, 1, kMostIdealDistance);
  context.editor.seal();
  context.editor.commit(
      context.editor.document().with("reversal.ideal.forward", sum - reverse).with("reversal.ideal.reverse", reverse),
      tr("Violate the condition"));
}

std::vector<ReversalPage::Command> IdealPage::commands(const ReversalShared&, const Document&) {
  return {{kViolate, tr("Distances that violate the condition of RoPE most"), "", tr("Exhibit"),
           request_.kind == reversal::TransferKind::Rope, [this](ExhibitContext& context) { violate(context); }}};
}

void IdealPage::panel(const ReversalFrame& frame, ExhibitContext& context, PagePanel& panel) {
  panel.group(tr("Setting"), "reversal.ideal.",
              {"kind", "forward", "reverse", "dimensions", "base", "slope", "vocabulary", "seed"});
  panel.heading(tr("The condition"));
  if (result_ && !hasRoomForWords(frame)) panel.sentence(idealSentence(*result_));
  panel.rows("reversal.ideal.", {"condition", "holds", "end.forward", "end.reverse"});
  if (panel.button(tr("Violate the condition"), kViolate, request_.kind == reversal::TransferKind::Rope))
    violate(context);
  panel.heading(tr("At the time shown"));
  panel.row("reversal.ideal.time");
  panel.rows("reversal.ideal.", {"p_forward", "p_reverse", "alpha_forward", "alpha_reverse", "storage"});
  panel.heading(tr("Charts"));
  panel.row("reversal.ideal.remaining");
  panel.heading(tr("What is shown"));
  panel.sentence(tr(
      "An idealised layer [appendix C.3]: one token B of evidence, attention only between [M] and B, logits α Y, Y = "
      "0 at the start, and gradient flow with rate 1 on the loss of the forward query. Forward and reverse share the "
      "column Y; only the attention depends on the direction."));
  panel.sentence(
      tr("With more tokens the reverse probability need not approach 1: the paper says so, and real models do not "
         "reach it (page Race)."));
}

std::vector<std::pair<std::string, std::string>> IdealPage::gestures() const {
  return {{tr("drag in the chart of the geometry"), tr("the distances; under RoPE their sum")},
          {tr("drag in a chart over time"), tr("the time whose numbers are listed")}};
}

std::string IdealPage::caption(const ReversalShared&) const {
  return result_ ? trFormat("Reversal, appendix C.3, an idealised layer: {}", idealSentence(*result_)) : std::string();
}

Numbers IdealPage::numbers(const ReversalShared&) const {
  Numbers numbers;
  if (!result_) return numbers;
  using State = reversal::TransferState;
  constexpr std::pair<const char*, double State::*> columns[] = {
      {"t", &State::t},
      {"p_forward", &State::forward},
      {"p_reverse", &State::reverse},
      {"alpha_forward", &State::forwardAlpha},
      {"alpha_reverse", &State::reverseAlpha},
      {"Y_A", &State::target},
      {"Y_other", &State::other},
      {"one_minus_p_forward", &State::forwardMiss},
      {"one_minus_p_reverse", &State::reverseMiss},
  };
  Table& flow = numbers.tables.emplace_back();
  flow.name = "flow";
  for (const auto& [name, member] : columns) {
    std::vector<double> values;
    for (const State& state : result_->states)
      values.push_back(state.*member);
    flow.columns.push_back({name, "", std::move(values)});
  }
  if (result_->geometry.empty()) return numbers;
  std::vector<double> sums;
  for (std::size_t sum = 0; sum < result_->geometry.size(); ++sum)
    sums.push_back(static_cast<double>(sum));
  numbers.tables.push_back({"geometry", {{"distance_sum", "", std::move(sums)}, {"condition", "", result_->geometry}}});
  return numbers;
}

std::unique_ptr<ReversalPage> makeIdealPage() {
  return std::make_unique<IdealPage>();
}

// Declarations of the page Ideal: the setting, the time that is shown, and numbers.

namespace {

constexpr const char* kSetting = "Reversal, appendix C.3";
constexpr const char* kProposition = "Reversal, C.3, Proposition C.2";
constexpr int kMostIdealDimensions = 256, kMostIdealTokens = 1000;

/// RoPE rotates planes of two dimensions, so D must be even.
Result<Document> inPlanes(const Document&, const Document& with) {
  const Json &kind = with.at("reversal.ideal.kind"), &dimensions = with.at("reversal.ideal.dimensions");
  if ((kind.is_string() && kind != "rope") || !dimensions.is_number()) return with;
  if (std::fmod(dimensions.get<double>(), 2) != 0)
    return fail(ErrorKind::Usage, tr("RoPE rotates planes of two dimensions: D must be even. Choose an even D."));
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
       .options = {{"rope", N_("RoPE, key trained")}, {"alibi-fixed", N_("ALiBi, fixed scores")}, {"alibi-trained", N_("ALiBi, q and k trained")}},
       .help = N_("The position encoding, and what the flow trains besides the storage Y: under RoPE the key with the "
                  "query fixed, under ALiBi nothing or both."),
       .equation = kSetting, .follow = inPlanes},
      {.key = "forward",
       .into = &IdealRequest::forward,
       .label = N_("Forward"), .symbol = "Δ1", .kind = Kind::Integer, .min = 1, .max = kMostIdealDistance,
       .step = 1, .fallback = 1.0, .help = N_("How many positions B is to the right of [M] in the forward query, which is trained on."), .equation = kSetting},
      {.key = "reverse",
       .into = &IdealRequest::reverse,
       .label = N_("Reverse"), .symbol = "Δ2", .kind = Kind::Integer, .min = 1, .max = kMostIdealDistance,
       .step = 1, .fallback = 1.0, .help = N_("How many positions B is to the left of [M] in the reverse query, which is not trained on."), .equation = kSetting},
      {.key = "dimensions",
       .into = &IdealRequest::dimensions,
       .label = N_("Dimensions"), .symbol = "D", .kind = Kind::Integer, .min = 1, .max = kMostIdealDimensions,
       .step = 2, .fallback = 8.0, .help = N_("Dimensions of query and key; an even number under RoPE."), .equation = kSetting, .follow = inPlanes},
      {.key = "vocabulary",
       .into = &IdealRequest::vocabulary,
       .label = N_("Tokens"), .symbol = "V", .kind = Kind::Integer, .min = 2, .max = kMostIdealTokens, .step = 1,
       .fallback = 4.0, .help = N_("The number of tokens that can be the answer, including A."), .equation = kSetting},
      {.key = "seed",
       .into = &IdealRequest::seed,
       .label = N_("Seed"), .kind = Kind::Integer, .min = 0, .max = 1e9, .step = 1, .fallback = kIdealSeed,
       .help = N_("The seed of the query, drawn from N(0, I), and under ALiBi of the key. Under RoPE the key starts at 0.")},
      {.key = "remaining", .into = &IdealPage::remaining_, .label = N_("Show 1 − p"), .fallback = false,
       .help = N_("Shows how far the probabilities are from 1, on a logarithmic axis. 1 − p of the forward query "
                  "falls as 1/t; that of the reverse query does so under RoPE only for ρ ≥ 1/2 (ours; ρ is the "
                  "read-out Condition), otherwise it falls more slowly; under ALiBi with fixed scores it falls as "
                  "t^(−α_rev/α_fwd).")},
      {.key = "time",
       .into = &IdealPage::time_,
       .label = N_("Time shown"), .symbol = "t", .min = kFirstIdealTime, .max = kLastIdealTime,
       .scale = Scale::Logarithmic, .digits = 2, .fallback = kLastIdealTime,
       .help = N_("The time of the flow whose numbers are listed. A drag in a chart over time moves it.")}});
  declareParameters(registry, {.prefix = "reversal.ideal.", .applies = ofKind(true)}, {
      {.key = "base",
       .into = &IdealRequest::base,
       .label = N_("RoPE base"), .min = 1.5, .max = 1e7, .scale = Scale::Logarithmic, .digits = 0, .fallback = 10000.0,
       .help = N_("Plane s rotates by base^(−2s/D) radians per position."), .formula = "\\theta_s=base^{-2s/D}"}});
  declareParameters(registry, {.prefix = "reversal.ideal.", .applies = ofKind(false)}, {
      {.key = "slope",
       .into = &IdealRequest::slope,
       .label = N_("Slope"), .symbol = "b", .min = -1, .max = 1, .step = 0.01, .digits = 2, .fallback = -0.25,
       .help = N_("What ALiBi adds to the score per position: b Δ1 in the forward query, −b Δ2 in the reverse query."), .equation = "Reversal, C.3, Proposition C.3"}});
  declareResults(registry);
}

void IdealPage::declareResults(PropertyRegistry& registry) {
  const Condition here = onPages("reversal.page", "race", {"ideal"});
  const Getters of([this](int) { return result_.get(); });
  const Getters state([this](int) { return shown(); });
  const Getters end([this](int) { return result_ ? &result_->states.back() : nullptr; });
  declareReadOuts(registry, {.prefix = "reversal.ideal.", .applies = here}, {
      {.key = "condition", .label = N_("Condition"), .help = N_("What Proposition C.2 assumes to be above 0 under RoPE, divided by |q|²; "
           "none under ALiBi. Ours: in the limit p_rev approaches 1 above −1/2, a value strictly between 1/V and 1 at −1/2, and "
           "1/V below it."),
       .equation = kProposition, .formula = "q^\\top R(\\Delta_1+\\Delta_2)\\,q/|q|^2", .errata = {"rev-8"}, .digits = 4,
       .get = of(&IdealResult::condition)},
      {.key = "holds", .label = N_("Condition holds"), .help = N_("Whether the assumption of the proposition holds: always under ALiBi."),
       .equation = kProposition, .errata = {"rev-8"},
       .get = of([](const IdealResult& result) { return std::isnan(result.condition) || result.condition > 0; })},
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

void IdealPage::read(const Document& document, const PropertyRegistry& registry, const ReversalShared&) {
  registry.read(document, request_);
  registry.read(document, *this);
}

}  // namespace sepx::ui
