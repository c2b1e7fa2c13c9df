// SPDX-License-Identifier: Apache-2.0
// sepx train: trains a run from its config until it ends or until Ctrl-C, which saves it, and prints the results next
// to the bounds of the theory. The trainer's thread does the work; this thread watches it.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/json_out.h"
#include "app/cli/label_table.h"
#include "app/cli/text.h"
#include "app/cli/train_config.h"
#include "app/cli/train_progress.h"
#include "app/cli/values.h"
#include "app/cli/verb.h"
#include "app/interrupts.h"
#include "app/options.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"
#include "engine/mpi/mpi_session.h"
#include "engine/train/follower.h"
#include "engine/train/run_config.h"
#include "engine/train/run_store.h"
#include "engine/train/trainer.h"

namespace sepx::app::cli {
namespace {

struct Branch {
  std::string run;
  std::int64_t step = 0;
};

/// "runs/first@500"
Result<Branch> toBranch(const std::string& text) {
  const std::size_t at = text.rfind('@');
  if (at == std::string::npos || at == 0)
    return failf(ErrorKind::Usage, N_("--branch takes RUN@STEP, a run's folder and one of its saved steps; got '{}'"),
                 text);
  SEPX_ASSIGN(const long long step, toInteger("--branch", text.substr(at + 1), 0, 1'000'000'000'000'000));
  return Branch{text.substr(0, at), step};
}

class TrainVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    command_ = &command;
    addOption(command, "config", config_,
              N_("what to train: a file (docs/training.md describes every field) or a name from --list"),
              "CONFIG.json");
    addOption(command, "--run", run_,
              N_("folder of the run: metrics in run.sqlite, checkpoints that Hugging Face opens"), "DIR");
    addOption(command, "--steps", steps_,
              N_("the last step, in place of schedule.steps; counted from the start of the run or, for a branch, from "
                 "the start of its parent"),
              "N");
    addFlag(command, "--resume", resume_, N_("continue from the newest checkpoint of DIR, bit for bit"));
    addOption(command, "--branch", branch_,
              N_("start a new run from a saved step of another run; the config may have another learning rate, "
                 "schedule or data"),
              "RUN@STEP");
    addFlag(
        command, "--mpi", mpi_,
        N_("run as one of the processes that mpirun started, which divide every batch among themselves (docs/cluster.md)"));
    addFlag(command, "--list", list_, N_("the configs that ship with the program, and what they show"));
    addJsonFlag(command, json_);
    command.footer(
        tr(N_("Ctrl-C saves and exits with status 5; --resume continues. --threads N: CPU threads (default all); "
              "--seed N: replaces the seed of the config, and the seed of its data if the two are equal.")));
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    if (list_) return printList(console);
    if (mpi_) return runShared(console, common);
    SEPX_ASSIGN(const Task task, readTask(common));
    const Interrupts interrupt{true};
    SEPX_TRY(train(console, task, interrupt));
    return Outcome::Done;
  }

 private:
  /// What the arguments and the config specify.
  struct Task {
    train::RunConfig config;
    train::TrainerOptions options;
    std::optional<Branch> branch;
    int ranks = 1;
  };

  Result<Task> readTask(const Options& common) const {
    if (config_.empty()) return failf(ErrorKind::Usage, N_("name a config file, or one of those that --list prints"));
    if (run_.empty()) return failf(ErrorKind::Usage, N_("--run must name the folder of the run"));
    Task task;
    SEPX_ASSIGN(task.config, readConfig(config_));
    if (command_->get_parent()->count("--seed") > 0) setSeed(task.config, common.seed);
    task.options.folder = run_;
    task.options.resume = resume_;
    task.options.threads = common.threads;
    task.options.background = false;
    task.options.build = version();
    if (!steps_.empty()) {
      SEPX_ASSIGN(task.options.steps, toInteger("--steps", steps_, 1, 1'000'000'000'000'000));
    }
    if (branch_.empty()) return task;
    if (resume_)
      return failf(ErrorKind::Usage, N_("--branch starts a new run and --resume continues one; give only one of them"));
    SEPX_ASSIGN(task.branch, toBranch(branch_));
    return task;
  }

  /// Rank 0 trains, saves and reports. The other ranks compute their part without output.
  Result<Outcome> runShared(Console& console, const Options& common) {
    // mpirun kills a process that has not ended one second after the request to end.
    constexpr std::chrono::milliseconds kPatience{250}, kPatienceOfFollower{500};
    SEPX_ASSIGN(const std::unique_ptr<mpi::Session> session, mpi::Session::start());
    train::ProcessGroup& group = session->group();
    const Interrupts interrupt{true};
    const bool first = group.rank() == 0;
    group.onStop([&interrupt] { return interrupt.seen(); }, first ? kPatience : kPatienceOfFollower);
    Result<Task> task = readTask(common);
    Result<void> ready = task ? train::check(task->config) : tl::unexpected(task.error());
    ready = train::agree(group, ready);
    if (!ready && first) return tl::unexpected(ready.error());
    if (!ready) return Outcome::Done;
    if (task->options.threads == 0) task->options.threads = session->cores();
    if (!first) return followShared(group, *task, interrupt);
    task->options.group = &group;
    task->ranks = group.size();
    SEPX_TRY(train(console, *task, interrupt));
    return Outcome::Done;
  }

  /// Rank 0 reports why the run ended. If rank 0 itself does not answer, rank 1 reports that.
  Result<Outcome> followShared(train::ProcessGroup& group, const Task& task, const Interrupts& interrupt) const {
    static_cast<void>(
        train::follow(task.config, group, task.options.threads, [&interrupt] { return interrupt.seen(); }));
    if (!group.broken() || group.rank() != 1) return Outcome::Done;
    return failf(ErrorKind::Interrupted,
                 N_("{}: rank 0 does not respond; if it has ended, --resume continues the run from its newest "
                    "checkpoint on any number of ranks"),
                 run_);
  }

  Result<void> train(Console& console, const Task& task, const Interrupts& interrupt) const {
    Result<std::unique_ptr<train::Trainer>> started = start(task);
    if (!started && task.options.group != nullptr) task.options.group->abandon();
    SEPX_ASSIGN(const std::unique_ptr<train::Trainer> trainer, std::move(started));
    SEPX_TRY(watch(console, *trainer, task.config, interrupt));
    trainer->refresh();
    if (json_) {
      console.out << finishDocument(document(trainer->latest(), task));
    } else {
      printTable(console.out, trainer->latest(), task.config);
    }
    return {};
  }

  Result<Outcome> printList(Console& console) const {
    Json json = beginDocument("train-list");
    json["configs"] = Json::array();
    for (const std::string& name : shippedConfigs()) {
      SEPX_ASSIGN(const train::RunConfig config, train::readRunConfig(configsFolder() + "/" + name + ".json"));
      json["configs"].push_back(Json::object(
          {{"config", name}, {"name", config.name}, {"steps", config.schedule.steps}, {"note", config.note}}));
      if (!json_) console.out << fmt::format("{:<56}{}\n", name, config.name);
    }
    if (json_) console.out << finishDocument(json);
    return Outcome::Done;
  }

  static void setSeed(train::RunConfig& config, std::uint64_t seed) {
    if (config.data.seed == config.seed) config.data.seed = seed;
    config.seed = seed;
  }

  static Result<std::unique_ptr<train::Trainer>> start(const Task& task) {
    if (!task.branch) return train::Trainer::start(task.config, task.options);
    return train::Trainer::branch(task.branch->run, task.branch->step, task.config, task.options);
  }

  /// Watches the trainer until the run has ended for any reason.
  Result<void> watch(Console& console, train::Trainer& trainer, const train::RunConfig& config,
                     const Interrupts& interrupt) const {
    constexpr std::chrono::milliseconds kLook{100};
    TrainProgress progress(console);
    bool stopping = false, told = false, noted = json_, noticed = false;
    const auto note = [&progress](const std::string& text, bool& once) {
      if (!once && !text.empty()) progress.say(trf(N_("note: {}"), text));
      once = once || !text.empty();
    };
    while (!trainer.waitFor(kLook)) {
      if (interrupt.seen()) {
        note(tr(N_("interrupted; the run is being saved. A second Ctrl-C ends it at once; what was not saved is lost")),
             told);
        if (!stopping) stopping = trainer.send({train::CommandKind::Stop, 0, {}});
      }
      if (!trainer.refresh()) continue;
      if (trainer.latest().state == train::RunState::Running) note(config.note, noted);
      note(trainer.latest().notice, noticed);
      progress.show(trainer.latest());
    }
    trainer.refresh();
    note(trainer.latest().notice, noticed);
    Result<void> ended = trainer.finish();
    if (ended) note(config.note, noted);  // the run ended before the first look
    return ended;
  }

  /// Last value of a metric of the whole model; NaN if it is not among the newest metrics.
  static double last(const train::Snapshot& end, std::string_view name) {
    const std::int32_t id = train::metricId(name);
    const auto found = std::find_if(end.metrics.rbegin(), end.metrics.rend(),
                                    [id](const train::Metric& one) { return one.name == id; });
    return found == end.metrics.rend() ? std::nan("") : found->value;
  }

  Json document(const train::Snapshot& end, const Task& task) const {
    const train::RunConfig& config = task.config;
    Json json = beginDocument("train");
    json["name"] = config.name;
    json["run"] = run_;
    json["note"] = config.note;
    json["parent"] = orNull(branch_);
    json["seed"] = config.seed;
    json["ranks"] = task.ranks;
    json["parameters"] = end.parameters;
    json["state"] = std::string(train::toString(end.state));
    json["sentence"] = orNull(end.sentence);
    json["step"] = end.step;
    json["steps"] = end.steps;
    json["loss"] = orNull(end.loss);
    const bool validated = std::isfinite(end.validation);
    json["validation"] = orNull(end.validation);
    json["validation_error"] = validated ? Json(end.validationError) : Json(nullptr);
    json["bounds"] = Json::array();
    for (const data::Bound& bound : end.bounds)
      json["bounds"].push_back(Json::object(
          {{"name", bound.name}, {"value", bound.value}, {"validation_above", orNull(end.validation - bound.value)}}));
    json["seconds_per_step"] = orNull(end.secondsPerStep);
    json["checkpoint"] = train::checkpointFolder(run_, end.savedStep);
    return json;
  }

  void printTable(std::ostream& out, const train::Snapshot& end, const train::RunConfig& config) const {
    LabelTable table;
    const auto row = [&table](const char* name, const std::string& value) { table.row(tr(name), value); };
    row(N_("run"), trf(N_("{}, {} of {} steps"), printable(config.name), end.step, end.steps));
    if (!end.sentence.empty()) row(N_("ended"), printable(end.sentence));
    row(N_("parameters"), fmt::format("{}", end.parameters));
    const nn::ObjectiveInfo& objective = nn::objectiveInfo(config.objective.kind);
    row(N_("objective"), fmt::format("{}: {}", objective.word, tr(objective.sentence)));
    const std::string unit = tr(objective.classifies                     ? N_("nats per image")
                                : objective.per == nn::LossPer::Sequence ? N_("nats per sequence")
                                                                         : N_("nats per token"));
    row(N_("loss"), std::isfinite(end.loss) ? displayText(end.loss) + " " + unit : std::string(tr(N_("none"))));
    const bool validated = std::isfinite(end.validation);
    row(N_("validation"),
        validated ? fmt::format("{} +- {} {}", displayText(end.validation), displayText(end.validationError), unit)
                  : std::string(tr(N_("never: schedule.evaluate_every is 0"))));
    for (const data::Bound& bound : end.bounds) {
      if (!validated) break;
      const double above = end.validation - bound.value;
      table.row(bound.name,
                ui::trEither(above < 0, N_("{} nats, validation is {} below"), N_("{} nats, validation is {} above"),
                             displayText(bound.value), displayText(std::abs(above))));
    }
    const double forward = last(end, "forward_accuracy"), reverse = last(end, "reverse_accuracy");
    if (std::isfinite(forward + reverse))
      row(N_("right answers"), trf(N_("forward {} %, reverse {} %; `sepx reversal eval` gives details"),
                                   displayText(100 * forward), displayText(100 * reverse)));
    if (const double accuracy = last(end, "accuracy"); std::isfinite(accuracy))
      row(N_("accuracy"), trf(N_("{} % of the validation images"), displayText(100 * accuracy)));
    if (end.secondsPerStep > 0) row(N_("time per step"), trf(N_("{} ms"), displayText(1000 * end.secondsPerStep)));
    row(N_("checkpoint"), printable(train::checkpointFolder(run_, end.savedStep)));
    table.print(out);
  }

  const CLI::App* command_ = nullptr;
  std::string config_, run_, steps_, branch_;
  bool resume_ = false, json_ = false, list_ = false, mpi_ = false;
};

}  // namespace

VerbEntry makeTrain() {
  return {"train", N_("Train a transformer from a config, resumable at any moment"), std::make_unique<TrainVerb>()};
}

}  // namespace sepx::app::cli
