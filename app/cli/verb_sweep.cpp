// SPDX-License-Identifier: Apache-2.0
// sepx sweep: trains the runs of a plan, with one process or with many that share a folder, reports their status, and
// merges their results into one table.
#include <filesystem>
#include <ostream>
#include <thread>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/json_out.h"
#include "app/cli/sweep_work.h"
#include "app/cli/text.h"
#include "app/cli/train_config.h"
#include "app/cli/values.h"
#include "app/cli/verb.h"
#include "app/options.h"
#include "engine/core/file.h"
#include "engine/core/terminal_text.h"
#include "engine/core/thread_pool.h"
#include "engine/core/try.h"
#include "engine/sweep/sweep_table.h"
#include "engine/train/run_estimate.h"

namespace fs = std::filesystem;

namespace sepx::app::cli {
namespace {

using sweep::RunProgress;
using sweep::SweepFolder;

Result<sweep::NamedConfig> findConfig(const std::string& name, const std::string& plan) {
  std::error_code ignored;
  const std::string beside = (fs::path(plan).parent_path() / name).string();
  const std::string file = fs::exists(beside, ignored) ? beside : configFile(name);
  SEPX_TRY(readConfig(file));  // the error for a missing config names the most similar one
  SEPX_ASSIGN(std::string text, readFile(file, std::size_t{64} << 20U));
  return sweep::NamedConfig{std::move(text), file, fs::absolute(file, ignored).parent_path().string()};
}

Result<sweep::Sweep> parsePlan(const std::string& text, const std::string& file) {
  return sweep::parseSweep(text, file, [&](const std::string& name) { return findConfig(name, file); });
}

std::string changed(const sweep::Sweep& sweep, const sweep::SweepRun& run) {
  std::string text;
  for (std::size_t f = 0; f < sweep.fields.size(); ++f)
    text += fmt::format("{}{} {}", f > 0 ? ", " : "", sweep.fields[f], run.values[f].dump());
  return text;
}

Json valuesJson(const sweep::Sweep& sweep, const sweep::SweepRun& run) {
  Json values = Json::object();
  for (std::size_t f = 0; f < sweep.fields.size(); ++f)
    values[sweep.fields[f]] = run.values[f];
  return values;
}

Json statusJson(const sweep::RunStatus& status) {
  return Json::object({{"run", status.name},
                       {"state", std::string(toString(status.progress))},
                       {"step", status.step},
                       {"steps", status.steps},
                       {"sentence", orNull(status.sentence)}});
}

Json tableJson(const Table& table) {
  Json rows = Json::array();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Json one = Json::object();
    for (const Column& column : table.columns) {
      if (const auto* numbers = std::get_if<std::vector<double>>(&column.values))
        one[column.name] = orNull((*numbers)[row]);
      else
        one[column.name] = std::get<std::vector<std::string>>(column.values)[row];
    }
    rows.push_back(std::move(one));
  }
  return rows;
}

class SweepVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    command_ = &command;
    addOption(command, "plan", plan_,
              N_("the plan of the sweep (docs/cluster.md), or status or merge of a sweep's folder"),
              "PLAN.json|status|merge")
        ->required();
    addOption(command, "folder", folder_, N_("status and merge: the folder of a sweep"), "DIR");
    addOption(command, "--run", run_, N_("the folder of the sweep; programs on many machines may share it"), "DIR");
    addOption(command, "--shard", shard_,
              N_("train the runs of share I of N, counted from 0 (default: from Slurm or Open MPI, otherwise all)"),
              "I/N");
    addOption(command, "--workers", workers_, N_("number of workers on this machine, each with its own share"), "K");
    addFlag(command, "--dry-run", dry_, N_("print the runs and the cost of one of them, and train nothing"));
    addOption(command, "--out", out_, N_("merge: a file that ends in .csv, .json or .npz (default: CSV on stdout)"),
              "FILE");
    addJsonFlag(command, json_);
    command.footer(
        tr(N_("Run the command again to continue where it stopped. Ctrl-C saves and exits with status 5. A run that "
              "fails is listed and does not stop the others.")));
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    if (plan_ == "status") return status(console);
    if (plan_ == "merge") return merge(console, common);
    if (!folder_.empty())
      return failf(ErrorKind::Usage, N_("only status and merge take a second argument; name the folder with --run"));
    SEPX_ASSIGN(const std::string text, readFile(plan_, std::size_t{64} << 20U));
    SEPX_ASSIGN(const sweep::Sweep sweep, parsePlan(text, plan_));
    SEPX_ASSIGN(const Shard shard, shardOf(shard_));
    int workers = 1;
    if (!workers_.empty()) {
      SEPX_ASSIGN(const long long some, toInteger("--workers", workers_, 1, 1024));
      workers = static_cast<int>(some);
    }
    if (dry_) return dryRun(console, sweep, common.threads);
    if (run_.empty()) return failf(ErrorKind::Usage, N_("--run must name the folder of the sweep"));
    SEPX_ASSIGN(const std::string whole, wholePlan(text));
    SEPX_ASSIGN(const SweepFolder folder, SweepFolder::open(run_, whole));
    if (workers > 1) return byWorkers(console, folder, sweep, shard, workers, common);
    SEPX_ASSIGN(const SweepOutcome outcome, trainShard(console, folder, sweep, shard, common.threads));
    return report(console, outcome);
  }

 private:
  /// The plan as it is stored in the folder: with the config written out, so that reading it again needs neither the
  /// shipped configs nor another folder.
  Result<std::string> wholePlan(const std::string& text) const {
    Json plan = Json::parse(text);  // it was parsed before
    if (plan["config"].is_string()) {
      SEPX_ASSIGN(const sweep::NamedConfig named, findConfig(plan["config"].get<std::string>(), plan_));
      SEPX_ASSIGN(const train::RunConfig config, train::parseRunConfig(named.text, named.file, named.folder));
      plan["config"] = train::toJson(config);
    }
    return plan.dump(1) + "\n";
  }

  Result<Outcome> dryRun(Console& console, const sweep::Sweep& sweep, int threads) const {
    SEPX_ASSIGN(const train::RunEstimate estimate,
                train::estimateRun(sweep.runs.front().config, threads, true, [] { return false; }));
    double seconds = 0;
    for (const sweep::SweepRun& run : sweep.runs)
      seconds += estimate.secondsPerStep * static_cast<double>(run.config.schedule.steps);
    if (json_) {
      Json json = beginDocument("sweep");
      json["action"] = "dry-run";
      json["runs"] = Json::array();
      for (const sweep::SweepRun& run : sweep.runs)
        json["runs"].push_back(Json::object({{"run", run.name}, {"values", valuesJson(sweep, run)}}));
      json["estimate"] = Json::object({{"run", sweep.runs.front().name},
                                       {"seconds_per_step", estimate.secondsPerStep},
                                       {"bytes", estimate.bytes},
                                       {"parameters", estimate.parameters},
                                       {"seconds", seconds}});
      console.out << finishDocument(json);
      return Outcome::Done;
    }
    for (const sweep::SweepRun& run : sweep.runs)
      console.out << run.name << "  " << printable(changed(sweep, run)) << "\n";
    console.out << trf(N_("{} runs. The first takes {} ms per step and {} MB here; all together take about {} s at "
                          "that rate, one after the other"),
                       sweep.runs.size(), displayText(1000 * estimate.secondsPerStep),
                       displayText(static_cast<double>(estimate.bytes) / 1e6), displayText(seconds))
                << "\n";
    return Outcome::Done;
  }

  Result<Outcome> byWorkers(Console& console, const SweepFolder& folder, const sweep::Sweep& sweep, Shard shard,
                            int workers, const Options& common) const {
    const int cores = common.threads > 0 ? common.threads : static_cast<int>(std::thread::hardware_concurrency());
    SEPX_ASSIGN(const int failures,
                runWorkers({"sepx", "sweep", plan_, "--run", run_}, shard, workers, std::max(1, cores / workers)));
    SweepOutcome outcome;
    for (std::size_t i = 0; i < sweep.runs.size(); ++i) {
      if (!shard.has(i)) continue;
      const sweep::RunStatus status = folder.status(sweep.runs[i].name);
      if (status.progress == RunProgress::Finished) ++outcome.finished;
      if (status.progress == RunProgress::Failed) outcome.failed.push_back(status);
    }
    if (failures > 0 && outcome.failed.empty())
      return failf(ErrorKind::CheckFailed,
                   N_("{} of {} workers ended early; their messages are above. Run the command again to continue"),
                   failures, workers);
    return report(console, outcome);
  }

  Result<Outcome> report(Console& console, const SweepOutcome& outcome) const {
    if (json_) {
      Json json = beginDocument("sweep");
      json["action"] = "train";
      json["finished"] = outcome.finished;
      json["finished_before"] = outcome.before;
      json["failed"] = Json::array();
      for (const sweep::RunStatus& status : outcome.failed)
        json["failed"].push_back(statusJson(status));
      json["left"] = Json::array();
      for (const sweep::RunStatus& status : outcome.left)
        json["left"].push_back(statusJson(status));
      console.out << finishDocument(json);
    } else {
      console.out << trf(N_("{} runs finished, {} finished earlier, {} failed, {} left to others"), outcome.finished,
                         outcome.before, outcome.failed.size(), outcome.left.size())
                  << "\n";
      for (const sweep::RunStatus& status : outcome.failed)
        console.out << "  " << status.name << ": " << printable(status.sentence) << "\n";
    }
    return outcome.failed.empty() ? Outcome::Done : Outcome::CheckFailed;
  }

  Result<SweepFolder> named() const {
    if (folder_.empty()) return failf(ErrorKind::Usage, N_("name the folder of a sweep: sepx sweep {} DIR"), plan_);
    return SweepFolder::existing(folder_);
  }
  static Result<sweep::Sweep> planOf(const SweepFolder& folder) {
    SEPX_ASSIGN(const std::string text, folder.planText());
    return parsePlan(text, folder.path() + "/plan.json");
  }

  Result<Outcome> status(Console& console) const {
    SEPX_ASSIGN(const SweepFolder folder, named());
    SEPX_ASSIGN(const sweep::Sweep sweep, planOf(folder));
    std::size_t counts[sweep::kProgresses] = {};
    Json json = beginDocument("sweep");
    json["action"] = "status";
    json["runs"] = Json::array();
    for (const sweep::SweepRun& run : sweep.runs) {
      sweep::RunStatus status = folder.status(run.name);
      if (status.steps == 0) status.steps = run.config.schedule.steps;
      ++counts[static_cast<std::size_t>(status.progress)];
      Json row = statusJson(status);
      row["values"] = valuesJson(sweep, run);
      json["runs"].push_back(std::move(row));
      if (json_) continue;
      console.out << fmt::format("{}  {:<9}{:>8}/{:<8} {}", status.name,
                                 tr(std::string(toString(status.progress)).c_str()), status.step, status.steps,
                                 printable(changed(sweep, run)));
      if (!status.sentence.empty()) console.out << ": " << printable(status.sentence);
      console.out << "\n";
    }
    Json& total = json["counts"] = Json::object();
    std::string words;
    for (std::size_t i = 0; i < sweep::kProgresses; ++i) {
      const std::string name(toString(static_cast<RunProgress>(i)));
      total[name] = counts[i];
      words += fmt::format("{}{} {}", i > 0 ? ", " : "", counts[i], tr(name.c_str()));
    }
    console.out << (json_ ? finishDocument(json) : words + "\n");
    return Outcome::Done;
  }

  Result<Outcome> merge(Console& console, const Options& common) const {
    SEPX_ASSIGN(const SweepFolder folder, named());
    SEPX_ASSIGN(const sweep::Sweep sweep, planOf(folder));
    ThreadPool pool(common.threads);
    const sweep::SweepTables tables = sweep::mergedTables(folder, sweep, &pool);
    Json json = beginDocument("sweep");
    json["action"] = "merge";
    json["runs"] = tableJson(tables.runs);
    json["settings"] = tableJson(tables.settings);
    if (out_.empty()) {
      console.out << (json_ ? finishDocument(json) : toCsv(tables.runs));
      return Outcome::Done;
    }
    if (out_.ends_with(".json")) {
      SEPX_TRY(writeFile(out_, finishDocument(json)));
    } else if (out_.ends_with(".npz")) {
      SEPX_TRY(writeNpz({{tables.runs, tables.settings}, {}}, "sepx sweep merge", out_));
    } else if (out_.ends_with(".csv")) {
      SEPX_TRY(writeFile(out_, toCsv(tables.runs)));
      const std::string settings = out_.substr(0, out_.size() - 4) + ".settings.csv";
      SEPX_TRY(writeFile(settings, toCsv(tables.settings)));
    } else {
      return failf(ErrorKind::Usage, N_("--out must end in .csv, .json or .npz; got '{}'"), out_);
    }
    if (json_) console.out << finishDocument(json);
    return Outcome::Done;
  }

  const CLI::App* command_ = nullptr;
  std::string plan_, folder_, run_, shard_, workers_, out_;
  bool dry_ = false, json_ = false;
};

}  // namespace

VerbEntry makeSweep() {
  return {"sweep", N_("Train a plan of many runs, on one machine or on many"), std::make_unique<SweepVerb>()};
}

}  // namespace sepx::app::cli
