// SPDX-License-Identifier: Apache-2.0
// The form page: sums, panel with completions, commands, declarations, numbers and caption.
#include "ui/exhibits/weights/form/form_page.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>
#include <imgui/imgui.h>

#include "ui/page/number_table.h"
#include "ui/properties/formula.h"
#include "ui/properties/panel_text.h"
#include "ui/properties/tr.h"
#include "ui/properties/widgets.h"

namespace sepx::ui {

namespace {

constexpr std::size_t kCompletions = 6;

}  // namespace

std::unique_ptr<WeightsPage> makeFormPage() {
  return std::make_unique<FormPage>();
}

void FormPage::ask(const PageFrame& frame, ExhibitContext& context) {
  others_ = context.editor.properties().text(context.editor.document(), "weights.form.others");
  scripted_ = context.scripted;
  const bool before = data_.vocabularyKnown();
  data_.update(frame.shared, others_, context);
  const bool news = !before && data_.vocabularyKnown();
  if (news) takeWords(context);
  const auto text = [&](const char* key) { return context.editor.properties().text(context.editor.document(), key); };
  std::array<std::string, 2> typed{text("weights.form.queryText"), text("weights.form.keyText")};
  if (typed != typed_ || news) {
    typed_ = std::move(typed);
    for (std::size_t i = 0; i < typed_.size(); ++i)
      unknown_[i] = data_.vocabulary().tokens.empty() || data_.vocabulary().find(typed_[i]) ? "" : typed_[i];
  }
  results_.follow(Digest().add(data_.revision(), unknownWords()).value());
}

/// Sets the tokens of the words that the document contained before the vocabulary was read (from a script or a
/// session).
void FormPage::takeWords(ExhibitContext& context) {
  Editor& editor = context.editor;
  Document next = editor.document();  // one change for both: an editor may apply it only after the frame
  bool changed = false;
  for (const char* key : {"weights.form.query", "weights.form.key"}) {
    const std::string text = editor.properties().text(editor.document(), std::string(key) + "Text");
    if (text.empty() || data_.vocabulary().tokens.empty()) continue;
    const std::optional<std::int64_t> token = data_.vocabulary().find(text);
    if (!token)
      editor.say(sentenceCase(noSuchTokenSentence(data_.vocabulary(), text)));
    else if (static_cast<double>(*token) != editor.properties().real(editor.document(), key))
      next = next.with(key, *token), changed = true;
  }
  if (changed) editor.replace(std::move(next));
}

std::string noSuchTokenSentence(const checkpoint::Vocabulary& words, const std::string& text) {
  std::string sentence = fmt::format("{} “{}”", tr("there is no token"), text), some;
  for (const std::int64_t token : nearestTokens(words, text, 4))
    some += (some.empty() ? "" : ", ") + words.shown(token);
  return some.empty() ? sentence : sentence + fmt::format("; {} {}", tr("tokens that begin the same way:"), some);
}

std::string FormPage::unknownWords() const {
  std::string text;
  std::set<std::string> reported;
  const auto add = [&](const std::string& word) {
    if (!reported.insert(word).second) return;
    text += (text.empty() ? "" : " ") + sentenceCase(noSuchTokenSentence(data_.vocabulary(), word));
  };
  for (const std::string& word : unknown_)
    if (!word.empty()) add(word);
  for (const std::string& word : data_.unknown())
    add(word);
  return text;
}

std::vector<FormBar> FormPage::headBars(const WeightsShared& shared) const {
  std::vector<FormBar> bars;
  if (!data_.result()) return bars;
  double sum = 0;
  const auto& heads = data_.result()->heads;
  for (std::size_t h = 0; h < heads.size(); ++h) {
    FormBar bar{std::to_string(h),  sum, sum + heads[h].form, false, shared.state.head == static_cast<int>(h),
                static_cast<int>(h)};
    sum = bar.to;
    bars.push_back(std::move(bar));
  }
  bars.push_back({tr("sum"), 0, sum, true, shared.state.head < 0, -1});
  return bars;
}

std::vector<FormBar> FormPage::restBars(const WeightsShared& shared) const {
  std::vector<FormBar> bars;
  if (!data_.result()) return bars;
  const FormResult& result = *data_.result();
  const attention::HeadTerms total = result.total(shared.state.head);
  bars.push_back({tr("form"), 0, total.form, true, false, -1});
  double sum = total.form;
  const auto add = [&](bool there, const char* name, double value) {
    if (!there) return;
    bars.push_back({name, sum, sum + value, false, false, -1});
    sum += value;
  };
  add(result.hasNorm, tr("norm"), total.norm);
  add(result.hasBias, "b_Q·k", total.queryBias);
  add(result.hasBias, "q·b_K", total.keyBias);
  add(result.hasBias, "b_Q·b_K", total.bothBiases);
  add(result.hasRope, tr("rotation"), total.rope);
  bars.push_back({tr("score"), 0, total.score, true, true, -1});
  return bars;
}

/// Tokens to click that begin like a typed text that is not a token.
void FormPage::completions(ExhibitContext& context, bool query) {
  const std::string& text = unknown_[query ? 0 : 1];
  if (text.empty()) return;
  const std::string key = query ? "weights.form.query" : "weights.form.key";
  for (const std::int64_t token : nearestTokens(data_.vocabulary(), text, kCompletions)) {
    if (!typesetSelectable(data_.nameOf(token), key + std::to_string(token), false)) continue;
    context.controls->accept(key + "Text");
    setAsStep(context.editor, key, static_cast<double>(token));
    break;
  }
}

void FormPage::panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) {
  panel.heading(tr("Two tokens"));
  const bool words = !data_.vocabulary().tokens.empty();
  if (words) {
    panel.row("weights.form.queryText");
    completions(context, true);
  }
  panel.row("weights.form.query");
  if (words) {
    panel.row("weights.form.keyText");
    completions(context, false);
  }
  panel.rows("weights.form.", {"key", "offset", "source"});
  if (panel.button(tr("Swap"), "weights.form-swap")) run(frame, context, "weights.form-swap");
  if (words)
    panel.sentence(fmt::format("{} {} {} {}.", data_.vocabulary().tokens.size(), tr("words from"),
                               data_.vocabulary().from, tr("beside the weights")));
  else if (data_.vocabularyKnown())
    panel.sentence(tr("No vocabulary is stored beside the weights, so tokens are chosen by their index."));
  panel.heading(tr("The score"));
  for (const char* key : {"weights.form.sum", "weights.form.norm", "weights.form.biases", "weights.form.rope",
                          "weights.form.score", "weights.form.check"}) {
    // Terms that this model does not have are not listed.
    const auto found = context.editor.properties().find(key);
    if (found && found->readOut && !std::holds_alternative<std::monostate>(found->readOut->get(-1))) panel.row(key);
  }
  panel.heading(tr("Ranking of keys"));
  panel.row("weights.form.others");
  if (const std::string unknown = unknownWords(); !unknown.empty()) panel.sentence(unknown);
  panel.rows("weights.form.", {"same_order", "hull", "hull_raw", "own", "idempotence", "twice"});
}

std::vector<WeightsPage::Command> FormPage::commands(const WeightsShared& shared, const Document&) {
  const auto swap = [&state = shared.state](ExhibitContext& context) {
    context.editor.seal();
    context.editor.commit(context.editor.document()
                              .with("weights.form.query", state.formKey)
                              .with("weights.form.key", state.formQuery)
                              .with("weights.form.queryText", std::string())
                              .with("weights.form.keyText", std::string()),
                          tr("swap query and key"));
    context.editor.seal();
  };
  return {{"weights.form-swap", tr("Swap query and key"), "", tr("Exhibit"), data_.tokens() > 0, swap}};
}

// Declarations, cards, numbers and caption of the form page.

namespace {

constexpr double kMostTokens = 1e8;

/// Selects the token that was typed as a word. A word that is not a token is refused if the page refuses() it, with
/// tokens that begin like it. A word from before the vocabulary was known is not refused: FormPage::takeWords reports
/// it.
Result<Document> chosenByText(const FormPage& page, const Document& before, const Document& with, bool query) {
  const std::string key = query ? "weights.form.query" : "weights.form.key";
  const Json& value = with.at(key + "Text");
  const std::string text = value.is_string() ? value.get<std::string>() : std::string();
  const checkpoint::Vocabulary& words = page.data().vocabulary();
  if (text.empty() || words.tokens.empty()) return with;
  if (const auto token = words.find(text)) return with.with(key, *token);
  if (!page.refuses() || before.at(key + "Text") == value) return with;
  return fail(ErrorKind::Usage, noSuchTokenSentence(words, text));
}

// clang-format off
void declareChoices(PropertyRegistry& registry, const FormPage& page) {
  const auto token = [](const char* key, int WeightsState::*member, const char* label, const char* symbol, double fallback, const char* help) {
    return Property{
        .key = key, .into = member,
        .label = label, .symbol = symbol, .kind = Kind::Integer, .max = kMostTokens, .fallback = fallback,
        .help = help, .equation = "Attention-Structure, (2)",
        // Setting the index itself removes the word that was typed for it.
        .follow = [text = "weights.form." + std::string(key) + "Text"](
                      const Document&, const Document& with) -> Result<Document> {
          return with.has(text) ? with.with(text, std::string()) : with;
        }};
  };
  const auto word = [&page](const char* key, const char* label, bool query, const char* help) {
    return Property{.key = key, .label = label, .fallback = "", .help = help, .inPicture = true,
                    .follow = [&page, query](const Document& before, const Document& with) {
                      return chosenByText(page, before, with, query);
                    }};
  };
  declareParameters(registry, {.prefix = "weights.form.", .applies = onPage("form")}, {
      token("query", &WeightsState::formQuery, N_("Query token"), "i", 0, N_("Index of the token whose embedding is x_i.")),
      token("key", &WeightsState::formKey, N_("Key token"), "j", 1, N_("Index of the token whose embedding is x_j.")),
      word("queryText", N_("Query word"), true,
           N_("The query token by its text, if the vocabulary is stored beside the weights.")),
      word("keyText", N_("Key word"), false,
           N_("The key token by its text, if the vocabulary is stored beside the weights.")),
      {.key = "source", .into = &WeightsState::formStream, .label = N_("Vectors"),
       .options = {{"embedding", N_("token embeddings")}, {"stream", N_("residual stream")}},
       .help = N_("The embeddings of the two tokens, or the residual stream that enters the layer for the text of the page Sentence; query and key are then positions in this text.")},
      {.key = "offset",
       .into = &WeightsState::formOffset,
       .label = N_("Offset"), .symbol = "j − i", .kind = Kind::Integer, .min = -100000,
       .max = 100000, .fallback = 0.0,
       .help = N_("Position of the key minus position of the query, which sets the angle of a rotary encoding. W_qk "
                  "belongs to offset 0.")},
      {.key = "others", .label = N_("Other keys"), .fallback = "",
       .help = N_("Words or indices of further keys to rank, separated by spaces or commas; empty: a sample of the "
                  "vocabulary."),
       .equation = "Attention-Structure, (5)"}});
}
// clang-format on

/// "a+b-c" of the forms of the heads, of the first kMost if there are more.
std::string sumWithNumbers(const FormResult& result, int head) {
  if (head >= 0) return fmt::format("x_i^\\top W_{{qk,h}}\\,x_j = {}", formulaNumber(result.total(head).form));
  std::string text;
  constexpr std::size_t kMost = 12;
  for (std::size_t h = 0; h < result.heads.size() && h < kMost; ++h) {
    const double value = result.heads[h].form;
    text += h == 0 ? formulaNumber(value, 3) : (value < 0 ? "-" : "+") + formulaNumber(std::abs(value), 3);
  }
  if (result.heads.size() > kMost) text += "+\\ldots";
  return text + " = " + formulaNumber(result.total(-1).form);
}

std::string scoreWithNumbers(const FormResult& result, int head) {
  const attention::HeadTerms t = result.total(head);
  const auto part = [](double value) { return (value < 0 ? "-" : "+") + formulaNumber(std::abs(value), 4); };
  std::string text = formulaNumber(t.form, 4);
  if (result.hasNorm) text += part(t.norm);
  if (result.hasBias) text += part(t.queryBias) + part(t.keyBias) + part(t.bothBiases);
  if (result.hasRope) text += part(t.rope);
  return text + " = " + formulaNumber(t.sum(), 4);
}

/// Whether the keys rank the same before and after the softmax.
bool sameOrder(const FormResult& result) {
  const auto& ranking = result.ranking;
  for (std::size_t k = 1; k < ranking.order.size(); ++k) {
    const auto a = static_cast<std::size_t>(ranking.order[k - 1]), b = static_cast<std::size_t>(ranking.order[k]);
    if (!(ranking.raw[a] >= ranking.raw[b]) || !(ranking.softmax[a] >= ranking.softmax[b])) return false;
  }
  return true;
}

/// c_j of the key token, which is the first of the ranked keys; no value if W_qk is not square.
Value ownOf(const FormResult& result) {
  return result.reading.own.empty() ? Value() : valueOf(result.reading.own.front());
}

Value outsideOf(const FormResult& result, const attention::Combination& sum) {
  return result.reading.own.empty() ? Value() : valueOf(sum.outside);
}

/// The input of the read-outs: the result, and the terms of the selected head.
struct ChosenForm {
  const FormResult& result;
  int head;
  attention::HeadTerms terms;
};

}  // namespace

void FormPage::declare(PropertyRegistry& registry, const WeightsShared& live) {
  declareChoices(registry, *this);
  const Getters form([this, &live](int) -> std::optional<ChosenForm> {
    const auto& result = data_.result();
    if (!result) return std::nullopt;
    return ChosenForm{*result, live.state.head, result->total(live.state.head)};
  });
  const auto all = gettersOf(*this);
  const char* const place = "Attention-Structure, (1)";
  // clang-format off
  declareReadOuts(registry, {.prefix = "weights.form.", .applies = onPage("form"),
                             .numberWords = formatReading}, {
      {.key = "sum", .label = N_("Bilinear form"),
       .help = N_("The score of the two embeddings by W_qk of the selected head, or by the sum over all heads."),
       .equation = "Attention-Structure, (2), (S13), (S14)",
       .formula = "x_i^\\top W_{qk}\\,x_j = \\sum_h x_i^\\top W_{q,h}\\,W_{k,h}^\\top\\,x_j",
       .withNumbers = form.text([](const ChosenForm& of) { return sumWithNumbers(of.result, of.head); }),
       .get = form([](const ChosenForm& of) { return of.terms.form; })},
      {.key = "norm", .label = N_("Norm adds"),
       .help = N_("Change of the score because the model normalises x before W_Q and W_K; W_qk leaves this out."),
       .equation = place,
       .get = form([](const ChosenForm& of) { return of.result.hasNorm ? valueOf(of.terms.norm) : Value(); })},
      {.key = "biases", .label = N_("Biases add"),
       .help = N_("What the biases of queries and keys add: b_Q·k + q·b_K + b_Q·b_K. W_qk leaves them out."),
       .equation = place, .formula = "b_Q\\cdot k_j + q_i\\cdot b_K + b_Q\\cdot b_K",
       .get = form([](const ChosenForm& of) {
         const attention::HeadTerms& t = of.terms;
         return of.result.hasBias ? valueOf(t.queryBias + t.keyBias + t.bothBiases) : Value();
       })},
      {.key = "rope", .label = N_("Rotation adds"),
       .help = N_("What the rotary encoding adds at this offset; at offset 0 it changes nothing."), .equation = place,
       .get = form([](const ChosenForm& of) { return of.result.hasRope ? valueOf(of.terms.rope) : Value(); })},
      {.key = "score", .label = N_("Model's score"),
       .help = N_("The raw score of query and key computed as the model does, before the factor in front of the "
                  "softmax."),
       .equation = place, .formula = "q_i^\\top R(j-i)\\,k_j",
       .withNumbers = form.text([](const ChosenForm& of) { return scoreWithNumbers(of.result, of.head); }),
       .get = form([](const ChosenForm& of) { return of.terms.score; })},
      {.key = "check", .label = N_("Parts − score"),
       .help = N_("Difference between the sum of the parts and the score computed directly: rounding."),
       .get = form([](const ChosenForm& of) { return std::abs(of.terms.sum() - of.terms.score); })},
      {.key = "same_order", .label = N_("Same order"),
       .help = N_("Whether the keys have the same order by raw score and after the softmax, as they must."),
       .equation = "Attention-Structure, (5)",
       .formula = "\\alpha_{ij} < \\alpha_{ij'} \\Leftrightarrow \\hat{\\alpha}_{ij} < \\hat{\\alpha}_{ij'}",
       .get = form([](const ChosenForm& of) { return sameOrder(of.result); })},
      {.key = "hull", .label = N_("Softmax: outside of the hull"),
       .help = N_("Distance of the softmax-weighted sum of the ranked keys from the convex hull of these keys, in "
                  "units of the largest distance of a key from their mean. It is only rounding error, since the "
                  "weights are positive and sum to 1. The search for the nearest point of the hull does not use these "
                  "weights."),
       .equation = "Attention-Structure, (5)", .formula = "\\sum_j\\alpha_{ij}x_j\\in\\mathrm{Conv}(X)",
       .get = form([](const ChosenForm& of) { return outsideOf(of.result, of.result.reading.softmax); })},
      {.key = "hull_raw", .label = N_("Raw scores: outside of the hull"),
       .help = N_("The same distance for the sum weighted by raw scores, which is in the span of the keys but in their hull only by chance."),
       .equation = "Attention-Structure, (4)", .formula = "\\sum_j\\hat{\\alpha}_{ij}x_j\\in\\mathrm{span}(X)",
       .get = form([](const ChosenForm& of) { return outsideOf(of.result, of.result.reading.raw); })},
      {.key = "own", .label = N_("Key with itself"), .symbol = "c_j",
       .help = N_("The form of the key token with itself. The operator of the key, applied twice, is c_j times the "
                  "operator: it scales vectors along the key by c_j."),
       .equation = "Attention-Structure, Remark A.4", .formula = "P_j P_j = c_j P_j,\\quad c_j = x_j^\\top W_{qk}\\,x_j",
       .errata = {"att-12"}, .get = form([](const ChosenForm& of) { return ownOf(of.result); })},
      {.key = "idempotence", .label = N_("Idempotence error"),
       .help = N_("The norm of P_j P_j − P_j over that of P_j. The operator is idempotent, a projection, only where this is "
                  "0; the paper says nilpotent and means idempotent."),
       .equation = "Attention-Structure, Remark A.4", .formula = "|P_jP_j-P_j|\\,/\\,|P_j| = |c_j-1|", .errata = {"att-12"},
       .get = form([](const ChosenForm& of) {
         const Value own = ownOf(of.result);
         return std::holds_alternative<double>(own) ? Value(std::abs(std::get<double>(own) - 1)) : own;
       })},
      {.key = "twice", .label = N_("Sum applied twice"),
       .help = N_("The norm of the difference between applying the sum of the operators of the ranked keys to the "
                  "query twice and once, divided by the norm after applying it once. A projection onto the span of "
                  "the keys would have 0."),
       .equation = "Attention-Structure, (S10)", .formula = "|S S x_i - S x_i|\\,/\\,|S x_i|,\\quad S=\\sum_j P_j",
       .errata = {"att-12"},
       .get = form([](const ChosenForm& of) {
         return of.result.reading.own.empty() ? Value() : valueOf(of.result.reading.twice);
       })}});
  const char* const named = N_("The token with its word, where one is known, and its index.");
  declareReadOuts(registry, {.prefix = "weights.form.", .applies = onPage("form")}, {
      {.key = "queryToken", .label = N_("Query"), .help = named,
       .get = all([&live](const FormPage& of) { return of.data().nameOf(live.state.formQuery); })},
      {.key = "unknown", .label = N_("Unknown words"),
       .help = N_("Typed words that are not tokens, with tokens that begin the same way."),
       .get = all([](const FormPage& of) { return notEmpty(of.unknownWords()); })},
      {.key = "keyToken", .label = N_("Key"), .help = named,
       .get = all([&live](const FormPage& of) { return of.data().nameOf(live.state.formKey); })}});
  // clang-format on
}

Numbers FormPage::numbers(const WeightsShared&) const {
  if (!data_.result()) return {};
  const FormResult& result = *data_.result();
  const auto head = [&](const attention::HeadTerms& of) { return &of - result.heads.data(); };
  const auto at = [](const auto& list) { return [&list](int i) { return list[static_cast<std::size_t>(i)]; }; };
  const auto key = at(result.keys);
  using attention::HeadTerms;
  const auto sumOf = [](const FormResult& of, int i) { return i == 0 ? of.reading.softmax : of.reading.raw; };
  return {
      {numberTable("heads", result.heads, NumberColumn{"head", head}, NumberColumn{"form", &HeadTerms::form},
                   NumberColumn{"norm", &HeadTerms::norm}, NumberColumn{"query_bias", &HeadTerms::queryBias},
                   NumberColumn{"key_bias", &HeadTerms::keyBias}, NumberColumn{"both_biases", &HeadTerms::bothBiases},
                   NumberColumn{"rope", &HeadTerms::rope}, NumberColumn{"score", &HeadTerms::score}),
       numberTable(
           "ranking", result.ranking.order, NumberColumn{"key", [&](int i) { return data_.nameOf(key(i)); }},
           NumberColumn{"token", key}, NumberColumn{"raw", at(result.ranking.raw)},
           NumberColumn{"softmax", at(result.ranking.softmax)},
           NumberColumn{"own",
                        [&](int i) { return result.reading.own.empty() ? std::nan("") : at(result.reading.own)(i); }}),
       numberTable("combinations", std::array{0, 1},
                   NumberColumn{"weights", [](int i) { return std::string(i == 0 ? "softmax" : "raw"); }},
                   NumberColumn{"sum", [&](int i) { return sumOf(result, i).sum; }},
                   NumberColumn{"least", [&](int i) { return sumOf(result, i).least; }},
                   NumberColumn{"outside", [&](int i) { return sumOf(result, i).outside; }})},
      {}};
}

std::string FormPage::caption(const WeightsShared& shared) const {
  if (!shared.model || !data_.result()) return {};
  const WeightsState& state = shared.state;
  return fmt::format(
      "{}, {}: x_i·W_qk x_j {} x_i = {}, x_j = {}. {}", shared.title(),
      placeWords(shared.model->map, state.stack, state.layer, state.head), tr("of"), data_.nameOf(state.formQuery),
      data_.nameOf(state.formKey),
      tr("Head by head, with what the form leaves out, and the keys' order before and after the softmax."));
}

}  // namespace sepx::ui
