// SPDX-License-Identifier: Apache-2.0
// See sweep_table.h.
#include "engine/sweep/sweep_table.h"

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "engine/sweep/spread.h"
#include "engine/train/run_library.h"

namespace sepx::sweep {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Numbers stay numbers, everything else is text.
Column columnOf(const std::string& name, const std::vector<nlohmann::ordered_json>& values) {
  bool numbers = true;
  for (const auto& value : values)
    numbers = numbers && value.is_number();
  Column column{name, "", {}};
  if (numbers) {
    std::vector<double> all;
    for (const auto& value : values)
      all.push_back(value.get<double>());
    column.values = std::move(all);
    return column;
  }
  std::vector<std::string> all;
  for (const auto& value : values)
    all.push_back(value.is_string() ? value.get<std::string>() : value.dump());
  column.values = std::move(all);
  return column;
}

/// Summaries of the existing runs, by name.
std::map<std::string, std::shared_ptr<const train::RunSummary>> summariesOf(const SweepFolder& folder,
                                                                            ThreadPool* pool) {
  std::map<std::string, std::shared_ptr<const train::RunSummary>> all;
  train::LibraryOptions options;
  options.pool = pool;
  for (const auto& summary : train::readLibrary(folder.path() + "/runs", options))
    all.emplace(std::string(summary->place()), summary);
  return all;
}

Table settingsTable(const Sweep& sweep, const std::vector<RunStatus>& states,
                    const std::vector<const train::RunSummary*>& summaries, const std::set<std::string>& metrics) {
  struct Setting {
    std::vector<nlohmann::ordered_json> values;
    double seeds = 0;
    std::map<std::string, Spread> spreads;
  };
  std::vector<Setting> settings;  // in the order of the plan: the seeds of one setting are adjacent
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < sweep.runs.size(); ++i) {
    std::vector<nlohmann::ordered_json> values = sweep.runs[i].values;
    values.pop_back();  // the seed
    const auto [at, fresh] = index.try_emplace(nlohmann::ordered_json(values).dump(), settings.size());
    if (fresh) settings.push_back({values, 0, {}});
    if (states[i].progress != RunProgress::Finished || !summaries[i]) continue;
    Setting& setting = settings[at->second];
    ++setting.seeds;
    for (const std::string& name : metrics)
      if (const double value = summaries[i]->metric(name); std::isfinite(value)) setting.spreads[name].add(value);
  }
  Table table{"settings", {}};
  for (std::size_t f = 0; f + 1 < sweep.fields.size(); ++f) {
    std::vector<nlohmann::ordered_json> values;
    for (const Setting& setting : settings)
      values.push_back(setting.values[f]);
    table.columns.push_back(columnOf(sweep.fields[f], values));
  }
  std::vector<double> seeds;
  for (const Setting& setting : settings)
    seeds.push_back(setting.seeds);
  table.columns.push_back({"seeds", "", std::move(seeds)});
  for (const std::string& name : metrics) {
    std::vector<double> means, deviations;
    for (const Setting& setting : settings) {
      const auto found = setting.spreads.find(name);
      means.push_back(found == setting.spreads.end() ? kNone : found->second.mean);
      deviations.push_back(found == setting.spreads.end() ? kNone : found->second.deviation());
    }
    table.columns.push_back({name + ".mean", "", std::move(means)});
    table.columns.push_back({name + ".deviation", "", std::move(deviations)});
  }
  return table;
}

}  // namespace

SweepTables mergedTables(const SweepFolder& folder, const Sweep& sweep, ThreadPool* pool) {
  const auto summaries = summariesOf(folder, pool);
  std::vector<RunStatus> states;
  std::vector<const train::RunSummary*> found;
  std::set<std::string> metrics;
  for (const SweepRun& run : sweep.runs) {
    states.push_back(folder.status(run.name));
    const auto at = summaries.find(run.name);
    found.push_back(at == summaries.end() ? nullptr : at->second.get());
    if (found.back())
      for (const auto& [name, value] : found.back()->metrics)
        metrics.insert(name);
  }
  SweepTables tables{{"runs", {}}, {}};
  const auto text = [&](const char* name, auto of) {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < sweep.runs.size(); ++i)
      values.push_back(of(i));
    tables.runs.columns.push_back({name, "", std::move(values)});
  };
  const auto number = [&](const std::string& name, auto of) {
    std::vector<double> values;
    for (std::size_t i = 0; i < sweep.runs.size(); ++i)
      values.push_back(of(i));
    tables.runs.columns.push_back({name, "", std::move(values)});
  };
  text("run", [&](std::size_t i) { return sweep.runs[i].name; });
  for (std::size_t f = 0; f < sweep.fields.size(); ++f) {
    std::vector<nlohmann::ordered_json> values;
    for (const SweepRun& run : sweep.runs)
      values.push_back(run.values[f]);
    tables.runs.columns.push_back(columnOf(sweep.fields[f], values));
  }
  text("state", [&](std::size_t i) { return std::string(toString(states[i].progress)); });
  number("step", [&](std::size_t i) { return static_cast<double>(states[i].step); });
  number("steps", [&](std::size_t i) { return static_cast<double>(sweep.runs[i].config.schedule.steps); });
  text("sentence", [&](std::size_t i) { return states[i].sentence; });
  for (const std::string& name : metrics)
    number(name, [&](std::size_t i) { return found[i] ? found[i]->metric(name) : kNone; });
  tables.settings = settingsTable(sweep, states, found, metrics);
  return tables;
}

}  // namespace sepx::sweep
