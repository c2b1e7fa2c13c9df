// SPDX-License-Identifier: Apache-2.0
#include "app/cli/runs_files.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include <unistd.h>

#include "app/cli/protect_inputs.h"
#include "app/cli/text.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/mapped_file.h"
#include "engine/core/file.h"
#include "engine/core/file_writer.h"
#include "engine/core/folder.h"
#include "engine/core/remove_folder.h"
#include "engine/core/try.h"
#include "engine/train/checkpoint_files.h"

namespace fs = std::filesystem;

namespace sepx::app::cli {

std::string seriesName(const train::Series& series) {
  if (series.layer < 0) return series.name;
  if (series.head < 0) return trf(N_("{} of layer {}"), series.name, series.layer);
  return trf(N_("{} of layer {}, head {}"), series.name, series.layer, series.head);
}

void metricsCsv(std::span<const train::Series> series, const std::function<bool(std::string_view)>& write) {
  // Some rows at a time, because the fields of hundreds of series of a long run are mostly empty.
  constexpr std::size_t kRows = 4096;
  std::vector<std::int64_t> steps;
  for (const train::Series& one : series)
    steps.insert(steps.end(), one.steps.begin(), one.steps.end());
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  std::vector<std::size_t> next(series.size(), 0);
  for (std::size_t begin = 0; begin < steps.size() || begin == 0; begin += kRows) {
    const std::size_t end = std::min(begin + kRows, steps.size());
    const std::span<const std::int64_t> rows(steps.data() + begin, end - begin);
    Table table;
    table.columns.push_back({"step", {}, std::vector<double>(rows.begin(), rows.end())});
    for (std::size_t k = 0; k < series.size(); ++k) {
      std::vector<double> values(rows.size(), std::numeric_limits<double>::quiet_NaN());
      for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t& at = next[k]; at < series[k].steps.size() && series[k].steps[at] == rows[row]; ++at)
          values[row] = series[k].values[at];
      table.columns.push_back({seriesName(series[k]), {}, std::move(values)});
    }
    const std::string csv = toCsv(table);
    if (!write(begin == 0 ? std::string_view(csv) : std::string_view(csv).substr(csv.find('\n') + 1))) return;
  }
}

Result<std::vector<std::string>> namesOfRuns(const std::vector<std::string>& folders) {
  std::vector<std::string> names;
  for (const std::string& folder : folders) {
    std::error_code error;
    fs::path path = fs::weakly_canonical(folder, error);
    if (!path.has_filename()) path = path.parent_path();  // "runs/first/"
    names.push_back(path.filename().string());
    const auto same = std::find(names.begin(), names.end() - 1, names.back());
    if (same != names.end() - 1)
      return failf(ErrorKind::Usage, N_("{} and {} are both called '{}'; export them into two folders"),
                   folders[static_cast<std::size_t>(same - names.begin())], folder, names.back());
  }
  return names;
}

Result<WrittenEvents> writeEventFile(const std::string& folder, std::span<const train::Series> series,
                                     const std::string& target, const std::vector<std::string>& inputs) {
  SEPX_ASSIGN(const auto reader, train::RunReader::open(folder));
  SEPX_ASSIGN(const auto record, reader->record());
  SEPX_ASSIGN(const auto events, reader->events());
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const train::Series& one : series)
    if (!one.steps.empty()) first = std::min(first, one.steps.front());
  const train::StepTimes times(record, events, record.parent.empty() ? 0 : first);
  WrittenEvents written;
  written.file = target + "/" + train::eventFileName(times);
  SEPX_TRY(protectInputs("--out", written.file, inputs));
  SEPX_TRY(makeFolders(target));
  SEPX_ASSIGN(const auto file, FileWriter::begin(written.file));
  Result<void> state;
  written.count = train::writeEvents(series, times, [&](std::string_view piece) {
    state = file->write(piece);
    return state.has_value();
  });
  if (state) state = file->commit();
  if (!state) return tl::unexpected(state.error());
  for (const train::Series& one : series)
    written.tags.push_back(train::eventTag(one));
  return written;
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
      sum += values[i] / 2 - least / 2;  // halves, so that no difference overflows
      ++count;
    }
    const double span = greatest / 2 - least / 2;
    const double height = count > 0 && span > 0 ? sum / count / span : 0;
    line += count > 0 ? kHeights[static_cast<int>(std::lround(std::clamp(height, 0.0, 1.0) * kMost))] : " ";
  }
  return line;
}

namespace {

/// Copies and syncs a file, as is done for every file that is kept.
Result<void> copyFile(const std::string& from, const std::string& to) {
  SEPX_ASSIGN(const auto file, checkpoint::MappedFile::open(from));
  SEPX_ASSIGN(const auto copy, FileWriter::begin(to));
  SEPX_TRY(copy->write({reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()}));
  SEPX_TRY(file->checkNotTruncated());
  return copy->commit();
}

}  // namespace

Result<void> copyModel(const std::string& checkpoint, const std::string& target) {
  SEPX_TRY(checkpoint::Checkpoint::open(checkpoint));
  std::error_code error;
  if (fs::exists(target, error))
    return failf(ErrorKind::Usage, N_("--out: {} already exists; choose a folder that does not exist"), target);
  std::string place = target;
  while (place.size() > 1 && place.back() == '/')
    place.pop_back();
  const std::string aside = fmt::format("{}.{}.tmp", place, ::getpid());
  fs::create_directory(aside, error);
  for (const std::string& name : folderNames(checkpoint)) {
    if (error) break;
    std::error_code odd;
    const fs::path from = fs::path(checkpoint) / name;
    if (name == "state.safetensors" || !fs::is_regular_file(from, odd)) continue;
    if (auto copied = copyFile(from, aside + "/" + name); !copied) {
      removeFolder(aside);
      return copied;
    }
  }
  if (!error) fs::rename(aside, place, error);
  if (!error) {
    train::syncFolder(fs::absolute(place, error).parent_path().string());
    return {};
  }
  removeFolder(aside);
  return failf(ErrorKind::OutputFailed, N_("{}: cannot be written: {}"), target, error.message());
}

}  // namespace sepx::app::cli
