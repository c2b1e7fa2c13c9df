// SPDX-License-Identifier: Apache-2.0
// Declarations, numbers and caption of the comparison.
#include <cmath>

#include <fmt/format.h>

#include "ui/exhibits/weights/compare/compare_page.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

bool onCompare(const Document& document) {
  return document.at("weights.page") == Json("compare");
}

bool onSecond(const Document& document) {
  const Json& path = document.at("weights.compare.checkpoint");
  return onCompare(document) && path.is_string() && !path.get<std::string>().empty();
}

void declareChoices(PropertyRegistry& registry) {
  Property file;
  file.key = "weights.compare.checkpoint";
  file.label = N_("Compared with");
  file.kind = Kind::Text;
  file.fallback = std::string();
  file.file = true;
  file.help = N_("The checkpoint that is laid beside the open one: a weight file, the index of shards, or a folder.");
  file.applies = [](const Document& document) {
    return onCompare(document) || document.at("weights.page") == Json("charts");
  };
  registry.declare(file);
  Property mode;
  mode.key = "weights.compare.mode";
  mode.label = N_("Shown");
  mode.kind = Kind::Choice;
  mode.choices = {"side", "difference", "blink"};
  mode.fallback = std::string("side");
  mode.help = N_("Both side by side with one view, A − B entry by entry, or one after the other in the same place.");
  mode.choiceLabel = [](const std::string& key) {
    return std::string(key == "difference" ? tr("difference") : key == "blink" ? tr("blink") : tr("side by side"));
  };
  mode.applies = onCompare;
  registry.declare(mode);
  Property measure = mode;
  measure.key = "weights.compare.measure";
  measure.label = N_("Table");
  measure.choices = {"relative", "cosine"};
  measure.fallback = std::string("relative");
  measure.help =
      N_("What the table shows of every layer and head: the norm of the difference relative to the norms of both, or "
         "the cosine of the angle between the two forms.");
  measure.choiceLabel = [](const std::string& key) {
    return std::string(key == "cosine" ? tr("cosine") : tr("relative norm"));
  };
  registry.declare(measure);
}

}  // namespace

void declareCompare(PropertyRegistry& registry, const WeightsShared& live, const ComparePage& page) {
  declareChoices(registry);
  const auto number = [&](const char* key, const char* label, const char* symbol, const char* help, const char* formula,
                          auto read) {
    ReadOut readOut;
    readOut.key = key;
    readOut.label = label;
    readOut.symbol = symbol;
    readOut.help = help;
    readOut.formula = formula;
    readOut.numberWords = formatReading;
    if (std::string_view(key) == "weights.compare.cosine") readOut.numberWords = cosineText;
    readOut.applies = onSecond;
    readOut.get = [&live, &page, read](int) -> Value {
      const auto found = page.board().at(live.state.stack, live.state.layer, live.state.head);
      return found ? Value(read(*found)) : Value(std::monostate{});
    };
    registry.declare(std::move(readOut));
  };
  number("weights.compare.norm", N_("Difference"), "|A − B|",
         N_("Frobenius norm of W_qk of the first checkpoint minus that of the second, of the chosen layer or head."),
         "|A-B|_F^2 = |A|_F^2 + |B|_F^2 - 2\\,\\mathrm{Tr}(A^\\top B)",
         [](const attention::Difference& d) { return d.norm; });
  number("weights.compare.relative", N_("Relative"), "",
         N_("The norm of the difference over the geometric mean of both norms: 0 for equal forms, about 1.4 for forms "
            "of one size that have nothing to do with each other."),
         "\\frac{|A-B|_F}{\\sqrt{|A|_F\\,|B|_F}}", [](const attention::Difference& d) { return d.relative; });
  number("weights.compare.cosine", N_("Cosine"), "",
         N_("1: one form is a multiple of the other. 0: nothing in common."),
         "\\frac{\\mathrm{Tr}(A^\\top B)}{|A|_F\\,|B|_F}", [](const attention::Difference& d) { return d.cosine; });
  ReadOut layers;
  layers.key = "weights.compare.layers";
  layers.label = N_("Layers compared");
  layers.help = N_("How many layers both checkpoints have with W_qk of one shape, as far as they are compared.");
  layers.digits = 0;
  layers.applies = onSecond;
  layers.get = [&page](int) -> Value { return static_cast<double>(page.board().entries().size()); };
  registry.declare(layers);
  ReadOut shown;
  shown.key = "weights.compare.shown";
  shown.label = N_("Blink shows");
  shown.help = N_("Which of the two checkpoints is shown while they blink.");
  shown.applies = onSecond;
  shown.get = [&page](int) -> Value { return std::string(page.secondShown() ? "B" : "A"); };
  registry.declare(shown);
  ReadOut note;
  note.key = "weights.compare.note";
  note.label = N_("Does not fit");
  note.help = N_("What of the two checkpoints cannot be compared, and why.");
  note.applies = onSecond;
  note.get = [&page](int) -> Value {
    const std::string& text = page.board().failure().empty() ? page.board().misfit() : page.board().failure();
    return text.empty() ? Value(std::monostate{}) : Value(text);
  };
  registry.declare(note);
}

Numbers ComparePage::numbers(const WeightsShared& shared) const {
  std::vector<std::string> stack;
  std::vector<double> layer, head, norm, relative, cosine, normA, normB;
  for (const CompareEntry& entry : board_.entries()) {
    const auto add = [&](int h, const attention::Difference& difference) {
      stack.emplace_back(checkpoint::word(entry.stack));
      layer.push_back(entry.layer);
      head.push_back(h);
      norm.push_back(difference.norm);
      relative.push_back(difference.relative);
      cosine.push_back(difference.cosine);
      normA.push_back(difference.normA);
      normB.push_back(difference.normB);
    };
    add(-1, entry.whole);
    for (std::size_t h = 0; h < entry.heads.size(); ++h)
      add(static_cast<int>(h), entry.heads[h]);
  }
  (void)shared;
  Numbers numbers;
  numbers.tables.push_back({"comparison",
                            {{"stack", "", stack},
                             {"layer", "", layer},
                             {"head", "", head},
                             {"difference_norm", "", norm},
                             {"difference_relative", "", relative},
                             {"cosine", "", cosine},
                             {"norm_a", "", normA},
                             {"norm_b", "", normB}}});
  return numbers;
}

std::string ComparePage::caption(const WeightsShared& shared) const {
  if (!shared.model || !board_.model()) return {};
  return fmt::format("W_qk: A = {}, B = {}. {}.", shared.model->checkpoint->title(),
                     board_.model()->checkpoint->title(), numbersLine(shared));
}

}  // namespace sepx::ui
