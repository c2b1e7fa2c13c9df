// SPDX-License-Identifier: Apache-2.0
// Reads Tables 1 and 2 of Reversal from recorded runs (accuracy_study.h).
#include "engine/studies/accuracy_recorded.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "engine/core/try.h"
#include "engine/train/run_store.h"

namespace sepx::studies {

namespace {

using reversal::Answers;

/// The name of a model's config, as in the files of assets/configs and the folders of assets/runs/reversal.
const char* configOf(PairModel model) {
  static constexpr const char* kConfigs[] = {"reversal-arm", "reversal-radd-learned", "reversal-radd-rope",
                                             "reversal-radd-alibi"};
  return kConfigs[static_cast<std::size_t>(model)];
}

struct Recorded {
  const char* name;
  double Answers::*member;
};
constexpr Recorded kRecorded[] = {{"accuracy", &Answers::accuracy},
                                  {"accuracy_letters", &Answers::letters},
                                  {"probability", &Answers::probability},
                                  {"zero", &Answers::zero}};

Result<AccuracyRun> recordedRun(const std::string& folder, PairModel model, int length, std::uint64_t seed) {
  AccuracyRun run;
  run.model = model;
  run.length = length;
  run.seed = seed;
  SEPX_ASSIGN(const auto reader, train::RunReader::open(folder));
  std::vector<std::int64_t> steps;
  for (std::int64_t step = kAccuracyEvery; step <= kAccuracySteps; step += kAccuracyEvery) {
    steps.push_back(step);
    run.points.push_back({step, {}});
  }
  SEPX_ASSIGN(const auto all, reader->seriesAt(steps));
  std::size_t found = 0;
  for (const reversal::Direction direction : reversal::kDirections)
    for (const Recorded& one : kRecorded) {
      const std::string name = fmt::format("{}_{}", reversal::directionWord(direction), one.name);
      const auto series = std::find_if(all.begin(), all.end(), [&](const auto& at) { return at.name == name; });
      if (series == all.end()) continue;
      for (std::size_t i = 0; i < series->steps.size(); ++i) {
        const auto at = static_cast<std::size_t>(series->steps[i] / kAccuracyEvery - 1);
        reversal::AccuracyReport& report = run.points[at].report;
        Answers& answers = direction == reversal::Direction::Forward ? report.forward : report.reverse;
        answers.*one.member = series->values[i];
        ++found;
      }
    }
  if (found != steps.size() * 2 * std::size(kRecorded))
    return fail(ErrorKind::BadInput,
                fmt::format("{}: the run lacks the answers at some of the steps 500, 1,000 … 3,000; train it again "
                            "with assets/runs/reversal/train",
                            folder));
  return run;
}

}  // namespace

Result<AccuracyTable> recordedAccuracy(int number, const std::string& folder) {
  AccuracyTable table;
  table.number = number;
  table.shipped = true;
  for (const PublishedAccuracy& row : publishedAccuracies(number))
    for (std::uint64_t seed = 0; seed < kAccuracySeeds; ++seed) {
      const std::string setting = row.length == 10 ? "batch64" : fmt::format("length{}", row.length),
                        of = fmt::format("{}/{}-{}-{}", folder, setting, configOf(row.model), seed);
      if (row.length != 10 && !std::filesystem::exists(of)) continue;
      SEPX_ASSIGN(AccuracyRun run, recordedRun(of, row.model, row.length, seed));
      table.runs.push_back(std::move(run));
    }
  const train::RunConfig config = accuracyConfig(PairModel::Rope, 10, 0);
  table.steps = config.schedule.steps;
  table.batch = config.schedule.batch;
  table.width = config.model.d_model;
  return table;
}

}  // namespace sepx::studies
