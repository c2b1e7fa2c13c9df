// SPDX-License-Identifier: Apache-2.0
#include "app/cli/runs_files.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

#include <unistd.h>

#include "app/cli/text.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/core/file.h"

namespace fs = std::filesystem;

namespace sepx::app::cli {

std::string seriesName(const train::Series& series) {
  if (series.layer < 0) return series.name;
  if (series.head < 0) return trf(N_("{} of layer {}"), series.name, series.layer);
  return trf(N_("{} of layer {}, head {}"), series.name, series.layer, series.head);
}

Table metricsTable(std::span<const train::Series> series) {
  std::map<std::int64_t, std::size_t> rows;
  for (const train::Series& one : series)
    for (const std::int64_t step : one.steps)
      rows.emplace(step, 0);
  std::vector<double> steps;
  for (auto& [step, row] : rows) {
    row = steps.size();
    steps.push_back(static_cast<double>(step));
  }
  Table table;
  table.name = "metrics";
  table.columns.push_back({"step", {}, steps});
  for (const train::Series& one : series) {
    std::vector<double> values(steps.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < one.steps.size(); ++i)
      values[rows.at(one.steps[i])] = one.values[i];
    table.columns.push_back({seriesName(one), {}, std::move(values)});
  }
  return table;
}

std::string sparkLine(std::span<const double> values, std::size_t width) {
  constexpr const char* kHeights[] = {"\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588"};
  constexpr double kMost = 7;
  double least = std::numeric_limits<double>::infinity(), greatest = -least;
  std::size_t finite = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    ++finite;
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  if (finite < 2) return {};
  const std::size_t parts = std::min(width, values.size());
  std::string line;
  for (std::size_t part = 0; part < parts; ++part) {
    double sum = 0, count = 0;
    for (std::size_t i = part * values.size() / parts; i < (part + 1) * values.size() / parts; ++i) {
      if (!std::isfinite(values[i])) continue;
      sum += values[i] / 2 - least / 2;  // halves: no difference overflows
      ++count;
    }
    const double span = greatest / 2 - least / 2;
    const double height = count > 0 && span > 0 ? sum / count / span : 0;
    line += count > 0 ? kHeights[static_cast<int>(std::lround(std::clamp(height, 0.0, 1.0) * kMost))] : " ";
  }
  return line;
}

Result<void> copyModel(const std::string& checkpoint, const std::string& target) {
  if (const auto opened = checkpoint::Checkpoint::open(checkpoint); !opened) return tl::unexpected(opened.error());
  std::error_code error;
  if (fs::exists(target, error))
    return failf(ErrorKind::Usage, N_("--out: {} is there already; name a folder that is not"), target);
  std::string place = target;
  while (place.size() > 1 && place.back() == '/')
    place.pop_back();
  const std::string aside = fmt::format("{}.{}.tmp", place, ::getpid());
  fs::create_directory(aside, error);
  fs::directory_iterator entries;
  if (!error) entries = fs::directory_iterator(checkpoint, error);
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().string();
    std::error_code odd;
    if (name == "state.safetensors" || !entry.is_regular_file(odd)) continue;
    fs::copy_file(entry.path(), aside + "/" + name, error);
    if (error) break;
  }
  if (!error) fs::rename(aside, place, error);
  if (!error) return {};
  std::error_code left;
  fs::remove_all(aside, left);
  return failf(ErrorKind::OutputFailed, N_("{}: cannot be written: {}"), target, error.message());
}

}  // namespace sepx::app::cli
