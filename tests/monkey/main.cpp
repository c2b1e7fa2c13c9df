// SPDX-License-Identifier: Apache-2.0
// monkey: random walks through the program (README.md).
//
//   monkey walk FIRST COUNT [STEPS [OUT]]   plays COUNT walks from the seed FIRST; shortens and keeps those that fail
//   monkey hours HOURS [OUT]                plays walks with new seeds for this time
//   monkey play SCRIPT [FOLDER]             plays one script in this process, so that a debugger can be attached
//   monkey found FOLDER                     plays every script of a folder, each in its own process
//   monkey write SEED [STEPS]               prints a walk
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/core/file.h"
#include "tests/folders.h"
#include "tests/monkey/child.h"
#include "tests/monkey/files.h"
#include "tests/monkey/play.h"
#include "tests/monkey/shorten.h"
#include "tests/monkey/vocabulary.h"
#include "tests/monkey/walk.h"

namespace {

using namespace sepx;
using namespace sepx::monkey;
namespace fs = std::filesystem;

constexpr int kSteps = 60;
constexpr int kTrials = 160;        // for shortening one script
constexpr int kEachThenBySepx = 4;  // `sepx play` also plays one of this many walks

std::string self() {
  return fs::read_symlink("/proc/self/exe").string();
}

std::string outFolder(const std::vector<std::string>& arguments, std::size_t at) {
  return at < arguments.size() ? fs::absolute(arguments[at]).string() : tests::buildFolder() + "/../monkey";
}

/// Empties the folder and creates the files of a walk.
void makeFresh(const std::string& folder) {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  fs::create_directories(folder);
  writeFiles(folder);
}

Outcome playApart(const std::string& script, const std::string& folder) {
  makeFresh(folder);
  return runChild({self(), "play", fs::absolute(script).string(), folder}, folder);
}

/// Plays the same script with the program itself, strictly in the order of its frames. A job that takes a minute ends a
/// step here, which is not a failure of a step that begins with `try`.
Outcome playBySepx(const std::string& script, const std::string& folder) {
  makeFresh(folder);
  return runChild({tests::binFolder() + "/sepx", "play", fs::absolute(script).string(), "--size",
                   fmt::format("{}x{}", kWidth, kHeight), "--out-dir", folder},
                  folder, {.silentSeconds = 3600});
}

std::string nameOf(std::uint64_t seed, const std::string& out) {
  return fmt::format("{}/failures/seed-{}.script", out, seed);
}

void write(const std::string& path, const std::string& text) {
  fs::create_directories(fs::path(path).parent_path());
  if (!writeFile(path, text)) std::cerr << "monkey: " << path << " cannot be written\n";
}

/// Shortens the script and writes it with its message.
void keep(std::uint64_t seed, const Lines& lines, const Outcome& outcome, bool bySepx, const std::string& out) {
  const std::string folder = out + "/shorten", trial = out + "/trial.script", path = nameOf(seed, out);
  write(out + fmt::format("/failures/seed-{}.whole.script", seed), scriptOf(lines));
  Lines begun = lines;
  if (outcome.step > 0) begun.resize(std::min(begun.size(), static_cast<std::size_t>(outcome.step)));
  const auto fails = [&](const Lines& some) {
    write(trial, scriptOf(some));
    return (bySepx ? playBySepx(trial, folder) : playApart(trial, folder)).signature == outcome.signature;
  };
  if (!fails(begun)) begun = lines;
  const Lines least = shortened(begun, fails, kTrials);
  write(path, fmt::format("# seed {}: {}\n{}", seed, outcome.sentence, scriptOf(least)));
  std::cout << fmt::format("  shortened from {} to {} lines: {}\n  again: {} play {}\n", lines.size(), least.size(),
                           path, self(), path)
            << std::flush;
}

/// Whether the walk passed.
bool walkOne(std::uint64_t seed, int steps, const Vocabulary& words, const std::string& out) {
  const Lines lines = makeWalk(seed, steps, words);
  const std::string script = out + fmt::format("/walks/seed-{}.script", seed), folder = out + "/play";
  write(script, scriptOf(lines));
  const auto begun = std::chrono::steady_clock::now();
  Outcome outcome = playApart(script, folder);
  bool bySepx = false;
  if (outcome.passed && seed % kEachThenBySepx == 0) {
    const bool compared = outcome.compared;
    outcome = playBySepx(script, folder);
    outcome.compared = compared;
    bySepx = true;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  std::cout << fmt::format("seed {}: {}{}{} ({:.1f} s, {} MB)\n", seed, outcome.passed ? "passed" : outcome.sentence,
                           outcome.compared ? "" : ", pictures not compared: work went on, or something was played",
                           bySepx && !outcome.passed ? " by sepx play" : "", took.count(), outcome.peakMb)
            << std::flush;
  if (!outcome.passed) {
    if (outcome.step > 0) std::cout << fmt::format("  at: {}\n", lines[static_cast<std::size_t>(outcome.step - 1)]);
    keep(seed, lines, outcome, bySepx, out);
  }
  return outcome.passed;
}

int walk(std::uint64_t first, std::uint64_t count, int steps, const std::string& out) {
  const Vocabulary words = makeVocabulary(fileNames());
  std::uint64_t failed = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed)
    failed += walkOne(seed, steps, words, out) ? 0 : 1;
  std::cout << fmt::format("{} of {} walks passed\n", count - failed, count);
  return failed == 0 ? 0 : 1;
}

/// Plays walks with seeds that no earlier campaign had, because they start from the time.
int hours(double hours, const std::string& out) {
  using Clock = std::chrono::system_clock;
  const auto end = Clock::now() + std::chrono::duration<double, std::ratio<3600>>(hours);
  const Vocabulary words = makeVocabulary(fileNames());
  auto seed = static_cast<std::uint64_t>(
                  std::chrono::duration_cast<std::chrono::seconds>(Clock::now().time_since_epoch()).count()) *
              1000;
  int walks = 0, failed = 0;
  for (; Clock::now() < end; ++seed, ++walks)
    failed += walkOne(seed, kSteps, words, out) ? 0 : 1;
  std::cout << fmt::format("{} of {} walks passed\n", walks - failed, walks);
  return failed == 0 ? 0 : 1;
}

int play(const std::string& script, std::string folder) {
  if (folder.empty()) {
    folder = fs::temp_directory_path() / fmt::format("monkey-{}", ::getpid());
    makeFresh(folder);
  }
  const std::string path = fs::absolute(script);
  fs::create_directories(folder);
  fs::current_path(folder);
  const Result<bool> done = playWalk(path, folder, [](int step) { std::cout << "@" << step << "\n" << std::flush; });
  if (done && !*done) std::cout << "uncompared\n" << std::flush;
  if (done) return 0;
  std::cerr << "monkey: " << done.error().message << "\n";
  return 1;
}

int found(const std::string& folder) {
  std::vector<std::string> scripts;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".script") scripts.push_back(entry.path().string());
  std::sort(scripts.begin(), scripts.end());
  int failed = 0;
  for (const std::string& script : scripts) {
    const Outcome outcome = playApart(script, tests::buildFolder() + "/tests/monkey_found");
    std::cout << fmt::format("{}: {}\n", script, outcome.passed ? "passed" : outcome.sentence) << std::flush;
    failed += outcome.passed ? 0 : 1;
  }
  return failed == 0 ? 0 : 1;
}

int usage() {
  std::cerr << "monkey walk FIRST COUNT [STEPS [OUT]] | hours HOURS [OUT] | play SCRIPT [FOLDER] | found FOLDER | "
               "write SEED [STEPS]\n";
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> all(argv + 1, argv + argc);
  const auto number = [&](std::size_t at, std::uint64_t otherwise) {
    return at < all.size() ? std::strtoull(all[at].c_str(), nullptr, 10) : otherwise;
  };
  if (all.size() < 2) return usage();
  if (all[0] == "walk" && all.size() >= 3)
    return walk(number(1, 0), number(2, 1), static_cast<int>(number(3, kSteps)), outFolder(all, 4));
  if (all[0] == "hours") return hours(std::strtod(all[1].c_str(), nullptr), outFolder(all, 2));
  if (all[0] == "play") return play(all[1], all.size() > 2 ? all[2] : std::string());
  if (all[0] == "found") return found(all[1]);
  if (all[0] == "write") {
    std::cout << scriptOf(makeWalk(number(1, 0), static_cast<int>(number(2, kSteps)), makeVocabulary(fileNames())));
    return 0;
  }
  return usage();
}
