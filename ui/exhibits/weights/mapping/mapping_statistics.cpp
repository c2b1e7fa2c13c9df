// SPDX-License-Identifier: Apache-2.0
// Reads a tensor block by block and updates the statistics.
#include "ui/exhibits/weights/mapping/mapping_statistics.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace sepx::ui {

namespace {

constexpr std::int64_t kBlock = 1 << 18;  // values at a time

/// Numbers of rows and columns as Checkpoint::read counts them.
std::pair<std::int64_t, std::int64_t> sidesOf(const checkpoint::TensorInfo& tensor) {
  if (tensor.shape.empty()) return {1, 1};
  const std::int64_t rows = tensor.shape.front();
  return {rows, rows > 0 ? static_cast<std::int64_t>(tensor.values()) / rows : 0};
}

Result<void> readThrough(const checkpoint::Checkpoint& checkpoint, const checkpoint::TensorInfo& tensor,
                         TensorStatistics& into, const LaneWork& work) {
  const auto [rows, columns] = sidesOf(tensor);
  const std::int64_t wide = std::clamp<std::int64_t>(columns, 1, kBlock);
  const std::int64_t tall = std::max<std::int64_t>(1, kBlock / wide);
  std::vector<double> block;
  double count = 0, sumOfSquares = 0;  // Welford
  for (std::int64_t row = 0; row < rows && columns > 0; row += tall) {
    const std::int64_t end = std::min(rows, row + tall);
    for (std::int64_t column = 0; column < columns; column += wide) {
      if (work.cancelled()) return {};
      const std::int64_t right = std::min(columns, column + wide);
      block.resize(static_cast<std::size_t>((end - row) * (right - column)));
      if (const Result<void> read = checkpoint.read(tensor, row, end, column, right, std::span<double>(block)); !read)
        return read;
      into.histogram.add(std::span<const double>(block));
      for (const double value : block) {
        if (value == 0) ++into.zeros;
        if (!std::isfinite(value)) continue;
        ++count;
        const double before = value - into.mean;
        into.mean += before / count;
        sumOfSquares += before * (value - into.mean);
      }
    }
    work.progress(static_cast<double>(end) / static_cast<double>(rows));
  }
  into.deviation = count > 0 ? std::sqrt(sumOfSquares / count) : std::nan("");
  if (count == 0) into.mean = std::nan("");
  return {};
}

}  // namespace

Result<std::shared_ptr<const TensorStatistics>> statisticsOf(const TensorRequest& request, const LaneWork& work) {
  const checkpoint::Checkpoint& file = *request.model->checkpoint;
  auto made = std::make_shared<TensorStatistics>();
  if (auto done = readThrough(file, *file.find(request.tensor), *made, work); !done)
    return tl::unexpected(done.error());
  return made;
}

}  // namespace sepx::ui
