// SPDX-License-Identifier: Apache-2.0
// What the matrix page alone declares: the colour scale, what the pointer is over, which device computed.
#include <cmath>
#include <utility>

#include "ui/exhibits/weights/matrix/matrix_page.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kFarthest = 1e9;

bool onMatrix(const Document& document) {
  const Json& page = document.at("weights.page");
  return !page.is_string() || page == "matrix";
}

bool isLocked(const Document& document) {
  return onMatrix(document) && document.at("weights.limits.mode") == "locked";
}

bool sound(const ColorLimits& limits) {
  return std::isfinite(limits.low) && std::isfinite(limits.high) && limits.low < limits.high;
}

/// Locking takes the ends that are shown.
Result<Document> modeFollows(const MatrixPage& page, const Document& before, const Document& with) {
  if (with.at("weights.limits.mode") != "locked") return withoutLockedLimits(with);
  const Json &low = with.at("weights.limits.low"), &high = with.at("weights.limits.high");
  const bool said = low.is_number() && high.is_number() && low.get<double>() < high.get<double>();
  if (said && (before.at("weights.limits.mode") == "locked" || with.has("weights.limits.low"))) return with;
  return withLockedLimits(with, page.scale().limits);
}

Result<Document> endFollows(const MatrixPage& page, const Document& with, bool upper) {
  const Json &low = with.at("weights.limits.low"), &high = with.at("weights.limits.high");
  ColorLimits limits{low.is_number() ? low.get<double>() : page.scale().limits.low,
                     high.is_number() ? high.get<double>() : page.scale().limits.high};
  // Scales with zero in the middle are symmetric: the other end follows.
  if (page.scale().kind != ScaleKind::Sequential) {
    if (upper && limits.high > 0) limits.low = -limits.high;
    if (!upper && limits.low < 0) limits.high = -limits.low;
  }
  if (sound(limits)) return withLockedLimits(with, limits);
  std::string text = tr("the lower end of the colours, {low}, is not below the upper one, {high}");
  text.replace(text.find("{low}"), 5, shownFixed(limits.low, 4));
  return fail(ErrorKind::Usage, text.replace(text.find("{high}"), 6, shownFixed(limits.high, 4)));
}

Property endOf(const MatrixPage& page, const char* key, const char* label, double fallback, bool upper,
               const char* help) {
  Property end;
  end.key = key;
  end.label = label;
  end.min = -kFarthest;
  end.max = kFarthest;
  end.digits = 5;
  end.fallback = fallback;
  end.help = help;
  end.applies = isLocked;
  end.follow = [&page, upper](const Document&, const Document& with) { return endFollows(page, with, upper); };
  return end;
}

void declareLimits(PropertyRegistry& registry, const MatrixPage& page) {
  Property mode;
  mode.key = "weights.limits.mode";
  mode.label = N_("Colour scale");
  mode.kind = Kind::Choice;
  mode.choices = {"auto", "locked"};
  mode.fallback = std::string("auto");
  mode.choiceLabel = [](const std::string& key) {
    return std::string(key == "locked" ? tr("locked") : tr("from the data"));
  };
  mode.help = N_(
      "Whether the ends of the colour scale follow the entries, or stay as they are: pictures with the same ends can "
      "be compared by colour.");
  mode.applies = onMatrix;
  mode.follow = [&page](const Document& before, const Document& with) { return modeFollows(page, before, with); };
  registry.declare(mode);
  registry.declare(
      endOf(page, "weights.limits.low", N_("Lower end"), -1, false, N_("The entry at the lower end of the colours.")));
  registry.declare(
      endOf(page, "weights.limits.high", N_("Upper end"), 1, true, N_("The entry at the upper end of the colours.")));
  Property percentile;
  percentile.key = "weights.limits.percentile";
  percentile.label = N_("Percentile");
  percentile.unit = "%";
  percentile.min = 50;
  percentile.max = 100;
  percentile.step = 0.1;
  percentile.digits = 2;
  percentile.fallback = 99.5;
  percentile.help =
      N_("Ends that follow the data lie at this percentile of the moduli of what the pixels show; a few larger ones "
         "have the colour of the end.");
  percentile.applies = [](const Document& document) { return onMatrix(document) && !isLocked(document); };
  registry.declare(percentile);
}

using Getter = std::function<Value(int)>;

ReadOut readOut(const char* key, const char* label, const char* symbol, const char* help, Getter get, int digits = 6,
                bool detail = false) {
  ReadOut made;
  made.key = key;
  made.label = label;
  made.symbol = symbol;
  made.help = help;
  made.get = std::move(get);
  made.digits = digits;
  made.detail = detail;
  made.applies = onMatrix;
  return made;
}

Value number(double value) {
  return std::isfinite(value) ? Value(value) : Value(std::monostate{});
}

void declareHover(PropertyRegistry& registry, const MatrixPage& page) {
  const auto ofHover = [&page](auto get) -> Getter {
    return [&page, get](int) -> Value { return page.hover() ? Value(get(*page.hover())) : Value(std::monostate{}); };
  };
  registry.declare(readOut("weights.hover.row", N_("Row"), "i", N_("Row under the pointer, as stored: the query side."),
                           ofHover([](const MatrixHover& hover) { return static_cast<double>(hover.row); }), 0));
  registry.declare(readOut("weights.hover.column", N_("Column"), "j",
                           N_("Column under the pointer, as stored: the key side."),
                           ofHover([](const MatrixHover& hover) { return static_cast<double>(hover.column); }), 0));
  registry.declare(readOut("weights.hover.value", N_("Entry"), "W_qk",
                           N_("The entry under the pointer, computed in double precision from the factors."),
                           ofHover([](const MatrixHover& hover) { return number(hover.value); })));
  registry.declare(readOut("weights.hover.row_norm", N_("Norm of its row"), "", N_("Of the row of W_qk."),
                           ofHover([](const MatrixHover& hover) { return number(hover.rowNorm); })));
  registry.declare(readOut("weights.hover.column_norm", N_("Norm of its column"), "", N_("Of the column of W_qk."),
                           ofHover([](const MatrixHover& hover) { return number(hover.columnNorm); })));
  registry.explain("weights.hover.value",
                   {"(W_{qk})_{ij} = \\sum_{h=1}^{H}\\sum_{a=1}^{d_h}(W_Q^h)_{ia}\\,(W_K^h)_{ja}", {}, {}, {}});
}

}  // namespace

void declareMatrix(PropertyRegistry& registry, const MatrixPage& page, const WeightsShared&) {
  declareLimits(registry, page);
  declareHover(registry, page);
  registry.declare(readOut(
      "weights.scale.low", N_("Colours from"), "", N_("The entry at the lower end of the colours that are shown."),
      [&page](int) { return number(page.scale().limits.low); }, 6, true));
  registry.declare(readOut(
      "weights.scale.high", N_("Colours to"), "", N_("The entry at the upper end of the colours that are shown."),
      [&page](int) { return number(page.scale().limits.high); }, 6, true));
  registry.declare(readOut(
      "weights.device", N_("Computed by"), "", N_("Which device made the picture."),
      [&page](int) -> Value {
        if (page.results().device().empty()) return std::monostate{};
        return page.results().device();
      },
      6, true));
}

}  // namespace sepx::ui
