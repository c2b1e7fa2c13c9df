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

Condition onMatrix(Condition also = {}) {
  return onPage("matrix", std::move(also));
}

bool isLocked(const Document& document) {
  return document.at("weights.limits.mode") == "locked";
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

// clang-format off
void declareLimits(PropertyRegistry& registry, const MatrixPage& page) {
  const auto end = [&page](const char* key, const char* label, double fallback, bool upper, const char* help) {
    return Property{.key = key, .label = label, .min = -kFarthest, .max = kFarthest, .digits = 5, .fallback = fallback,
                    .help = help, .applies = isLocked,
                    .follow = [&page, upper](const Document&, const Document& with) {
                      return endFollows(page, with, upper);
                    }};
  };
  declareParameters(registry, {.prefix = "weights.limits.", .applies = onMatrix()}, {
      {.key = "mode", .label = N_("Colour scale"),
       .options = {{"auto", N_("from the data")}, {"locked", N_("locked")}},
       .help = N_("Whether the limits of the colour scale follow the entries or are fixed. Pictures with the same "
                  "limits can be compared by colour."),
       .follow = [&page](const Document& before, const Document& with) { return modeFollows(page, before, with); }},
      end("low", N_("Lower end"), -1, false, N_("The entry at the lower end of the colours.")),
      end("high", N_("Upper end"), 1, true, N_("The entry at the upper end of the colours.")),
      {.key = "percentile",
       .into = &WeightsState::percentile,
       .label = N_("Percentile"), .unit = "%", .min = 50, .max = 100, .step = 0.1, .digits = 2,
       .fallback = 99.5,
       .help = N_("Ends that follow the data lie at this percentile of the moduli of all entries, of a matrix that is "
                  "wider than 512 of the largest of each block in a picture of that width. They do not depend on the "
                  "window; a few larger entries have the colour of the end."),
       .applies = [](const Document& document) { return !isLocked(document); }}});
}

}  // namespace

void declareMatrix(PropertyRegistry& registry, const MatrixPage& page) {
  declareLimits(registry, page);
  const Getters hover([&page](int) { return page.hover() ? &*page.hover() : nullptr; });
  const auto all = gettersOf(page);
  declareReadOuts(registry, {.prefix = "weights.hover.", .applies = onMatrix()}, {
      {.key = "row", .label = N_("Row"), .symbol = "i",
       .help = N_("Row under the pointer, as stored: the query side."), .digits = 0, .get = hover(&MatrixHover::row)},
      {.key = "column", .label = N_("Column"), .symbol = "j",
       .help = N_("Column under the pointer, as stored: the key side."), .digits = 0,
       .get = hover(&MatrixHover::column)},
      {.key = "value", .label = N_("Entry"), .symbol = "W_qk",
       .help = N_("The entry under the pointer, computed in double precision from the factors."),
       .formula = "(W_{qk})_{ij} = \\sum_{h=1}^{H}\\sum_{a=1}^{d_h}(W_Q^h)_{ia}\\,(W_K^h)_{ja}",
       .get = hover(&MatrixHover::value)},
      {.key = "row_norm", .label = N_("Norm of its row"), .help = N_("The norm of the row of W_qk."),
       .get = hover(&MatrixHover::rowNorm)},
      {.key = "column_norm", .label = N_("Norm of its column"), .help = N_("The norm of the column of W_qk."),
       .get = hover(&MatrixHover::columnNorm)}});
  declareReadOuts(registry, {.prefix = "weights.", .applies = onMatrix(), .detail = true}, {
      {.key = "scale.low", .label = N_("Colours from"),
       .help = N_("The entry at the lower end of the colours that are shown."),
       .get = all([](const MatrixPage& of) { return of.scale().limits.low; })},
      {.key = "scale.high", .label = N_("Colours to"),
       .help = N_("The entry at the upper end of the colours that are shown."),
       .get = all([](const MatrixPage& of) { return of.scale().limits.high; })},
      {.key = "device", .label = N_("Computed by"), .help = N_("The device that computed the picture."),
       .get = all([](const MatrixPage& of) { return notEmpty(of.pictures().device()); })}});
}
// clang-format on

}  // namespace sepx::ui
