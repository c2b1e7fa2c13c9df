// SPDX-License-Identifier: Apache-2.0
// The properties and read-outs of the page Routing.
#include "ui/exhibits/reversal/routing/routing_page.h"
#include "ui/properties/tr.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

// clang-format off
void RoutingPage::declare(PropertyRegistry& registry, const ReversalShared&) {
  const Condition here = onPages("reversal.page", "race", {"routing"});
  constexpr const char* kPaper = "Reversal, section 3";
  Options letters;
  for (char c = 'a'; c <= 'z'; ++c)
    letters.emplace_back(std::string(1, c), std::string(1, c));
  const auto fits = [this](const Document&, const Document& with) -> Result<Document> {
    if (const Result<void> fine = placesFit(with); !fine) return fail(fine.error().kind, fine.error().sentence);
    return with;
  };
  const auto encode = [](RoutingPage& page, const Value& word) {
    std::optional<nn::Positions>& positions = page.switches_.positions;
    positions.reset();
    for (const auto& [known, meant] : {std::pair{"none", nn::Positions::None}, std::pair{"rope", nn::Positions::Rope},
                                       std::pair{"alibi", nn::Positions::Alibi}, std::pair{"sinusoidal", nn::Positions::Sinusoidal}})
      if (toString(word) == known) positions = meant;
  };
  declareParameters(registry, {.prefix = "reversal.routing.", .applies = here}, {
      {.key = "letter", .into = &RoutingPage::letter_, .label = N_("Letter"), .options = letters, .fallback = "d",
       .help = N_("The letter of the pair. Both queries hide the small letter and show the capital.")},
      {.key = "first",
       .into = &RoutingPage::first_,
       .label = N_("First place"), .kind = Kind::Integer, .min = 0, .max = 1e6, .step = 1, .fallback = static_cast<double>(kFirst),
       .help = N_("The place in front, counted from 0: of [M] in the forward query, of the capital in the reverse one. Drag it in the picture."),
       .follow = fits},
      {.key = "second",
       .into = &RoutingPage::second_,
       .label = N_("Second place"), .kind = Kind::Integer, .min = 0, .max = 1e6, .step = 1, .fallback = static_cast<double>(kSecond),
       .help = N_("The place behind it: of the capital in the forward query, of [M] in the reverse one. Drag it in the picture."),
       .follow = fits},
      {.key = "attention",
       .into = {&RoutingPage::switches_, &reversal::Switches::transplant},
       .label = N_("Attention"), .options = {{"own", N_("its own")}, {"other", N_("of the other query")}},
       .help = N_("With that of the other query each query attends as the other one does, token by token. Under a relative "
                  "encoding only the attention knows the direction, so the answers of the two queries then change places.")},
      {.key = "order",
       .into = {&RoutingPage::switches_, &reversal::Switches::shuffle},
       .label = N_("Places"), .options = {{"kept", N_("in order")}, {"shuffled", N_("shuffled")}},
       .help = N_("Shuffled: the encoding of positions takes the tokens of each sequence to stand in a random order.")},
      {.key = "encoding", .into = Into::by<RoutingPage>(encode), .label = N_("Encoding"),
       .options = {{"trained", N_("as trained")}, {"none", N_("none")}, {"rope", N_("RoPE")}, {"alibi", N_("ALiBi")}, {"sinusoidal", N_("sinusoidal")}},
       .help = N_("Encodes positions in the trained model otherwise than it was trained with; nothing is trained anew."),
       .errata = {"rev-6"}}});

  const auto ofModel = Getters([this](int) { return opened(); });
  declareReadOuts(registry, {.prefix = "reversal.routing.", .applies = here}, {
      {.key = "model", .label = N_("Model"), .help = N_("The model that answers: of the run shown, or one that ships with the program where no run has weights."),
       .get = ofModel(&OpenedModel::name)},
      {.key = "step", .label = N_("Step of the model"), .help = N_("The step of the live run, or of the newest checkpoint at or before the step shown; none of a model that ships."),
       .digits = 0, .get = ofModel([](const OpenedModel& model) { return model.step < 0 ? std::nan("") : static_cast<double>(model.step); })},
      {.key = "length", .label = N_("Length"), .symbol = "L", .help = N_("Tokens of a sequence."), .digits = 0, .get = ofModel(&OpenedModel::length)},
      {.key = "failure", .label = N_("Why nothing is shown"), .help = N_("Why there is no model, or why the pair does not fit it; empty: all is well."),
       .get = Getters([this](int) { return this; })([](const RoutingPage& page) { return page.view_ ? std::string() : page.sentence(); })}});

  const auto measured = [this](reversal::AccuracyReport SwitchedAnswers::*which, reversal::Direction direction, double reversal::Answers::*what) {
    return Getters([this](int) { return answering_.value().get(); })(
        [=](const SwitchedAnswers& answers) { return (answers.*which).of(direction).*what; });
  };
  struct Measured { const char *prefix, *forward, *reverse, *help; reversal::AccuracyReport SwitchedAnswers::*which; };
  for (const Measured& row : {Measured{"own", N_("Forward"), N_("Reverse"), N_("Share of the pairs that the model answers rightly as it was trained, of at most 1,170 of them."), &SwitchedAnswers::own},
                              Measured{"switched", N_("Forward, switched"), N_("Reverse, switched"), N_("Share of the pairs that the model answers rightly with the switches above."), &SwitchedAnswers::switched}}) {
    using reversal::Answers, reversal::Direction;
    declareReadOuts(registry, {.prefix = std::string("reversal.routing.") + row.prefix + ".", .applies = here}, {
        {.key = "forward", .label = row.forward, .help = row.help, .digits = 4, .get = measured(row.which, Direction::Forward, &Answers::accuracy)},
        {.key = "reverse", .label = row.reverse, .help = row.help, .digits = 4, .get = measured(row.which, Direction::Reverse, &Answers::accuracy)},
        {.key = "forward_letters", .label = N_("Forward, letters only"), .help = N_("The same where only small letters may be the answer."), .digits = 4,
         .get = measured(row.which, Direction::Forward, &Answers::letters), .detail = true},
        {.key = "reverse_letters", .label = N_("Reverse, letters only"), .help = N_("The same where only small letters may be the answer."), .digits = 4,
         .get = measured(row.which, Direction::Reverse, &Answers::letters), .detail = true}});
  }

  for (const reversal::Direction direction : reversal::kDirections) {
    const auto of = Getters([this, direction](int) { return view_ ? &view_->of(direction) : nullptr; });
    const auto part = [of](double reversal::LogitParts::*member) {
      return of([member](const RoutedQuery& one) { return one.route.target.*member; });
    };
    declareReadOuts(registry, {.prefix = std::string("reversal.routing.") + reversal::directionWord(direction) + ".", .applies = here, .equation = kPaper}, {
        {.key = "answer", .label = N_("Answer"), .help = N_("The token of the largest logit other than [M]."), .get = of([](const RoutedQuery& one) { return tokenWord(one.answer); })},
        {.key = "probability", .label = N_("Probability of the target"), .help = N_("The probability of the right answer, by the softmax over all logits."), .digits = 4,
         .get = of([](const RoutedQuery& one) { return one.route.probability; })},
        {.key = "alpha", .label = N_("Attention to the letter"), .symbol = "α", .help = N_("How much of its attention the place of [M] gives to the visible letter."),
         .formula = "\\alpha_{i,j}", .digits = 4, .get = of(&RoutedQuery::evidence)},
        {.key = "storage", .label = N_("Storage of the pair"), .symbol = "Y", .help = N_("What the visible letter adds to the logit of the target where all attention is on it, before the division by the deviation of the last norm."),
         .formula = "Y_{A,B}=(W_UW_VW_E)_{A,B}", .digits = 4, .get = of(&RoutedQuery::storage), .numberWords = formatReading},
        {.key = "predicted", .label = N_("Storage and routing"), .help = N_("The part of the target's logit that storage and routing predict: the sum over all places."),
         .formula = "\\frac{1}{s}\\sum_k\\alpha_{i,k}Y_{A,x_k}", .digits = 4, .get = part(&reversal::LogitParts::storage), .numberWords = formatReading},
        {.key = "residual", .label = N_("Residual stream"), .help = N_("The part of the target's logit that goes past the attention: what the last norm makes of the embedding of [M]."),
         .digits = 4, .get = part(&reversal::LogitParts::residual), .numberWords = formatReading},
        {.key = "feed_forward", .label = N_("Feed-forward part"), .help = N_("The part of the target's logit that the feed-forward part adds."), .digits = 4,
         .get = part(&reversal::LogitParts::feedForward), .numberWords = formatReading},
        {.key = "norms", .label = N_("Norms"), .help = N_("The part of the target's logit that comes from the biases of the norms."), .digits = 4, .get = part(&reversal::LogitParts::norms), .numberWords = formatReading},
        {.key = "biases", .label = N_("Biases"), .help = N_("The part of the target's logit that comes from the biases of W_V, W_O and the output layer."), .digits = 4,
         .get = part(&reversal::LogitParts::biases), .numberWords = formatReading},
        {.key = "logit", .label = N_("Logit"), .help = N_("The logit of the target as the model computes it: the sum of the parts."), .digits = 4, .get = of(&RoutedQuery::actual), .numberWords = formatReading}});
  }
}
// clang-format on

}  // namespace sepx::ui
