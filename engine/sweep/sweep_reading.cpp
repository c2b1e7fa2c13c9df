// SPDX-License-Identifier: Apache-2.0
// See sweep_reading.h.
#include "engine/sweep/sweep_reading.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "engine/core/file.h"
#include "engine/core/folder.h"
#include "engine/core/try.h"
#include "engine/train/config_fields.h"
#include "engine/train/run_library.h"

namespace sepx::sweep {

namespace {

constexpr std::size_t kPlanHead = std::size_t{64} << 10U;

using SummaryMap = std::map<std::string, std::shared_ptr<const train::RunSummary>, std::less<>>;

/// Names of the files of a folder, without their extension. Listed once, instead of a look at the files of each run.
std::set<std::string, std::less<>> stemsIn(const std::string& folder) {
  std::set<std::string, std::less<>> stems;
  for (const std::string& name : folderNames(folder))
    stems.insert(std::filesystem::path(name).stem().string());
  return stems;
}

Result<std::shared_ptr<const Sweep>> planOf(const std::string& folder, const std::string& text) {
  const auto none = [](const std::string& name) -> Result<NamedConfig> {
    return fail(ErrorKind::BadInput,
                fmt::format("the plan in a sweep folder must hold the config itself, not its name \"{}\"; restore the "
                            "plan.json that sepx sweep wrote",
                            name));
  };
  SEPX_ASSIGN(Sweep sweep, parseSweep(text, folder + "/plan.json", none));
  return std::make_shared<const Sweep>(std::move(sweep));
}

/// The first swept field whose value in the run's folder differs from the plan, as a sentence; empty: none.
std::string contradiction(const Sweep& plan, const SweepRun& run, const train::RunSummary& summary) {
  static const std::vector<train::ConfigField> fields = train::configFields();
  if (summary.config.size() != fields.size()) return {};
  const nlohmann::ordered_json wanted = train::toJson(run.config);
  for (const std::string& name : plan.fields) {
    const auto field = std::ranges::find(fields, name, &train::ConfigField::place);
    if (field == fields.end()) continue;
    const auto& there = train::fieldOf(wanted, name);
    if (summary.config[static_cast<std::size_t>(field - fields.begin())] !=
        train::runValueOf(there.is_null() ? field->fallback : there))
      return fmt::format(
          "{}: its config differs from the plan in {}; move the folder away and start the sweep again to train it",
          summary.folder, name);
  }
  return {};
}

/// Names of the metrics, with those that a person looks for first at the front.
std::vector<std::string> metricsIn(const SummaryMap& summaries) {
  std::set<std::string> names;
  for (const auto& [run, summary] : summaries)
    for (const auto& [name, value] : summary->metrics)
      names.insert(name);
  std::vector<std::string> ordered;
  for (const char* const first : {"loss", "validation"})
    if (names.erase(first) > 0) ordered.emplace_back(first);
  ordered.insert(ordered.end(), names.begin(), names.end());
  return ordered;
}

class Reader {
 public:
  Reader(const SweepFolder& folder, const Sweep& plan, const SweepReading* before)
      : folder_(folder),
        plan_(plan),
        before_(before),
        claims_(stemsIn(folder.path() + "/claims")),
        failed_(stemsIn(folder.path() + "/failed")) {}

  SweepRow row(std::size_t index, std::shared_ptr<const train::RunSummary> summary) const {
    const SweepRun& run = plan_.runs[index];
    SweepRow row;
    row.steps = run.config.schedule.steps;
    row.run = std::move(summary);
    if (row.run) begun(row, index);
    if (row.progress != RunProgress::Finished && row.sentence.empty()) unfinished(row, run.name);
    return row;
  }

 private:
  void begun(SweepRow& row, std::size_t index) const {
    const train::RunSummary& summary = *row.run;
    row.step = summary.record.step;
    row.progress = summary.record.state == train::RunState::Finished ? RunProgress::Finished : RunProgress::Stopped;
    if (!summary.failure.empty()) {
      row.progress = RunProgress::Failed;
      row.sentence = summary.failure;
      return;
    }
    if (summary.record.steps > 0) row.steps = summary.record.steps;
    // A summary is never changed in place, so that the same one is not compared again.
    if (before_ != nullptr && before_->rows[index].run == row.run) {
      row.mismatched = before_->rows[index].mismatched;
      if (row.mismatched) row.sentence = before_->rows[index].sentence;
      return;
    }
    if (std::string why = contradiction(plan_, plan_.runs[index], summary); !why.empty()) {
      row.mismatched = true;
      row.sentence = std::move(why);
    }
  }

  void unfinished(SweepRow& row, const std::string& name) const {
    if (claims_.contains(name)) {
      ClaimReading claim = folder_.claims().read(name);
      if (claim.state != ClaimState::None) {
        row.progress = claim.state == ClaimState::Alive   ? RunProgress::Training
                       : claim.state == ClaimState::Stale ? RunProgress::Stale
                                                          : RunProgress::Unknown;
        row.sentence = std::move(claim.words);
        return;
      }
    }
    if (row.run && row.run->alive) {  // a person continues it outside the sweep
      row.progress = RunProgress::Training;
    } else if (failed_.contains(name)) {
      row.progress = RunProgress::Failed;
      row.sentence = folder_.failure(name);
    }
  }

  const SweepFolder& folder_;
  const Sweep& plan_;
  const SweepReading* before_;  ///< of the same plan; null: none
  const std::set<std::string, std::less<>> claims_, failed_;
};

}  // namespace

train::RunValue SweepReading::value(std::size_t row, std::size_t field) const {
  return train::runValueOf(plan->runs[row].values[field]);
}

bool isSweepFolder(const std::string& folder) {
  const auto head = readHead(folder + "/plan.json", kPlanHead);
  if (!head) return false;
  if (head->find("sepx.sweep/") != std::string::npos) return true;
  std::error_code ignored;  // a damaged plan
  return std::filesystem::is_directory(folder + "/runs", ignored) &&
         std::filesystem::is_directory(folder + "/claims", ignored);
}

Result<SweepReading> readSweep(const std::string& path, const train::RunList& runs,
                               const std::shared_ptr<const SweepReading>& before) {
  SEPX_ASSIGN(const SweepFolder folder, SweepFolder::existing(path));
  SweepReading reading;
  reading.folder = path;
  SEPX_ASSIGN(reading.planText, folder.planText());
  const bool same = before && before->folder == path && before->planText == reading.planText;
  if (same) {
    reading.plan = before->plan;
  } else {
    SEPX_ASSIGN(reading.plan, planOf(path, reading.planText));
  }
  SummaryMap summaries;
  for (const auto& summary : runs)
    if (folder.runFolder(std::string(summary->place())) == summary->folder)
      summaries.emplace(summary->place(), summary);
  reading.metrics = metricsIn(summaries);
  const Reader reader(folder, *reading.plan, same ? before.get() : nullptr);
  reading.rows.reserve(reading.plan->runs.size());
  for (std::size_t i = 0; i < reading.plan->runs.size(); ++i) {
    const auto at = summaries.find(reading.plan->runs[i].name);
    reading.rows.push_back(reader.row(i, at == summaries.end() ? nullptr : at->second));
    if (at != summaries.end()) summaries.erase(at);
    ++reading.counts[static_cast<std::size_t>(reading.rows.back().progress)];
  }
  for (const auto& [name, summary] : summaries)
    reading.unplannedFolders.push_back(name);
  return reading;
}

}  // namespace sepx::sweep
