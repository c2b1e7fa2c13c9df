// SPDX-License-Identifier: Apache-2.0
// Declarations, cards, numbers and caption of the form page.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

#include <fmt/format.h>

#include "ui/exhibits/weights/form/form_page.h"
#include "ui/properties/formula.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kMostTokens = 1e8;

bool onForm(const Document& document) {
  return document.at("weights.page") == Json("form");
}

/// A word that was typed becomes the token; a word that is none is refused with what begins like it.
Result<Document> chosenByText(const FormPage& page, const Document& with, bool query) {
  const std::string key = query ? "weights.form.query" : "weights.form.key";
  const Json& value = with.at(key + "Text");
  const std::string text = value.is_string() ? value.get<std::string>() : std::string();
  const checkpoint::Vocabulary& words = page.data().vocabulary();
  page.tried(query, {});
  if (text.empty() || words.tokens.empty()) return with;
  if (const auto token = words.find(text)) return with.with(key, *token);
  page.tried(query, text);
  std::string sentence = fmt::format("{} “{}”", tr("no token reads"), text);
  std::string some;
  for (const std::int64_t token : nearestTokens(words, text, 4))
    some += (some.empty() ? "" : ", ") + words.shown(token);
  if (!some.empty()) sentence += fmt::format("; {} {}", tr("tokens that begin like it:"), some);
  return fail(ErrorKind::Usage, sentence);
}

void declareTokens(PropertyRegistry& registry) {
  const auto token = [&](const char* key, const char* label, const char* symbol, double fallback, const char* help) {
    Property property;
    property.key = key;
    property.label = label;
    property.symbol = symbol;
    property.kind = Kind::Integer;
    property.min = 0;
    property.max = kMostTokens;
    property.step = 1;
    property.digits = 0;
    property.fallback = fallback;
    property.help = help;
    property.equation = "Attention-Structure, (2)";
    property.applies = onForm;
    // An index that is chosen by itself has no text that was typed for it.
    property.follow = [key = std::string(key)](const Document&, const Document& with) -> Result<Document> {
      return with.has(key + "Text") ? with.with(key + "Text", std::string()) : with;
    };
    registry.declare(std::move(property));
  };
  token("weights.form.query", N_("Query token"), "i", 0, N_("Index of the token whose embedding is x_i."));
  token("weights.form.key", N_("Key token"), "j", 1, N_("Index of the token whose embedding is x_j."));
}

void declareWords(PropertyRegistry& registry, const FormPage& page) {
  const auto text = [&](const char* key, const char* label, bool query, const char* help) {
    Property property;
    property.key = key;
    property.label = label;
    property.kind = Kind::Text;
    property.fallback = std::string();
    property.help = help;
    property.applies = onForm;
    property.follow = [&page, query](const Document&, const Document& with) { return chosenByText(page, with, query); };
    registry.declare(std::move(property));
  };
  text("weights.form.queryText", N_("Query word"), true,
       N_("The query token by its word, where a list of words lies beside the weights."));
  text("weights.form.keyText", N_("Key word"), false,
       N_("The key token by its word, where a list of words lies beside the weights."));
  Property offset;
  offset.key = "weights.form.offset";
  offset.label = N_("Offset");
  offset.symbol = "j − i";
  offset.kind = Kind::Integer;
  offset.min = -100000;
  offset.max = 100000;
  offset.step = 1;
  offset.digits = 0;
  offset.fallback = 0.0;
  offset.help =
      N_("Position of the key minus position of the query: what a rotary encoding turns by. W_qk is offset 0.");
  offset.applies = onForm;
  registry.declare(offset);
  Property others;
  others.key = "weights.form.others";
  others.label = N_("Other keys");
  others.kind = Kind::Text;
  others.fallback = std::string();
  others.help = N_("Words or indices of further keys to rank, separated by blanks; empty: some of the vocabulary.");
  others.equation = "Attention-Structure, (5)";
  others.applies = onForm;
  registry.declare(others);
}

/// "a+b-c" of the heads' forms, at most so many of them.
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

}  // namespace

namespace {

using Read = std::function<Value(const FormResult&, int head)>;

/// Declares a read-out of the result and the chosen head.
class Readings {
 public:
  Readings(PropertyRegistry& registry, const WeightsShared& live, const FormPage& page)
      : registry_(registry), live_(live), page_(page) {}
  void operator()(const char* key, const char* label, const char* help, const char* formula, const char* equation,
                  const Read& get) const {
    ReadOut readOut;
    readOut.key = key;
    readOut.label = label;
    readOut.help = help;
    readOut.formula = formula;
    readOut.equation = equation;
    readOut.numberWords = formatReading;
    readOut.applies = onForm;
    readOut.get = [&page = page_, &live = live_, get](int) -> Value {
      const auto& result = page.data().result();
      if (!result || !result->failure.empty()) return std::monostate{};
      return get(*result, live.state.head);
    };
    const bool sum = std::string_view(key) == "weights.form.sum";
    if (sum || std::string_view(key) == "weights.form.score")
      readOut.withNumbers = [&page = page_, &live = live_, sum](int) {
        const auto& result = page.data().result();
        if (!result) return std::string();
        return sum ? sumWithNumbers(*result, live.state.head) : scoreWithNumbers(*result, live.state.head);
      };
    registry_.declare(std::move(readOut));
  }

 private:
  PropertyRegistry& registry_;
  const WeightsShared& live_;
  const FormPage& page_;
};

void declareParts(const Readings& declare) {
  declare("weights.form.sum", N_("Bilinear form"),
          N_("What W_qk makes of the two embeddings: of the chosen head, or the sum over all heads."),
          "x_i^\\top W_{qk}\\,x_j = \\sum_h x_i^\\top W_{q,h}\\,W_{k,h}^\\top\\,x_j",
          "Attention-Structure, (2), (S13), (S14)",
          [](const FormResult& r, int head) -> Value { return r.total(head).form; });
  declare("weights.form.norm", N_("Norm adds"),
          N_("What it changes that the model normalises x before W_Q and W_K see it; W_qk leaves that out."), "",
          "Attention-Structure, (1)", [](const FormResult& r, int head) -> Value {
            return r.hasNorm ? Value(r.total(head).norm) : Value(std::monostate{});
          });
  declare("weights.form.biases", N_("Biases add"),
          N_("What the biases of queries and keys add: b_Q·k + q·b_K + b_Q·b_K. W_qk leaves them out."),
          "b_Q\\cdot k_j + q_i\\cdot b_K + b_Q\\cdot b_K", "Attention-Structure, (1)",
          [](const FormResult& r, int head) -> Value {
            const attention::HeadTerms t = r.total(head);
            return r.hasBias ? Value(t.queryBias + t.keyBias + t.bothBiases) : Value(std::monostate{});
          });
  declare("weights.form.rope", N_("Rotation adds"),
          N_("What the rotary encoding adds at this offset; at offset 0 it changes nothing."), "",
          "Attention-Structure, (1)", [](const FormResult& r, int head) -> Value {
            return r.hasRope ? Value(r.total(head).rope) : Value(std::monostate{});
          });
  declare("weights.form.score", N_("Model's score"),
          N_("The raw score of query and key computed as the model does, before the factor in front of the softmax."),
          "q_i^\\top R(j-i)\\,k_j", "Attention-Structure, (1)",
          [](const FormResult& r, int head) -> Value { return r.total(head).score; });
}

void declareChecks(const Readings& declare) {
  declare("weights.form.check", N_("Parts − score"),
          N_("What all parts together differ from the score that was computed in one go: rounding."), "", "",
          [](const FormResult& r, int head) -> Value {
            const attention::HeadTerms t = r.total(head);
            return std::abs(t.sum() - t.score);
          });
  declare("weights.form.same_order", N_("Same order"),
          N_("Whether the keys rank the same by raw score and after the softmax, as they must."),
          "\\alpha_{ij} < \\alpha_{ij'} \\Leftrightarrow \\hat{\\alpha}_{ij} < \\hat{\\alpha}_{ij'}",
          "Attention-Structure, (5)", [](const FormResult& r, int) -> Value {
            for (std::size_t k = 1; k < r.ranking.order.size(); ++k) {
              const auto a = static_cast<std::size_t>(r.ranking.order[k - 1]);
              const auto b = static_cast<std::size_t>(r.ranking.order[k]);
              if (!(r.ranking.raw[a] >= r.ranking.raw[b]) || !(r.ranking.softmax[a] >= r.ranking.softmax[b]))
                return false;
            }
            return true;
          });
}

}  // namespace

void declareForm(PropertyRegistry& registry, const WeightsShared& live, const FormPage& page) {
  declareTokens(registry);
  declareWords(registry, page);
  const Readings declare(registry, live, page);
  declareParts(declare);
  declareChecks(declare);
  const auto name = [&](const char* key, const char* label, bool query) {
    ReadOut readOut;
    readOut.key = key;
    readOut.label = label;
    readOut.help = N_("The token with its word, where one is known, and its index.");
    readOut.applies = onForm;
    readOut.get = [&page, &live, query](int) -> Value {
      return page.data().nameOf(query ? live.state.formQuery : live.state.formKey);
    };
    registry.declare(std::move(readOut));
  };
  name("weights.form.queryToken", N_("Query"), true);
  name("weights.form.keyToken", N_("Key"), false);
}

Numbers FormPage::numbers(const WeightsShared& shared) const {
  Numbers numbers;
  if (!data_.result() || !data_.result()->failure.empty()) return numbers;
  const FormResult& result = *data_.result();
  std::vector<double> head, form, norm, queryBias, keyBias, bothBiases, rope, score;
  for (std::size_t h = 0; h < result.heads.size(); ++h) {
    const attention::HeadTerms& t = result.heads[h];
    head.push_back(static_cast<double>(h));
    form.push_back(t.form);
    norm.push_back(t.norm);
    queryBias.push_back(t.queryBias);
    keyBias.push_back(t.keyBias);
    bothBiases.push_back(t.bothBiases);
    rope.push_back(t.rope);
    score.push_back(t.score);
  }
  numbers.tables.push_back({"heads",
                            {{"head", "", head},
                             {"form", "", form},
                             {"norm", "", norm},
                             {"query_bias", "", queryBias},
                             {"key_bias", "", keyBias},
                             {"both_biases", "", bothBiases},
                             {"rope", "", rope},
                             {"score", "", score}}});
  std::vector<std::string> word;
  std::vector<double> token, raw, softmax;
  for (const int i : result.ranking.order) {
    const auto at = static_cast<std::size_t>(i);
    word.push_back(data_.nameOf(result.keys[at]));
    token.push_back(static_cast<double>(result.keys[at]));
    raw.push_back(result.ranking.raw[at]);
    softmax.push_back(result.ranking.softmax[at]);
  }
  numbers.tables.push_back(
      {"ranking", {{"key", "", word}, {"token", "", token}, {"raw", "", raw}, {"softmax", "", softmax}}});
  (void)shared;
  return numbers;
}

std::string FormPage::caption(const WeightsShared& shared) const {
  if (!shared.model || !data_.result() || !data_.result()->failure.empty()) return {};
  const WeightsState& state = shared.state;
  return fmt::format(
      "{}, {}: x_i·W_qk x_j {} x_i = {}, x_j = {}. {}", shared.model->checkpoint->title(),
      placeWords(shared.model->map, state.stack, state.layer, state.head), tr("of"), data_.nameOf(state.formQuery),
      data_.nameOf(state.formKey),
      tr("Head by head, with what the form leaves out, and the keys' order before and after the softmax."));
}

}  // namespace sepx::ui
