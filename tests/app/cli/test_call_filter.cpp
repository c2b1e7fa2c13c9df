// SPDX-License-Identifier: Apache-2.0
// What a process with the system call filter can and cannot do. The filter cannot be removed, so each case runs in its
// own process.
#include "app/cli/call_filter.h"

#include <cerrno>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "app/cli/cli.h"
#include "app/cli/verb.h"
#include "tests/folders.h"
#include "tests/temporary_folder.h"

using sepx::app::cli::blockProgramsAndSockets;

namespace {

constexpr int kNoFilter = 77;

/// The exit status of `work` in its own process.
template <typename Work>
int inProcess(Work work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

template <typename Work>
int withFilter(Work work) {
  return inProcess([&work] { return blockProgramsAndSockets() ? work() : kNoFilter; });
}

bool filtersHere() {
  if (withFilter([] { return 0; }) == 0) return true;
  WARN("skipped: this system gives no filter of system calls");
  return false;
}

bool refused(long result) {
  return result == -1 && errno == EACCES;
}

bool forkRefused() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  return refused(child);
}

/// Example arguments for each verb that only reads.
std::map<std::string, std::vector<std::string>> readingExamples(const std::string& out) {
  const std::string models = sepx::tests::sourceFolder() + "/assets/models";
  const std::vector<std::string> sentence{models + "/arm", "--ids", "2,28"};
  std::map<std::string, std::vector<std::string>> examples{
      {"inspect", {models + "/encoder/model.safetensors"}},
      {"scores", {models + "/encoder/model.safetensors"}},
      {"compare", {models + "/encoder", models + "/decoder"}},
      {"tokens", {sepx::tests::sourceFolder() + "/tests/reference/tokenizer", "--text", "Hello,world"}},
      {"forward", sentence},
      {"score-parts", sentence},
      {"runs", {"list", models}},
      {"reversal", {"scores", models + "/mdm", "--mask", "53", "--tokens", "26,27,28,29,30,31"}},
      {"thumb", {models + "/encoder/model.safetensors", out}}};
  for (const char* one : {"--layer", "0", "--head", "0", "--query", "1", "--key", "0"})
    examples["score-parts"].emplace_back(one);
  return examples;
}

/// Runs `sepx arguments…` in its own process. 0 if it ends with 0 and the process cannot start another one afterwards.
int filteredAfter(std::vector<std::string> arguments) {
  return inProcess([&arguments] {
    std::ostringstream out, err;
    if (sepx::app::cli::runProcess(arguments, out, err, false) != 0) return 2;
    return forkRefused() ? 0 : 1;
  });
}

}  // namespace

TEST_CASE("A process with the filter cannot start programs or open sockets", "[cli]") {
  if (!filtersHere()) return;
  CHECK(withFilter([] { return refused(::socket(AF_INET, SOCK_STREAM, 0)) ? 0 : 1; }) == 0);
  CHECK(withFilter([] { return refused(::socket(AF_UNIX, SOCK_STREAM, 0)) ? 0 : 1; }) == 0);
  CHECK(withFilter([] { return refused(::execl("/bin/true", "true", nullptr)) ? 0 : 1; }) == 0);
  CHECK(withFilter([] { return forkRefused() ? 0 : 1; }) == 0);
}

TEST_CASE("A process with the filter can still map files and start threads", "[cli]") {
  if (!filtersHere()) return;
  CHECK(withFilter([] {
          const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
          const void* mapped = ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, file, 0);
          if (mapped == MAP_FAILED) return 1;
          bool ran = false;
          std::thread([&ran] { ran = true; }).join();
          return ran && static_cast<const char*>(mapped)[1] == 'E' ? 0 : 1;
        }) == 0);
}

TEST_CASE("Every verb that only reads gives up programs and sockets, and a verb that needs them does not", "[cli]") {
  if (!filtersHere()) return;
  const sepx::tests::TemporaryFolder folder;
  const auto examples = readingExamples(folder / "thumb.png");
  std::size_t seen = 0;
  for (const sepx::app::cli::VerbEntry& entry : sepx::app::cli::makeVerbs()) {
    if (!entry.readsOnly) continue;
    INFO("sepx " << entry.name);
    const auto example = examples.find(entry.name);
    REQUIRE(example != examples.end());
    std::vector<std::string> arguments{entry.name};
    arguments.insert(arguments.end(), example->second.begin(), example->second.end());
    CHECK(filteredAfter(arguments) == 0);
    ++seen;
  }
  CHECK(seen == examples.size());
  CHECK(filteredAfter({"theory", "counts", "--probabilities", "0.5,0.5", "--mask", "0.5"}) == 1);
}
