// SPDX-License-Identifier: Apache-2.0
// The matrix page as numbers: the entries in sight in double precision up to sixteen million of them, beyond that what
// the pixels of the picture show (the grid's name says so). Grids have row 0 first, as the matrix has.
#include <algorithm>
#include <cmath>
#include <functional>
#include <ranges>

#include <fmt/format.h>

#include "ui/exhibit/number_table.h"
#include "ui/exhibits/weights/matrix/matrix_page.h"

namespace sepx::ui {

namespace {

constexpr double kMostEntries = 16.0 * 1024 * 1024, kMostListed = 65536;

const char* partWord(attention::Part part) {
  if (part == attention::Part::Symmetric) return "symmetric";
  return part == attention::Part::Skew ? "skew" : "W_qk";
}

attention::Crop inSight(const attention::LayerFactors& factors, const render::Rect& view) {
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
auto upTo(Eigen::Index count) {
  return std::views::iota(Eigen::Index{0}, count);
}

/// Entries one a row, under their places as stored: what a table of numbers (CSV) of a small matrix or view is.
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
  const attention::Crop crop = factors && seen ? inSight(*factors, *seen) : attention::Crop{};
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
