// SPDX-License-Identifier: Apache-2.0
// The parameters and read-outs of the page Sentence.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/properties/formula.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/sentence/heads_view.h"
#include "ui/sentence/sentence_core.h"
#include "ui/sentence/tokens_view.h"

namespace sepx::ui {

namespace {

constexpr double kFarthestPlace = 1e6;
constexpr const char* kSplit =
    N_("The sum over all writers of the stream, with the norms' denominators kept at their values in this pass.");

/// Another text begins without the ids, replaced tokens and places of the previous one.
Result<Document> anotherText(const SentenceKeys& keys, const Document& before, const Document& with,
                             const std::string& name) {
  if (before.at(keys.of(name)) == with.at(keys.of(name))) return with;
  Document next = with;
  for (const char* const stale : {"text", "ids", "edits", "place", "query", "key"}) {
    if (keys.placeIsPredicted && std::string_view(stale) == "place") continue;  // it is set before the text
    if (name != stale && next.has(keys.of(stale))) next = next.without(keys.of(stale));
  }
  return next;
}

Result<Document> idsFollow(const SentenceKeys& keys, const Document& before, const Document& with) {
  const Json& text = with.at(keys.of("ids"));
  if (text.is_string())
    if (const auto ids = idsOf(text.get<std::string>()); !ids) return fail(ids.error().kind, ids.error().message);
  return anotherText(keys, before, with, "ids");
}

/// "layer 2, head 3: 0.41 nats"; empty: none is known.
std::string strongestEffect(const SentenceResults& of) {
  const forward::Effects* const effects = of.effects();
  if (!effects) return {};
  std::size_t best = effects->head.size();
  for (std::size_t i = 0; i < effects->head.size(); ++i)
    if (std::isfinite(effects->head[i]) && (best == effects->head.size() || effects->head[i] > effects->head[best]))
      best = i;
  if (best == effects->head.size() || effects->heads <= 0) return {};
  const auto heads = static_cast<std::size_t>(effects->heads);
  return trFormat("layer {}, head {}: {} nats", best / heads, best % heads, formatReading(effects->head[best]));
}

std::string splitWithNumbers(const SentenceParts& of) {
  std::string text;
  for (const forward::ScoreParts::Named& part : of.parts.byKind)
    text += (text.empty()     ? (part.value < 0 ? "-" : "")
             : part.value < 0 ? "-"
                              : "+") +
            formulaNumber(std::abs(part.value), 3);
  return "s_{ij} = " + text + " = " + formulaNumber(of.parts.score, 4);
}

std::string symmetricWithNumbers(const SentenceParts& of) {
  const auto part = [](double value) { return (value < 0 ? "-" : "+") + formulaNumber(std::abs(value), 4); };
  std::string text = formulaNumber(of.parts.symmetric, 4) + part(of.parts.skew);
  if (of.parts.withBiases != 0) text += part(of.parts.withBiases);
  if (of.parts.distanceBias != 0) text += part(of.parts.distanceBias);
  return "s_{ij} = " + text + " = " + formulaNumber(of.parts.score, 4);
}

}  // namespace

Result<Document> SentenceCore::withReplacement(const Document& before, const Document& with) const {
  const Json& typed = with.at(keys_.of("replacement"));
  const std::string text = typed.is_string() ? typed.get<std::string>() : std::string();
  if (text.empty() || before.at(keys_.of("replacement")) == typed) return with;
  const SentenceTokensPointer& tokens = made_.tokens();
  const int place = made_.place();
  if (!tokens || place < 0) return fail(ErrorKind::Usage, tr("there is no token to replace yet"));
  std::optional<std::int32_t> id = tokens->words ? tokens->words->find(text) : std::nullopt;
  if (!id && !tokens->words)
    if (const auto ids = idsOf(text); ids && ids->size() == 1) id = ids->front();
  if (!id) return fail(ErrorKind::Usage, trFormat("no single token reads “{}”", text));
  Document next = with.without(keys_.of("replacement"));
  for (const auto& [key, value] : replaced(keys_, *tokens, state_, place, *id))
    next = next.with(key, std::get<std::string>(value));
  return next;
}

// clang-format off
void SentenceCore::declareChoices(PropertyRegistry& registry, const Condition& here, const char* exampleText, const char* help) {
  const auto another = [this](const char* key) {
    return [keys = keys_, key = std::string(key)](const Document& before, const Document& with) { return anotherText(keys, before, with, key); };
  };
  declareParameters(registry, {.prefix = keys_.of(""), .applies = here}, {
      {.key = "text", .into = &SentenceState::text, .label = N_("Text"), .fallback = exampleText,
       .help = help,
       .inPicture = true, .follow = another("text")},
      {.key = "ids", .into = &SentenceState::ids, .label = N_("Ids"), .fallback = "",
       .help = N_("Ids of tokens in place of a text, with commas between them: for files without a tokenizer."),
       .inPicture = true, .follow = [keys = keys_](const Document& before, const Document& with) { return idsFollow(keys, before, with); }},
      {.key = "edits", .into = &SentenceState::edits, .label = N_("Replaced tokens"), .fallback = "",
       .help = N_("Tokens that replace those of the text: position and id, as in “3:103, 5:2054”; positions count from 0."),
       .inPicture = true},
      {.key = "replacement", .into = &SentenceState::replacement, .label = N_("Replace by"), .fallback = "",
       .help = N_("A token that is put in place of the chosen one, by its text or as #id."),
       .follow = [this](const Document& before, const Document& with) { return withReplacement(before, with); }},
      {.key = "special", .into = &SentenceState::special, .label = N_("Special tokens"), .fallback = true,
       .help = N_("Adds the special tokens that the tokenizer puts around a text, such as <s> or [CLS]."), .detail = true},
      {.key = "place", .into = &SentenceState::place, .label = N_("Position"), .kind = Kind::Integer, .min = -1,
       .max = kFarthestPlace, .step = 1, .options = {{"-1", N_("auto")}}, .fallback = -1.0,
       .help = N_("The position whose prediction is shown, counted from 0. Auto, or −1 in scripts: the last one, or the masked one.")},
      {.key = "query", .into = &SentenceState::query, .label = N_("Query"), .symbol = "i", .kind = Kind::Integer, .min = -1,
       .max = kFarthestPlace, .step = 1, .options = {{"-1", N_("auto")}}, .fallback = -1.0,
       .help = N_("The query token. Auto, or −1 in scripts: query and key of the weight that exceeds an equal share of its row by the most.")},
      {.key = "key", .into = &SentenceState::key, .label = N_("Key"), .symbol = "j", .kind = Kind::Integer, .min = -1,
       .max = kFarthestPlace, .step = 1, .options = {{"-1", N_("auto")}}, .fallback = -1.0,
       .help = N_("The key token. Auto, or −1 in scripts: the key with the largest weight from the query.")},
      {.key = "order", .into = &SentenceState::order, .label = N_("Sorted by"),
       .options = {{"layer", N_("layer and head")}, {"entropy", N_("entropy")}, {"distance", N_("mean distance")},
                   {"first", N_("share on the first token")}, {"symmetry", N_("symmetry of the pattern")}, {"effect", N_("effect on the prediction")}},
       .help = N_("The order of the small pictures: by entropy the lowest first, by any other number the largest first.")},
      {.key = "look", .into = &SentenceState::look, .label = N_("Pattern"),
       .options = {{"matrix", N_("matrix")}, {"lines", N_("lines between tokens")}, {"difference", N_("difference from the whole model")}},
       .help = N_("The pattern of the head as a matrix of queries (rows) by keys (columns), or as lines between them; both are shown if there is room. Difference: the changed model or the second checkpoint minus the whole model.")},
      {.key = "lens", .into = &SentenceState::lens, .label = N_("Lens"), .fallback = true,
       .help = N_("Predictions from the stream after every block, through the final norm and the head."), .detail = true},
      {.key = "scroll", .into = &SentenceState::scroll, .label = N_("First row of heads"), .kind = Kind::Integer, .min = -1, .max = kFarthestPlace, .step = 1,
       .options = {{"-1", N_("auto")}}, .fallback = -1.0,
       .help = N_("If the model has more heads than fit as small pictures: the first visible row, as scrolled with the wheel. Auto, or −1 in scripts: the chosen head is visible."),
       .undoable = false, .detail = true},
      {.key = "panel", .into = &SentenceState::panel, .label = N_("In a small window"),
       .options = {{"predictions", N_("predictions")}, {"heads", N_("all heads")}, {"why", N_("why this score")}},
       .help = N_("What is shown beside the pattern in a window that has no room for all. If the window is too low for both, a click on a cell of the pattern shows what the score is made of."), .detail = true},
      {.key = "model", .into = &SentenceState::model, .label = N_("Graph of the model"), .fallback = false,
       .help = N_("Shows how the model is computed, in place of the small pictures: its tensors as boxes with their shapes, in the order in which the stream passes them, with the block of the layer shown unfolded. A click on a box shows its tensor; on W_Q or W_K it shows W_qk, and on folded blocks it unfolds the next one.")},
      {.key = "more", .into = &SentenceState::more, .label = N_("More tokens"), .kind = Kind::Integer, .min = 1, .max = 256,
       .step = 1, .fallback = 1.0, .help = N_("How many tokens a continuation adds to the text.")},
      {.key = "temperature", .into = &SentenceState::temperature, .label = N_("Temperature"), .max = 10, .step = 0.1, .digits = 2,
       .fallback = 0.0, .help = N_("How the tokens of a continuation are chosen: 0 takes the likeliest one; otherwise they are sampled from the logits divided by the temperature.")},
      {.key = "seed", .into = &SentenceState::seed, .label = N_("Seed"), .kind = Kind::Integer, .min = -1, .max = 4294967295.0, .step = 1,
       .options = {{"-1", N_("new")}}, .fallback = -1.0,
       .help = N_("The random seed of a continuation. New, or −1 in scripts: a new seed at each press, shown afterwards. A seed set here draws the same tokens again.")}});
}

void SentenceCore::declareFiles(PropertyRegistry& registry, const Condition& here) {
  if (!keys_.files) return;
  declareParameters(registry, {.prefix = keys_.of(""), .applies = here}, {
      {.key = "tokenizer", .into = &SentenceState::tokenizer, .label = N_("Tokenizer"), .fallback = "",
       .help = N_("The file or folder of a tokenizer; empty: the tokenizer beside the weights."), .detail = true, .file = true},
      {.key = "image", .into = &SentenceState::image, .label = N_("Image"), .fallback = "",
       .help = N_("The input of a model that reads images: a PNG, which is scaled to the input size and normalised as preprocessor_config.json says, or an .npy file of pixels as the model was trained on them. The patches are the tokens."),
       .inPicture = true, .file = true},
      {.key = "second", .into = &SentenceState::second, .label = N_("Second checkpoint"), .fallback = "",
       .help = N_("Another checkpoint that reads the same tokens: another step of a run, or the quantised form of a file. Its patterns and predictions are shown in place of those of the changed model."),
       .file = true}});
}

void SentenceCore::declareChanges(PropertyRegistry& registry, const Condition& here) {
  declareParameters(registry, {.prefix = keys_.of(""), .applies = here}, {
      {.key = "part", .into = &SentenceState::part, .label = N_("Change"),
       .options = {{"head", N_("what a head writes")}, {"symmetric", N_("symmetric part of W_qk")},
                   {"skew", N_("skew part of W_qk")}, {"feed-forward", N_("feed-forward part")}},
       .help = N_("Which part of the model is changed: what the head shown adds to the stream, one part of its scores, or what the feed-forward part of its layer adds.")},
      {.key = "where", .into = &SentenceState::where, .label = N_("Where"),
       .options = {{"one", N_("the one shown")}, {"layer", N_("all of the layer")}, {"all", N_("all of the model")}},
       .help = N_("In the head and layer shown, in all heads of the layer, or in all layers.")},
      {.key = "how", .into = &SentenceState::how, .label = N_("How"),
       .options = {{"scale", N_("times the factor")}, {"zero", N_("taken out")}, {"mean", N_("its mean over the sentence")}},
       .help = N_("Multiplied by the factor below, replaced by 0, or replaced by its mean over all positions of the sentence. Parts of scores have no mean: they are taken out.")},
      {.key = "scale", .into = &SentenceState::scale, .label = N_("Factor"), .max = 2, .step = 0.05, .digits = 2, .fallback = 1.0,
       .help = N_("What the part is multiplied by: 1 is the model as it is, 0 takes it out."),
       .applies = [how = keys_.of("how")](const Document& document) { return document.at(how) != "zero" && document.at(how) != "mean"; }},
      {.key = "other", .into = &SentenceState::other, .label = N_("Other text"), .fallback = "",
       .help = N_("A text with the same number of tokens. Its stream replaces that of this text, block by block and position by position, and the picture shows how far the prediction moves from that of this text to that of the other text.")},
      {.key = "effects", .into = &SentenceState::effects, .label = N_("Effects of all heads"), .fallback = false,
       .help = N_("Takes every head out in turn, one pass each, and shows how much the prediction at the chosen position changes."),
       .undoable = false}});
}

void SentenceCore::declareReadings(PropertyRegistry& registry, const Condition& here) {
  const Getters tokens([this](int) { return made_.tokens().get(); });
  const Getters head([this](int) { return made_.head(); });
  const Getters place([this](int) -> const PlacePredictions* {
    const auto& pass = made_.pass();
    const auto at = static_cast<std::size_t>(std::max(0, made_.place()));
    return pass && made_.place() >= 0 && at < pass->places.size() && !pass->places[at].best.empty() ? &pass->places[at] : nullptr;
  });
  const Getters all([this](int) { return &made_; });
  const auto shownOf = [](const SentenceTokens& of) {
    std::string text;
    for (const SentenceToken& token : of.tokens) text += (text.empty() ? "" : "|") + token.shown;
    return text;
  };
  declareReadOuts(registry, {.prefix = keys_.of(""), .applies = here}, {
      {.key = "tokens", .label = N_("Tokens"), .help = N_("How many tokens the model reads."), .digits = 0, .get = tokens(&SentenceTokens::size)},
      {.key = "shown", .label = N_("Tokens read"), .help = N_("The tokens as they are shown, with | between them."), .get = tokens(shownOf), .detail = true},
      {.key = "from", .label = N_("Tokenizer file"), .help = N_("The file that the tokenizer was read from."),
       .get = all([](const SentenceResults& of) { return of.words() ? of.words()->from() : std::string("none"); })},
      {.key = "missing", .label = N_("Not in the file"), .help = N_("What the file lacks and what is therefore not computed; empty if nothing is missing."),
       .get = all([](const SentenceResults& of) { return of.forward() ? notEmpty(fmt::format("{}", fmt::join(of.forward()->plan().missing, "; "))) : std::nullopt; }), .detail = true},
      {.key = "failure", .label = N_("Not shown"), .help = N_("Why there is no pass of this text, in one sentence; empty if there is one."),
       .get = all([](const SentenceResults& of) {
         for (const std::string& text : {of.failure(), of.tokensFailure(), of.passFailure(), of.secondFailure(), of.changedFailure(), of.patchedFailure()})
           if (!text.empty()) return notEmpty(text);
         return std::optional<std::string>();
       })},
      {.key = "tokenizer.failure", .label = N_("No tokenizer"), .help = N_("Why there is no tokenizer, in one sentence; empty if there is one."),
       .get = all([](const SentenceResults& of) { return notEmpty(of.tokenizerFailure()); }), .detail = true},
      {.key = "best", .label = N_("Likeliest"), .help = N_("The token that the model finds likeliest at the chosen position."),
       .get = place([this](const PlacePredictions& of) { return made_.words() ? made_.words()->shown(of.best.front().id) : shownId(of.best.front().id); })},
      {.key = "probability", .label = N_("Its probability"), .symbol = "p", .help = N_("The probability of the likeliest token."), .digits = 4,
       .get = place([](const PlacePredictions& of) { return of.best.front().probability; })},
      {.key = "entropy", .label = N_("Entropy"), .symbol = "H", .unit = N_("nats"), .help = N_("The entropy of the whole prediction: 0 where one token is certain."),
       .formula = "H = -\\sum_t p_t\\log p_t", .digits = 4, .get = place(&PlacePredictions::entropy)},
      {.key = "truth", .label = N_("Text token probability"), .help = N_("The probability of the text's own token at the predicted position; empty where the text ends."),
       .digits = 4, .get = place(&PlacePredictions::truth)},
      {.key = "rank", .label = N_("Its rank"), .help = N_("1 where the text's token is the likeliest one."), .digits = 0,
       .get = place([](const PlacePredictions& of) { return of.rank > 0 ? static_cast<double>(of.rank) : std::nan(""); })}});
  declareReadOuts(registry, {.prefix = keys_.of(""), .applies = here}, {
      {.key = "drawn", .label = N_("Seed of the last draws"), .help = N_("The seed with which the last continuation was drawn; none at temperature 0."), .digits = 0,
       .get = all([](const SentenceResults& of) { return of.drawn() ? Value(static_cast<double>(*of.drawn())) : Value(); })},
      {.key = "head", .label = N_("Head shown"), .help = N_("The head whose pattern is shown. If none is chosen: the head of the layer with the lowest entropy."),
       .get = head([](const HeadPattern& of) { return headWords(of); })},
      {.key = "head.entropy", .label = N_("Entropy of its rows"), .unit = N_("nats"), .help = N_("Mean over the queries; 0 if each attends to a single key."),
       .formula = "-\\frac{1}{n}\\sum_{i,j}\\alpha_{ij}\\log\\alpha_{ij}", .digits = 3, .get = head(&HeadPattern::entropy)},
      {.key = "head.distance", .label = N_("Mean distance"), .unit = N_("tokens"), .help = N_("The mean distance of the keys from the query, weighted by attention."),
       .formula = "\\frac{1}{n}\\sum_{i,j}\\alpha_{ij}\\,|i-j|", .digits = 3, .get = head(&HeadPattern::distance)},
      {.key = "head.first", .label = N_("Share on the first token"), .help = N_("Mean weight of the first token over the queries after it."), .digits = 3, .get = head(&HeadPattern::first)},
      {.key = "head.symmetry", .label = N_("Symmetry of the pattern"), .help = N_("1 where any two tokens attend to each other equally; defined like the symmetry of a matrix."),
       .formula = "\\frac{\\sum_{ij}\\alpha_{ij}\\,\\alpha_{ji}}{\\sum_{ij}\\alpha_{ij}^2}", .digits = 3, .get = head(&HeadPattern::symmetry)}});
}

void SentenceCore::declareScore(PropertyRegistry& registry, const Condition& here) {
  const Getters parts([this](int) { return made_.parts().get(); });
  const Getters all([this](int) { return &made_; });
  const auto part = [&](double forward::ScoreParts::*member) {
    return parts([member](const SentenceParts& of) { return of.parts.*member; });
  };
  const char* const split = "s_{ij} = c\\sum_{a,b} (q_i^a)^\\top R(j-i)\\,k_j^b + b_{j-i},\\quad q_i = \\sum_a q_i^a,\\quad k_j = \\sum_b k_j^b";
  declareReadOuts(registry, {.prefix = keys_.of(""), .applies = here, .numberWords = formatReading}, {
      {.key = "score", .label = N_("Score"), .symbol = "s_ij",
       .help = N_("The attention score before cap and softmax. It is a sum over pairs of writers into the stream: embedding, position, earlier heads, earlier feed-forward parts, biases. The denominators of the norms are kept at their values in this pass."),
       .formula = split, .withNumbers = parts.text(splitWithNumbers), .get = part(&forward::ScoreParts::score)},
      {.key = "weight", .label = N_("Weight"), .symbol = "α_ij", .help = N_("The attention weight: the softmax of the scores over all keys."),
       .formula = "\\alpha_{ij} = \\frac{\\exp s_{ij}}{\\sum_k \\exp s_{ik}}", .get = part(&forward::ScoreParts::probability)},
      {.key = "parts.symmetric", .label = N_("Symmetric part"), .help = N_("What the symmetric part of W_qk contributes, with the same two vectors."),
       .formula = "M = M_s+M_n,\\quad M_{s,n} = \\frac{M\\pm M^\\top}{2}", .withNumbers = parts.text(symmetricWithNumbers), .get = part(&forward::ScoreParts::symmetric)},
      {.key = "parts.skew", .label = N_("Skew part"), .help = N_("What the skew part of W_qk contributes, with the same two vectors."),
       .formula = "M = M_s+M_n,\\quad M_{s,n} = \\frac{M\\pm M^\\top}{2}", .withNumbers = parts.text(symmetricWithNumbers), .get = part(&forward::ScoreParts::skew)},
      {.key = "parts.biases", .label = N_("With biases"), .help = N_("What the biases of queries and keys contribute; they are not part of W_qk."), .get = part(&forward::ScoreParts::withBiases)},
      {.key = "parts.distance", .label = N_("Bias of the distance"), .help = N_("What the model adds by the distance between query and key only."), .get = part(&forward::ScoreParts::distanceBias)},
      {.key = "parts.gain", .label = N_("Added by the norm's gain"), .help = N_("The score minus what it would be with a gain of 1 and the same denominators."), .get = part(&forward::ScoreParts::gain)},
      {.key = "parts.rotation", .label = N_("Added by the rotation"), .help = N_("The score minus what it would be without the rotary encoding."), .get = part(&forward::ScoreParts::rotation)},
      {.key = "parts.residue", .label = N_("Parts − score"), .help = kSplit, .get = part(&forward::ScoreParts::residue), .detail = true},
      {.key = "kl", .label = N_("KL to the whole model"), .unit = N_("nats"),
       .help = N_("How far the prediction of the changed model at the chosen position is from that of the whole model; 0 if nothing is changed."),
       .formula = "\\mathrm{KL}(p\\,\\Vert\\,q) = \\sum_t p_t\\log\\frac{p_t}{q_t}",
       .get = all([](const SentenceResults& of) {
         const auto at = static_cast<std::size_t>(std::max(0, of.place()));
         if (!of.pass() || of.pass()->places.empty()) return Value();
         if (!of.changed()) return Value(0.0);
         return at < of.changed()->divergence.size() ? valueOf(of.changed()->divergence[at]) : Value();
       })}});
  declareReadOuts(registry, {.prefix = keys_.of(""), .applies = here}, {
      {.key = "queryToken", .label = N_("Query token"), .help = N_("The query token, with its position."),
       .get = all([](const SentenceResults& of) { return of.score() ? notEmpty(tokenWords(*of.pass()->tokens, of.score()->query)) : std::nullopt; })},
      {.key = "keyToken", .label = N_("Key token"), .help = N_("The key token, with its position."),
       .get = all([](const SentenceResults& of) { return of.score() ? notEmpty(tokenWords(*of.pass()->tokens, of.score()->key)) : std::nullopt; })},
      {.key = "effects.done", .label = N_("Heads tried"), .help = N_("How many heads have been tried so far."), .digits = 0,
       .get = all([](const SentenceResults& of) { return of.effects() ? Value(static_cast<double>(of.effects()->done)) : Value(); })},
      {.key = "effects.strongest", .label = N_("Strongest effect"), .help = N_("The head whose removal changes the prediction the most."),
       .get = all([](const SentenceResults& of) { return notEmpty(strongestEffect(of)); })}});
}
// clang-format on

void SentenceCore::declare(PropertyRegistry& registry, const Condition& here, const char* text, const char* help) {
  declareChoices(registry, here, text, help);
  declareFiles(registry, here);
  declareChanges(registry, here);
  declareReadings(registry, here);
  declareScore(registry, here);
}

}  // namespace sepx::ui
