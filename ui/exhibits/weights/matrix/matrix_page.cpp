// SPDX-License-Identifier: Apache-2.0
// The matrix page: requests, panel, caption, status, commands, declarations and numbers.
#include "ui/exhibits/weights/matrix/matrix_page.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "ui/page/number_table.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

std::unique_ptr<WeightsPage> makeMatrixPage() {
  return std::make_unique<MatrixPage>();
}

std::string matrixSentence(const WeightsShared& shared) {
  const std::string sentence = modelSentence(shared);
  return sentence.empty() ? shared.factorsFailure : sentence;
}

MatrixLayout MatrixPage::layoutOf(const PageFrame& frame) {
  return frame.shared.layer && matrixSentence(frame.shared).empty() ? layoutMatrix(frame) : MatrixLayout();
}

void MatrixPage::declare(PropertyRegistry& registry, const WeightsShared&) {
  declareMatrix(registry, *this);
  declareSpectrum(registry, spectrum_);
}

/// A diverging scale follows its limits at once. Other scales wait for the values that the job computes for them.
MatrixScale MatrixPage::scaleFor(const PageFrame& frame, const ExhibitContext& context) const {
  const WeightsState& state = frame.shared.state;
  if (state.scale != ScaleKind::Diverging || pictures_.scale().kind != ScaleKind::Diverging) return pictures_.scale();
  std::optional<ColorLimits> limits = state.locked;
  if (!limits) limits = context.sharedLimits;
  if (!limits) limits = pictures_.ownLimits();
  return {ScaleKind::Diverging, fitting(limits.value_or(ColorLimits{-1, 1}), ScaleKind::Diverging)};
}

void MatrixPage::ask(const PageFrame& frame, ExhibitContext& context) {
  const WeightsShared& shared = frame.shared;
  const MatrixLayout layout = layoutOf(frame);
  const MatrixPanes& panes = layout.panes;
  pictures_.update(frame, shared.factors, panes, context);
  scale_ = scaleFor(frame, context);
  seen_ = panes.panes.empty() ? std::nullopt : std::optional(panes.seen);
  spectrumShown_ = shared.state.spectrum || layout.spectrum || board().isChosenPanel("singular") ||
                   board().isChosenPanel("eigenvalues");
  spectrum_.update(shared.factors, spectrumShown_ && hasPicture(shared), context);
  if (shared.moments && survivalOf_ != shared.factorsRevision) {
    survivalOf_ = shared.factorsRevision;
    rows_ = attention::survivalOf(shared.moments->rowNorms);
    columns_ = attention::survivalOf(shared.moments->columnNorms);
  }
  results_.follow(
      Digest()
          .add(pictures_.revision(), spectrum_.revision(), scale_.kind, scale_.limits.low, scale_.limits.high)
          .value());
  hover_.reset();
  if (!frame.pointer || (layout.minimap && layout.minimap->contains(*frame.pointer))) return;
  const MatrixPane* const pane = panes.at(*frame.pointer);
  const std::optional<MatrixCell> cell = pane ? panes.in(*pane).cellAt(*frame.pointer) : std::nullopt;
  if (cell) hover_ = hoverAt(shared, pane->part, *cell);
}

std::optional<MatrixHover> MatrixPage::hoverAt(const WeightsShared& shared, attention::Part part,
                                               MatrixCell cell) const {
  const MatrixResults::Factors& factors = pictures_.factors();
  if (!factors || isStale(shared) || cell.row >= factors->rows() || cell.column >= factors->columns())
    return std::nullopt;
  const auto stored = [](const std::vector<int>& order, int place) {
    return static_cast<std::size_t>(place) < order.size() ? order[static_cast<std::size_t>(place)] : place;
  };
  MatrixHover hover{stored(pictures_.rowOrder(), cell.row), stored(pictures_.columnOrder(), cell.column), part};
  hover.value = entryOf(*factors, part, hover.row, hover.column);
  hover.rowNorm = hover.columnNorm = std::numeric_limits<double>::quiet_NaN();
  const std::shared_ptr<const attention::Moments>& moments = shared.moments;
  if (!moments || hover.row >= moments->rowNorms.size() || hover.column >= moments->columnNorms.size()) return hover;
  hover.rowNorm = moments->rowNorms[hover.row];
  hover.columnNorm = moments->columnNorms[hover.column];
  hover.rowOutlier = hover.rowNorm > shared.parts.rows.threshold;
  hover.columnOutlier = hover.columnNorm > shared.parts.columns.threshold;
  return hover;
}

void MatrixPage::panel(const PageFrame& frame, ExhibitContext&, PagePanel& panel) {
  if (!frame.shared.layer) return;
  panel.heading(tr("Picture"));
  const bool square = frame.shared.layer->d_model == frame.shared.layer->d_key;
  if (square) panel.row("weights.part");
  panel.rows("weights.", {"colors", "limits.mode", "limits.low", "limits.high", "limits.percentile", "order", "pool"});
  panel.group(tr("What is shown"), "weights.show.", {"margins", "values", "survival", "spectrum", "beside"});
  if (!spectrumShown_) return;
  if (!spectrum_.complete() && panel.button(tr("Cancel the spectrum"), "weights.spectrum-cancel")) spectrum_.cancel();
  if (spectrum_.cancelled() && panel.button(tr("Compute the spectrum"), "weights.spectrum-resume")) spectrum_.resume();
  panel.rows("weights.spectrum.", {"rank", "stable_rank", "largest"});
}

bool MatrixPage::hasPicture(const WeightsShared& shared) const {
  return pictures_.complete() || !isStale(shared);
}

Numbers MatrixPage::numbers(const WeightsShared& shared) const {
  Numbers numbers = matrixNumbers(shared, pictures_, seen_);
  if (spectrumShown_)
    for (Table& table : spectrum_.numbers().tables)
      numbers.tables.push_back(std::move(table));
  return numbers;
}

std::string MatrixPage::caption(const WeightsShared& shared) const {
  if (!shared.layer || !seen_) return matrixSentence(shared);
  std::string text;
  const double rows = shared.layer->d_model, columns = shared.layer->d_key;
  const auto add = [&text](const std::string& sentence) { text += sentence + " "; };
  if (!(*seen_ == render::Rect{{0, -rows}, {columns, 0}}))
    add(trFormat("Rows {:.0f} to {:.0f}, columns {:.0f} to {:.0f}.", std::floor(-seen_->max.y),
                 std::ceil(-seen_->min.y) - 1, std::floor(seen_->min.x), std::ceil(seen_->max.x) - 1));
  const WeightsPart part = rows == columns ? shared.state.part : WeightsPart::Full;
  if (part == WeightsPart::Symmetric) add(tr("The symmetric part."));
  if (part == WeightsPart::Skew) add(tr("The skew part."));
  if (part == WeightsPart::Three) add(tr("From the left: the matrix, its symmetric part, its skew part."));
  if (shared.moments && shared.moments->nonfinite > 0)
    add(trFormat("{} weights are NaN or infinite (hatched).", shared.moments->nonfinite));
  if (shared.state.order != WeightsOrder::AsStored) add(tr("Sorted by norm."));
  return text + trFormat("Colours from {} to {}{}.", shownFixed(scale_.limits.low, 4),
                         shownFixed(scale_.limits.high, 4),
                         scale_.kind == ScaleKind::Logarithmic ? tr(", logarithmic with the sign kept") : "");
}

std::string MatrixPage::status(const WeightsShared&) const {
  std::string text;
  if (!pictures_.device().empty()) text = fmt::format("W_qk: {}", pictures_.device());
  if (!hover_) return text;
  if (!text.empty()) text += " · ";
  return text + fmt::format("W_qk[{}, {}] = {}", hover_->row, hover_->column, entryText(hover_->value, 5));
}

std::vector<WeightsPage::Command> MatrixPage::commands(const WeightsShared&, const Document&) {
  return viewCommands([](const PageFrame& frame) { return layoutOf(frame).panes; });
}

// The properties of the matrix page alone: the colour scale, the entry under the pointer, the device that computed.

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

/// Locking the scale takes over the limits that are shown, unless the document has limits of its own.
Result<Document> modeFollows(const MatrixPage& page, const Document& before, const Document& with) {
  if (with.at("weights.limits.mode") != "locked") return withLimits(with, std::nullopt);
  const Json &low = with.at("weights.limits.low"), &high = with.at("weights.limits.high");
  const bool hasLimits = low.is_number() && high.is_number() && low.get<double>() < high.get<double>();
  if (hasLimits && (before.at("weights.limits.mode") == "locked" || with.has("weights.limits.low"))) return with;
  return withLimits(with, page.scale().limits);
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
  if (sound(limits)) return withLimits(with, limits);
  std::string text = tr("the lower end of the colour scale, {low}, must be below the upper end, {high}");
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
       .help = N_("Limits from the data lie at this percentile of the moduli of all entries or, for a matrix wider "
                  "than 512, of the largest modulus of each block in a picture of that width. They do not depend on "
                  "the window. The few larger entries have the colour of the end."),
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
      {.key = "row_norm", .label = N_("Row norm"), .help = N_("The norm of the row of W_qk."),
       .get = hover(&MatrixHover::rowNorm)},
      {.key = "column_norm", .label = N_("Column norm"), .help = N_("The norm of the column of W_qk."),
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

// The numbers of the matrix page to export: the entries in sight in double precision, up to sixteen million of them;
// above that the values of the picture's pixels, as the name of the grid says. Row 0 is first in grids, as in the
// matrix.

namespace {

constexpr double kMostEntries = 16.0 * 1024 * 1024, kMostListed = 65536;

const char* partWord(attention::Part part) {
  if (part == attention::Part::Symmetric) return "symmetric";
  return part == attention::Part::Skew ? "skew" : "W_qk";
}

attention::Crop visibleCrop(const attention::LayerFactors& factors, const render::Rect& view) {
  const auto along = [](double min, double max, Eigen::Index size) {
    return std::pair{std::clamp<Eigen::Index>(static_cast<Eigen::Index>(std::floor(min)), 0, size),
                     std::clamp<Eigen::Index>(static_cast<Eigen::Index>(std::ceil(max)), 0, size)};
  };
  const auto [row0, row1] = along(-view.max.y, -view.min.y, factors.rows());
  const auto [column0, column1] = along(view.min.x, view.max.x, factors.columns());
  return {row0, row1, column0, column1};
}

Grid entries(const attention::LayerFactors& factors, attention::Part part, const attention::Crop& crop,
             const MatrixResults& pictures) {
  const attention::Matrix matrix =
      attention::cropOf(factors, part, crop, nullptr, pictures.rowOrder(), pictures.columnOrder());
  return {partWord(part),
          {static_cast<std::size_t>(matrix.rows()), static_cast<std::size_t>(matrix.cols())},
          std::vector<double>(matrix.data(), matrix.data() + matrix.size())};
}

Grid pixels(const MatrixPart& part) {
  const MatrixPicture& picture = part.picture;
  return {fmt::format("{}_pooled_{:.0f}", partWord(part.part), picture.step),
          {static_cast<std::size_t>(picture.height), static_cast<std::size_t>(picture.width)},
          std::vector<double>(picture.values->begin(), picture.values->end())};
}

/// 0 to count - 1.
std::vector<Eigen::Index> upTo(Eigen::Index count) {
  std::vector<Eigen::Index> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), Eigen::Index{0});
  return all;
}

/// One entry per row, with its row and column as stored: the CSV export of a small matrix or view.
Table entryTable(const attention::LayerFactors& factors, attention::Part part, const attention::Crop& crop,
                 const MatrixResults& pictures) {
  const attention::Matrix matrix =
      attention::cropOf(factors, part, crop, nullptr, pictures.rowOrder(), pictures.columnOrder());
  const auto stored = [](const std::vector<int>& order, Eigen::Index place) {
    return static_cast<double>(order.empty() ? place : order[static_cast<std::size_t>(place)]);
  };
  const auto row = [&](Eigen::Index i) { return stored(pictures.rowOrder(), crop.row0 + i / matrix.cols()); };
  const auto column = [&](Eigen::Index i) { return stored(pictures.columnOrder(), crop.column0 + i % matrix.cols()); };
  const auto value = [&](Eigen::Index i) { return matrix(i / matrix.cols(), i % matrix.cols()); };
  return numberTable("entries", upTo(matrix.size()), NumberColumn{"row", row}, NumberColumn{"column", column},
                     NumberColumn{partWord(part), value});
}

Table normTable(const char* name, const char* index, const Eigen::VectorXd& norms, double threshold) {
  return numberTable(name, upTo(norms.size()), NumberColumn{index, std::identity()},
                     NumberColumn{"norm", [&](Eigen::Index i) { return norms[i]; }},
                     NumberColumn{"outlier", [&](Eigen::Index i) { return norms[i] > threshold ? 1 : 0; }});
}

}  // namespace

Numbers matrixNumbers(const WeightsShared& shared, const MatrixResults& pictures,
                      const std::optional<render::Rect>& seen) {
  Numbers numbers;
  const std::shared_ptr<const attention::LayerFactors>& factors = pictures.factors();
  const attention::Crop crop = factors && seen ? visibleCrop(*factors, *seen) : attention::Crop{};
  const double count = double(crop.rows()) * double(crop.columns());
  const attention::Part first = pictures.part(attention::Part::Full)        ? attention::Part::Full
                                : pictures.part(attention::Part::Symmetric) ? attention::Part::Symmetric
                                                                            : attention::Part::Skew;
  if (count > 0 && count <= kMostListed) numbers.tables.push_back(entryTable(*factors, first, crop, pictures));
  if (shared.moments) {
    numbers.tables.push_back(normTable("row_norms", "row", shared.moments->rowNorms, shared.parts.rows.threshold));
    numbers.tables.push_back(
        normTable("column_norms", "column", shared.moments->columnNorms, shared.parts.columns.threshold));
  }
  if (count == 0) return numbers;
  for (const attention::Part one : {attention::Part::Full, attention::Part::Symmetric, attention::Part::Skew}) {
    const MatrixPart* const part = pictures.part(one);
    if (!part) continue;
    if (count <= kMostEntries)
      numbers.grids.push_back(entries(*factors, one, crop, pictures));
    else if (part->picture.values)
      numbers.grids.push_back(pixels(*part));
  }
  return numbers;
}

}  // namespace sepx::ui
