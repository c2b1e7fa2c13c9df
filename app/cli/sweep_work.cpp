// SPDX-License-Identifier: Apache-2.0
// See sweep_work.h.
#include "app/cli/sweep_work.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <thread>

#include "app/cli/text.h"
#include "app/cli/values.h"
#include "app/interrupts.h"
#include "app/options.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"
#include "engine/train/trainer.h"

extern char** environ;

namespace fs = std::filesystem;

namespace sepx::app::cli {

namespace {

using sweep::SweepFolder;
using sweep::SweepRun;

constexpr std::chrono::milliseconds kLook{100};
constexpr std::chrono::seconds kOthersEnd{10};
constexpr int kMostShards = 1'000'000;

/// A whole number from the environment; empty optional if the variable is not set.
Result<std::optional<int>> numberIn(const char* name) {
  const char* const text = std::getenv(name);
  if (!text || *text == '\0') return std::optional<int>();
  SEPX_ASSIGN(const long long value, toInteger(name, text, 0, kMostShards));
  return std::optional(static_cast<int>(value));
}

/// The shard of a task of an array job. Task numbers need not begin at 0.
Result<std::optional<Shard>> slurmShard() {
  SEPX_ASSIGN(const auto id, numberIn("SLURM_ARRAY_TASK_ID"));
  if (!id) return std::optional<Shard>();
  SEPX_ASSIGN(const auto count, numberIn("SLURM_ARRAY_TASK_COUNT"));
  SEPX_ASSIGN(const auto first, numberIn("SLURM_ARRAY_TASK_MIN"));
  const int index = *id - first.value_or(0);
  if (!count || *count < 1 || index < 0 || index >= *count)
    return failf(ErrorKind::Usage,
                 N_("SLURM_ARRAY_TASK_ID is {}, but SLURM_ARRAY_TASK_COUNT and _MIN do not give the number of tasks; "
                    "number the tasks without gaps (--array=0-7), or give --shard I/N"),
                 *id);
  return std::optional(Shard{index, *count});
}

Result<std::optional<Shard>> mpiShard() {
  SEPX_ASSIGN(const auto rank, numberIn("OMPI_COMM_WORLD_RANK"));
  SEPX_ASSIGN(const auto size, numberIn("OMPI_COMM_WORLD_SIZE"));
  if (!rank || !size || *size < 1 || *rank >= *size) return std::optional<Shard>();
  return std::optional(Shard{*rank, *size});
}

/// The shard of an MPI rank in a task of an array job.
Result<Shard> shardOfBoth(Shard array, Shard rank) {
  const std::int64_t count = std::int64_t{array.count} * rank.count;
  if (count > kMostShards)
    return failf(
        ErrorKind::Usage,
        N_("SLURM_ARRAY_TASK_COUNT is {} and OMPI_COMM_WORLD_SIZE is {}, which makes more than {} shares; start "
           "fewer tasks, or give --shard I/N"),
        array.count, rank.count, kMostShards);
  return Shard{array.index * rank.count + rank.index, static_cast<int>(count)};
}

/// Trains one run to its end. An error of kind Interrupted ends the shard; another error ends the run only, if its
/// reason can be written.
Result<void> trainRun(const SweepFolder& folder, const SweepRun& run, sweep::Claim& claim, int threads,
                      const Interrupts& interrupt) {
  train::TrainerOptions options;
  options.folder = folder.runFolder(run.name);
  options.threads = threads;
  options.background = false;
  options.build = version();
  options.held = [&claim] { return claim.held(); };
  std::error_code ignored;
  // Nothing of an existing run is removed. The trainer resumes it, even if it was killed before its first checkpoint,
  // or reports why it cannot.
  options.resume = fs::exists(options.folder + "/run.sqlite", ignored);
  SEPX_ASSIGN(const std::unique_ptr<train::Trainer> trainer, train::Trainer::start(run.config, options));
  bool stopping = false;
  while (!trainer->waitFor(kLook)) {
    if (interrupt.seen() && !stopping) stopping = trainer->send({train::CommandKind::Stop, 0, {}});
    trainer->refresh();
  }
  return trainer->finish();
}

}  // namespace

Result<Shard> shardOf(const std::string& text) {
  if (text.empty()) {
    SEPX_ASSIGN(const std::optional<Shard> array, slurmShard());
    SEPX_ASSIGN(const std::optional<Shard> rank, mpiShard());
    if (array && rank) return shardOfBoth(*array, *rank);
    return array ? *array : rank.value_or(Shard{});
  }
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    return failf(ErrorKind::Usage, N_("--shard takes I/N, the share I of N counted from 0; got '{}'"), text);
  SEPX_ASSIGN(const long long count, toInteger("--shard", text.substr(slash + 1), 1, kMostShards));
  SEPX_ASSIGN(const long long index, toInteger("--shard", text.substr(0, slash), 0, count - 1));
  return Shard{static_cast<int>(index), static_cast<int>(count)};
}

namespace {

/// The work on one shard.
class ShardWork {
 public:
  ShardWork(Console& console, const SweepFolder& folder, int threads)
      : console_(console), folder_(folder), threads_(threads) {}

  /// Trains one run. False if another process trains it now.
  Result<bool> train(const SweepRun& run) {
    if (interrupt_.seen())
      return failf(ErrorKind::Interrupted, N_("interrupted before {}; run the command again to continue"), run.name);
    if (finishedBefore(run)) return true;
    SEPX_ASSIGN(const std::unique_ptr<sweep::Claim> claim, folder_.claims().take(run.name));
    if (!claim) return false;
    if (finishedBefore(run)) {  // by the process that had the claim until now
      claim->finish();
      return true;
    }
    SEPX_TRY(folder_.setFailure(run.name, {}));
    const Result<void> ended = trainRun(folder_, run, *claim, threads_, interrupt_);
    if (!claim->held()) return false;
    if (ended) {
      claim->finish();
      ++outcome.finished;
      say(trf(N_("{}: finished, {}"), run.name, run.config.name));
      return true;
    }
    const Error& error = ended.error();
    if (error.kind == ErrorKind::Interrupted)
      return failf(ErrorKind::Interrupted, N_("interrupted; {} is saved; run the command again to continue"), run.name);
    const std::string sentence = folder_.within(error.message);
    say(trf(N_("{}: failed: {}"), run.name, sentence));
    // If not even the reason can be written, the disk is full and the shard cannot continue.
    if (const auto written = folder_.setFailure(run.name, sentence); !written)
      return tl::unexpected(error.kind == ErrorKind::OutputFailed ? error : written.error());
    outcome.failed.push_back({run.name, sweep::RunProgress::Failed, 0, run.config.schedule.steps, sentence});
    return true;
  }

  /// Tries again the runs that other processes held at first. A job that was stopped just before may still be saving.
  Result<void> again(std::vector<const SweepRun*> held) {
    const auto begin = std::chrono::steady_clock::now();
    while (!held.empty()) {
      const bool late = std::chrono::steady_clock::now() - begin >= kOthersEnd;
      std::erase_if(held, [&](const SweepRun* run) { return leaves(*run, late); });
      if (held.empty()) break;
      std::this_thread::sleep_for(kLook);
      std::vector<const SweepRun*> still;
      for (const SweepRun* const run : held) {
        SEPX_ASSIGN(const bool mine, train(*run));
        if (!mine) still.push_back(run);
      }
      held = std::move(still);
    }
    return {};
  }

  SweepOutcome outcome;

 private:
  /// Whether the run is left to its owner, because it is `late` or its state cannot be determined.
  bool leaves(const SweepRun& run, bool late) {
    const sweep::RunStatus status = folder_.status(run.name);
    const bool trained = status.progress == sweep::RunProgress::Training;
    if (!late && status.progress != sweep::RunProgress::Unknown) return false;
    outcome.left.push_back(status);
    say(trained ? trf(N_("{}: is being trained by {}; skipped"), run.name, status.sentence)
                : trf(N_("{}: skipped: {}"), run.name, status.sentence));
    return true;
  }

  /// Reports the outcome of a run while others continue.
  void say(const std::string& sentence) { console_.err << "sepx: " << printableSentence(sentence) << "\n"; }
  bool finishedBefore(const SweepRun& run) {
    const bool finished = folder_.status(run.name).progress == sweep::RunProgress::Finished;
    if (finished) ++outcome.before;
    return finished;
  }

  Console& console_;
  const SweepFolder& folder_;
  const int threads_;
  const Interrupts interrupt_{true};
};

}  // namespace

Result<SweepOutcome> trainShard(Console& console, const SweepFolder& folder, const sweep::Sweep& sweep, Shard shard,
                                int threads) {
  ShardWork work(console, folder, threads);
  std::vector<const SweepRun*> held;
  for (std::size_t i = 0; i < sweep.runs.size(); ++i) {
    if (!shard.has(i)) continue;
    SEPX_ASSIGN(const bool mine, work.train(sweep.runs[i]));
    if (!mine) held.push_back(&sweep.runs[i]);
  }
  SEPX_TRY(work.again(std::move(held)));
  return std::move(work.outcome);
}

Result<int> runWorkers(const std::vector<std::string>& arguments, Shard shard, int workers, int threads) {
  if (std::int64_t{shard.count} * workers > kMostShards)
    return failf(ErrorKind::Usage,
                 N_("{} shares with {} workers each make more than {} shares; lower --workers, or N of --shard"),
                 shard.count, workers, kMostShards);
  const Interrupts interrupt{true};
  std::vector<pid_t> children;
  for (int worker = 0; worker < workers; ++worker) {
    std::vector<std::string> words = arguments;
    words.insert(words.end(),
                 {"--shard", fmt::format("{}/{}", shard.index + shard.count * worker, shard.count * workers),
                  "--threads", std::to_string(threads)});
    std::vector<char*> argv;
    for (std::string& word : words)
      argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t child = 0;
    if (const int error = posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, argv.data(), environ); error != 0) {
      for (const pid_t started : children)
        kill(started, SIGINT);
      return failf(ErrorKind::OutputFailed, N_("worker {} cannot be started: {}"), worker, std::strerror(error));
    }
    children.push_back(child);
  }
  int failures = 0;
  bool told = false;
  while (!children.empty()) {
    if (interrupt.seen() && !told) {
      for (const pid_t child : children)
        kill(child, SIGINT);
      told = true;
    }
    for (auto child = children.begin(); child != children.end();) {
      int status = 0;
      const pid_t ended = waitpid(*child, &status, WNOHANG);
      if (ended == 0 || (ended < 0 && errno == EINTR)) {
        ++child;
        continue;
      }
      failures += ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 1;
      child = children.erase(child);
    }
    if (!children.empty()) std::this_thread::sleep_for(kLook);
  }
  if (told)
    return failf(ErrorKind::Interrupted,
                 N_("interrupted; the training done so far is saved; run the command again to continue"));
  return failures;
}

}  // namespace sepx::app::cli
