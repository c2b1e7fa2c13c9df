// SPDX-License-Identifier: Apache-2.0
// sepx runs: lists the runs below a folder, shows one run in full, and exports its metrics or a checkpoint. Runs are
// only read, even while their trainer writes. A run that cannot be read is listed with the reason.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/checkpoint_arguments.h"
#include "app/cli/declare.h"
#include "app/cli/json_out.h"
#include "app/cli/protect_inputs.h"
#include "app/cli/runs_files.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "app/cli/verb.h"
#include "engine/core/file_writer.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"
#include "engine/train/run_store.h"
#include "engine/train/run_summary.h"

namespace sepx::app::cli {
namespace {

constexpr std::size_t kSparkWidth = 24;

struct InspectedRun {
  std::string folder, error;  ///< error: why the rest is empty
  train::RunRecord record;
  bool alive = false;
  std::vector<std::int64_t> checkpoints;
  std::vector<train::Series> series;
  std::vector<train::RunEvent> events;

  const train::Series* find(std::string_view name) const {
    for (const train::Series& one : series)
      if (one.name == name && one.layer < 0) return &one;
    return nullptr;
  }
  /// Whether the program of the run was killed while its record says that it is training.
  bool killed() const { return train::isInterrupted(record, alive); }
};

Result<void> readInto(InspectedRun& run, bool everything) {
  SEPX_ASSIGN(const auto reader, train::RunReader::open(run.folder));
  SEPX_ASSIGN(run.record, reader->record());
  run.alive = train::runIsAlive(run.folder);
  for (const char* name : {"loss", "validation"}) {
    if (everything) break;
    SEPX_ASSIGN(auto series, reader->series(name));
    std::move(series.begin(), series.end(), std::back_inserter(run.series));
  }
  if (!everything) return {};
  SEPX_ASSIGN(run.series, reader->series());
  SEPX_ASSIGN(run.events, reader->events());
  return {};
}

/// The data for the list, also of a run that cannot be read.
InspectedRun inspectRun(const std::string& folder) {
  InspectedRun run;
  run.folder = folder;
  run.checkpoints = train::savedSteps(folder);
  if (const auto read = readInto(run, false); !read) run.error = read.error().message;
  return run;
}

Json lastOf(const train::Series* series) {
  return series != nullptr && !series->values.empty() ? Json(series->values.back()) : Json(nullptr);
}

Json runJson(const InspectedRun& run) {
  Json json = Json::object();
  json["folder"] = run.folder;
  json["error"] = orNull(run.error);
  json["name"] = run.record.name;
  json["state"] = run.killed() ? "killed" : std::string(train::toString(run.record.state));
  if (!run.error.empty()) json["state"] = nullptr;
  json["sentence"] = orNull(run.record.sentence);
  json["step"] = run.record.step;
  json["steps"] = run.record.steps;
  json["loss"] = lastOf(run.find("loss"));
  json["validation"] = lastOf(run.find("validation"));
  json["checkpoints"] = run.checkpoints;
  json["created"] = run.record.created;
  json["seed"] = run.record.seed;
  json["build"] = run.record.build;
  json["parent"] = orNull(run.record.parent);
  return json;
}

Json summaryJson(const train::Series& series) {
  Json json = Json::object();
  json["name"] = series.name;
  json["layer"] = series.layer < 0 ? Json(nullptr) : Json(series.layer);
  json["head"] = series.head < 0 ? Json(nullptr) : Json(series.head);
  json["count"] = series.values.size();
  json["first_step"] = series.steps.front();
  json["last_step"] = series.steps.back();
  json["first"] = series.values.front();
  json["last"] = series.values.back();
  // Also for a run that diverged: NaN is skipped.
  double least = std::numeric_limits<double>::infinity(), greatest = -least;
  for (const double value : series.values) {
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  json["least"] = least <= greatest ? Json(least) : Json(nullptr);
  json["greatest"] = least <= greatest ? Json(greatest) : Json(nullptr);
  return json;
}

Json fullJson(const InspectedRun& run) {
  Json json = runJson(run);
  json["note"] = run.record.note;
  json["series"] = Json::array();
  for (const train::Series& series : run.series)
    json["series"].push_back(summaryJson(series));
  json["events"] = Json::array();
  for (const train::RunEvent& event : run.events)
    json["events"].push_back(
        Json::object({{"step", event.step}, {"at", event.at}, {"kind", event.kind}, {"text", event.text}}));
  return json;
}

std::string stateDisplayText(const InspectedRun& run) {
  return run.killed() ? tr(N_("interrupted")) : std::string(train::toString(run.record.state));
}

std::string lastDisplayText(const train::Series* series) {
  return series != nullptr && !series->values.empty() ? displayText(series->values.back()) : std::string("-");
}

void printList(std::ostream& out, const std::vector<InspectedRun>& runs, const std::vector<std::string>& folders) {
  if (runs.empty()) {
    out << trf(N_("no runs below {}; `sepx train CONFIG.json --run DIR` creates one"),
               fmt::format("{}", fmt::join(folders, ", ")))
        << "\n";
    return;
  }
  std::size_t longest = 0;
  for (const InspectedRun& run : runs)
    longest = std::max(longest, printable(run.folder).size());
  for (const InspectedRun& run : runs) {
    if (!run.error.empty()) {
      out << fmt::format("{:<{}}  {}\n", printable(run.folder), longest, printable(run.error));
      continue;
    }
    const train::Series* const loss = run.find("loss");
    const std::string curve = loss != nullptr ? sparkLine(loss->values, kSparkWidth) : std::string();
    const std::string steps = fmt::format("{}/{}", run.record.step, run.record.steps);
    out << fmt::format("{:<{}}  {:<11} {:>15}  {} {:>10}  {} {:>10}  {}\n", printable(run.folder), longest,
                       stateDisplayText(run), steps, tr(N_("loss")), lastDisplayText(loss), tr(N_("validation")),
                       lastDisplayText(run.find("validation")), curve);
  }
}

void printSeries(std::ostream& out, const std::vector<train::Series>& all) {
  std::size_t longest = 0;
  for (const train::Series& series : all)
    longest = std::max(longest, seriesName(series).size());
  for (const train::Series& series : all)
    out << fmt::format("  {:<{}}  {:>8}  {:>11} -> {:<11}  {}\n", seriesName(series), longest, series.values.size(),
                       displayText(series.values.front()), displayText(series.values.back()),
                       sparkLine(series.values, kSparkWidth));
}

void printRun(std::ostream& out, const InspectedRun& run) {
  const train::RunRecord& record = run.record;
  const auto row = [&out](const char* name, const std::string& value) {
    if (!value.empty()) out << fmt::format("{:<14}{}\n", tr(name), value);
  };
  row(N_("run"), printable(run.folder));
  row(N_("name"), record.name);
  row(N_("note"), record.note);
  row(N_("state"), run.killed()
                       ? trf(N_("interrupted at step {}; `sepx train {} --run {} --resume` continues from the newest "
                                "checkpoint"),
                             record.step, run.folder + "/config.json", run.folder)
                       : stateDisplayText(run));
  row(N_("reason"), record.sentence);
  row(N_("steps"), trf(N_("{} of {}"), record.step, record.steps));
  row(N_("started"), record.created);
  row(N_("branch of"), record.parent);
  row(N_("seed"), fmt::format("{}", record.seed));
  row(N_("built by"), record.build);
  row(N_("checkpoints"), run.checkpoints.empty() ? tr(N_("none")) : fmt::format("{}", fmt::join(run.checkpoints, " ")));
  if (!run.series.empty()) {
    out << "\n" << tr(N_("metrics, number of values, first and last value")) << "\n";
    printSeries(out, run.series);
  }
  if (!run.events.empty()) out << "\n" << tr(N_("events")) << "\n";
  for (const train::RunEvent& event : run.events)
    out << fmt::format("  {:>10}  {}  {}  {}\n", event.step, event.at, event.kind, event.text);
}

class RunsVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    addOption(command, "action", action_,
              N_("list: the runs below the folders; show: one run in full; export: its metrics or a checkpoint"),
              "list|show|export")
        ->required();
    addOption(command, "folders", folders_, N_("runs, or folders with runs (list: default the runs folder)"), "DIR");
    addOption(command, "--metrics", metrics_, N_("export: only these metrics (default all), such as loss,validation"),
              "NAME,…");
    addOption(command, "--checkpoint", step_,
              N_("export: this saved step, or the latest, as a folder that Hugging Face opens"), "STEP|latest");
    addOption(command, "--format", format_,
              N_("export: csv (default), or tensorboard: an event file for each run, below the folder --out"),
              "csv|tensorboard");
    addOption(
        command, "--out", out_,
        N_("export: the CSV file (default standard output), the folder of the event files, or the new folder of a "
           "checkpoint"),
        "FILE|DIR");
    addJsonFlag(command, json_);
  }

  Result<Outcome> run(Console& console, const Options&) override {
    if (action_ != "export" && !(metrics_.empty() && step_.empty() && out_.empty() && format_.empty()))
      return fail(ErrorKind::Usage, tr(N_("--metrics, --format, --checkpoint and --out belong to `sepx runs export`")));
    if (action_ == "list") return list(console);
    if (action_ == "show") return show(console);
    if (action_ == "export") return exportRun(console);
    return failf(ErrorKind::Usage, N_("runs: '{}' is not list, show or export"), action_);
  }

 private:
  Json begin() const {
    Json json = beginDocument("runs");
    json["action"] = action_;
    return json;
  }

  Result<Outcome> list(Console& console) {
    std::vector<InspectedRun> runs;
    std::vector<std::string> folders = folders_;
    if (folders.empty()) folders.push_back(train::defaultRunsFolder());
    for (const std::string& folder : folders) {
      std::error_code error;
      if (!folders_.empty() && !std::filesystem::is_directory(folder, error))
        return failf(ErrorKind::BadInput, N_("{}: is not a folder"), folder);
      for (const std::string& one : train::findRuns(folder))
        runs.push_back(inspectRun(one));
    }
    if (!json_) {
      printList(console.out, runs, folders);
      return Outcome::Done;
    }
    Json json = begin();
    json["runs"] = Json::array();
    for (const InspectedRun& one : runs)
      json["runs"].push_back(runJson(one));
    console.out << finishDocument(std::move(json));
    return Outcome::Done;
  }

  Result<Outcome> show(Console& console) {
    if (folders_.empty())
      return fail(ErrorKind::Usage, tr(N_("runs show: name the folder of a run; `sepx runs list` finds them")));
    std::vector<InspectedRun> runs;
    for (const std::string& folder : folders_) {
      InspectedRun& one = runs.emplace_back();
      one.folder = folder;
      one.checkpoints = train::savedSteps(folder);
      SEPX_TRY(readInto(one, true));
    }
    if (json_) {
      Json json = begin();
      json["runs"] = Json::array();
      for (const InspectedRun& one : runs)
        json["runs"].push_back(fullJson(one));
      console.out << finishDocument(std::move(json));
      return Outcome::Done;
    }
    for (const InspectedRun& one : runs) {
      if (&one != &runs.front()) console.out << "\n";
      printRun(console.out, one);
    }
    return Outcome::Done;
  }

  Result<Outcome> exportRun(Console& console) {
    if (!format_.empty() && format_ != "csv" && format_ != "tensorboard")
      return failf(ErrorKind::Usage, N_("--format: '{}' is not csv or tensorboard"), format_);
    if (!format_.empty() && !step_.empty())
      return fail(ErrorKind::Usage, tr(N_("--format and --checkpoint are two exports; leave one out")));
    if (format_ == "tensorboard") return exportEvents(console);
    if (folders_.size() != 1) return fail(ErrorKind::Usage, tr(N_("runs export: name the folder of one run")));
    return step_.empty() ? exportMetrics(console) : exportCheckpoint(console);
  }

  Result<std::vector<train::Series>> wantedSeries(const std::string& folder) const {
    SEPX_ASSIGN(const auto reader, train::RunReader::open(folder));
    if (metrics_.empty()) return reader->series();
    std::vector<train::Series> all;
    for (const std::string& name : toWords(metrics_)) {
      auto series = reader->series(name);
      if (!series) return series;
      if (name.empty() || series->empty())
        return failf(ErrorKind::Usage, N_("--metrics: the run in {} has no metric '{}'; `sepx runs show` lists them"),
                     folder, name);
      std::move(series->begin(), series->end(), std::back_inserter(all));
    }
    return all;
  }

  Result<Outcome> exportMetrics(Console& console) const {
    if (json_ && !out_.empty())
      return fail(ErrorKind::Usage, tr(N_("--json prints the metrics, --out writes them as CSV; leave one out")));
    SEPX_ASSIGN(const auto series, wantedSeries(folders_.front()));
    if (json_) {
      Json json = begin();
      json["folder"] = folders_.front();
      json["series"] = Json::array();
      for (const train::Series& one : series) {
        Json row = summaryJson(one);
        row["steps"] = one.steps;
        row["values"] = one.values;
        json["series"].push_back(std::move(row));
      }
      console.out << finishDocument(std::move(json));
      return Outcome::Done;
    }
    if (out_.empty() || out_ == "-") {
      metricsCsv(series, [&console](std::string_view piece) { return static_cast<bool>(console.out << piece); });
      return Outcome::Done;
    }
    SEPX_TRY(protectInputs("--out", out_, folders_));
    SEPX_ASSIGN(const auto file, FileWriter::begin(out_));
    Result<void> written;
    metricsCsv(series, [&](std::string_view piece) {
      written = file->write(piece);
      return written.has_value();
    });
    if (written) written = file->commit();
    if (!written) return tl::unexpected(written.error());
    return Outcome::Done;
  }

  Result<Outcome> exportEvents(Console& console) const {
    if (folders_.empty()) return fail(ErrorKind::Usage, tr(N_("runs export: name the folders of the runs")));
    if (out_.empty())
      return fail(ErrorKind::Usage, tr(N_("--format tensorboard needs --out, the folder for tensorboard --logdir")));
    SEPX_ASSIGN(const auto names, namesOfRuns(folders_));
    Json json = begin();
    json["format"] = "tensorboard";
    json["out"] = out_;
    json["files"] = Json::array();
    std::string text;
    for (std::size_t i = 0; i < folders_.size(); ++i) {
      SEPX_ASSIGN(const auto series, wantedSeries(folders_[i]));
      SEPX_ASSIGN(const auto written, writeEventFile(folders_[i], series, out_ + "/" + names[i], folders_));
      Json row = Json::object();
      row["folder"] = folders_[i];
      row["file"] = written.file;
      row["events"] = written.count.events;
      row["values"] = written.count.values;
      row["tags"] = written.tags;
      json["files"].push_back(std::move(row));
      text += written.file + "\n";
    }
    console.out << (json_ ? finishDocument(std::move(json)) : text);
    return Outcome::Done;
  }

  Result<Outcome> exportCheckpoint(Console& console) const {
    const std::string& folder = folders_.front();
    if (!metrics_.empty())
      return fail(ErrorKind::Usage, tr(N_("--metrics and --checkpoint are two exports; leave one out")));
    if (out_.empty()) return fail(ErrorKind::Usage, tr(N_("--checkpoint needs --out, the folder to create")));
    const std::vector<std::int64_t> saved = train::savedSteps(folder);
    if (saved.empty()) return failf(ErrorKind::BadInput, N_("{}: has no checkpoints"), folder);
    std::int64_t step = saved.back();
    if (step_ != "latest") {
      SEPX_ASSIGN(step, toInteger("--checkpoint", step_, 0, 1'000'000'000'000'000));
    }
    if (std::find(saved.begin(), saved.end(), step) == saved.end())
      return failf(ErrorKind::Usage,
                   N_("--checkpoint: {} has no checkpoint of step {}; it has checkpoints of steps {}"), folder, step,
                   fmt::format("{}", fmt::join(saved, ", ")));
    SEPX_TRY(copyModel(train::checkpointFolder(folder, step), out_));
    SEPX_ASSIGN(const auto exported, checkpoint::Checkpoint::open(out_));
    const std::string deviation = trainedNotes(*exported).deviation;
    if (!json_) {
      if (!deviation.empty()) console.out << fmt::format("{:<14}{}\n", tr(N_("note")), deviation);
      return Outcome::Done;
    }
    Json json = begin();
    json["folder"] = folder;
    json["step"] = step;
    json["out"] = out_;
    json["deviation"] = orNull(deviation);
    console.out << finishDocument(std::move(json));
    return Outcome::Done;
  }

  std::string action_, metrics_, format_, step_, out_;
  std::vector<std::string> folders_;
  bool json_ = false;
};

}  // namespace

VerbEntry makeRuns() {
  return {"runs", N_("Runs on this machine: configuration, metrics and checkpoints"), std::make_unique<RunsVerb>(),
          kReadsOnly};
}

}  // namespace sepx::app::cli
