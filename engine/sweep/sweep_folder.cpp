// SPDX-License-Identifier: Apache-2.0
// See sweep_folder.h.
#include "engine/sweep/sweep_folder.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/core/file.h"
#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/train/run_store.h"

namespace sepx::sweep {

namespace fs = std::filesystem;

namespace {

std::string hostName() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

/// When the process began, in the kernel's ticks: a number that is used again for another process does not deceive.
std::string startOf(long pid) {
  const auto stat = readHead(fmt::format("/proc/{}/stat", pid), 4096);
  if (!stat) return {};
  const std::size_t end = stat->rfind(')');  // the name may have blanks
  if (end == std::string::npos) return {};
  constexpr int kField = 20;  // of those behind the name
  std::size_t at = end + 1;
  for (int i = 0; i < kField; ++i) {
    at = stat->find(' ', at);
    if (at == std::string::npos) return {};
    ++at;
  }
  return stat->substr(at, stat->find(' ', at) - at);
}

struct Holder {
  std::string host, start;
  long pid = 0;
};

std::optional<Holder> holderIn(const std::string& path) {
  const auto text = readHead(path, 4096);
  if (!text) return std::nullopt;
  const auto json = parseJson<nlohmann::json>(*text);
  if (!json || !json->is_object()) return Holder{};
  // A claim that was edited by hand is one of an unknown program: it counts until it is old.
  const auto textOf = [&json](const char* name) {
    const auto at = json->find(name);
    return at != json->end() && at->is_string() ? at->get<std::string>() : std::string();
  };
  Holder holder;
  holder.host = textOf("host");
  holder.start = textOf("start");
  if (const auto pid = json->find("pid"); pid != json->end() && pid->is_number_integer()) holder.pid = pid->get<long>();
  return holder;
}

std::string words(const Holder& holder) {
  return holder.host.empty() ? std::string("an unknown program") : fmt::format("{} on {}", holder.pid, holder.host);
}

std::string temporaryName(const std::string& path) {
  static std::atomic<int> count{0};
  return fmt::format("{}.{}.{}.{}", path, hostName(), getpid(), ++count);
}

tl::unexpected<Error> notWritten(const std::string& path) {
  return fail(ErrorKind::OutputFailed, fmt::format("{}: {}", path, std::strerror(errno)));
}

}  // namespace

std::string lostSentence(const std::string& holder) {
  return fmt::format("its program ({}) has ended; a second call goes on", holder);
}

std::string_view word(RunProgress progress) {
  static constexpr std::string_view kWords[] = {"waiting", "training", "stopped", "stale", "finished", "failed"};
  return kWords[static_cast<std::size_t>(progress)];
}

Claim::~Claim() {
  unlink(path_.c_str());
}

void Claim::renew() const {
  utimensat(AT_FDCWD, path_.c_str(), nullptr, 0);  // the file system's own time
}

Result<SweepFolder> SweepFolder::open(const std::string& path, const std::string& planText) {
  SweepFolder folder(path);
  for (const char* const part : {"runs", "claims", "failed"})
    SEPX_TRY(makeFolders(path + "/" + part));
  const std::string plan = path + "/plan.json", temporary = temporaryName(plan);
  std::error_code ignored;
  if (!fs::exists(plan, ignored)) {
    SEPX_TRY(writeFile(temporary, planText));
    const int linked = link(temporary.c_str(), plan.c_str());  // of several that begin at once one writes the plan
    const int why = errno;
    unlink(temporary.c_str());
    errno = why;
    if (linked != 0 && errno != EEXIST) return notWritten(plan);
  }
  SEPX_ASSIGN(const std::string there, folder.planText());
  if (there != planText)
    return fail(
        ErrorKind::Usage,
        fmt::format("{}: holds a sweep with another plan; name another folder, or go on with its plan.json", path));
  return folder;
}

Result<SweepFolder> SweepFolder::existing(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path + "/plan.json", ignored))
    return fail(ErrorKind::BadInput, fmt::format("{}: is no folder of a sweep: there is no plan.json in it", path));
  return SweepFolder(path);
}

Result<std::string> SweepFolder::planText() const {
  return readFile(folder_ + "/plan.json", std::size_t{64} << 20U);
}

bool SweepFolder::stale(const std::string& path) const {
  const std::optional<Holder> holder = holderIn(path);
  if (!holder) return false;  // gone meanwhile
  if (holder->host == hostName()) {
    if (holder->pid <= 0) return true;
    if (kill(static_cast<pid_t>(holder->pid), 0) != 0 && errno == ESRCH) return true;
    const std::string start = startOf(holder->pid);
    return !start.empty() && !holder->start.empty() && start != holder->start;
  }
  // The file system's clock is asked, not this machine's.
  const std::string now = temporaryName(folder_ + "/claims/.clock");
  struct stat there {
  }, here{};
  const int file = ::open(now.c_str(), O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (file < 0) return false;
  const bool both = fstat(file, &here) == 0 && ::stat(path.c_str(), &there) == 0;
  close(file);
  unlink(now.c_str());
  return both && static_cast<double>(here.st_mtime - there.st_mtime) > kStaleSeconds;
}

Result<std::unique_ptr<Claim>> SweepFolder::claim(const std::string& name) const {
  const std::string path = claimPath(name), mine = temporaryName(path);
  const nlohmann::json who{{"host", hostName()}, {"pid", static_cast<long>(getpid())}, {"start", startOf(getpid())}};
  SEPX_TRY(writeFile(mine, who.dump() + "\n"));
  std::unique_ptr<Claim> claim;
  for (int attempt = 0; attempt < 2 && !claim; ++attempt) {
    if (link(mine.c_str(), path.c_str()) == 0) {
      claim.reset(new Claim(path));
    } else if (errno != EEXIST) {
      const int why = errno;
      unlink(mine.c_str());
      errno = why;
      return notWritten(path);
    } else if (attempt == 0 && stale(path)) {
      const std::string away = temporaryName(path + ".stale");
      if (rename(path.c_str(), away.c_str()) == 0) unlink(away.c_str());
    } else {
      break;
    }
  }
  unlink(mine.c_str());
  return claim;
}

std::string SweepFolder::holder(const std::string& name) const {
  const std::string path = claimPath(name);
  const std::optional<Holder> holder = holderIn(path);
  if (!holder || stale(path)) return {};
  return words(*holder);
}

std::string SweepFolder::lostHolder(const std::string& name) const {
  const std::string path = claimPath(name);
  const std::optional<Holder> holder = holderIn(path);
  if (!holder || !stale(path)) return {};
  return words(*holder);
}

Result<void> SweepFolder::setFailure(const std::string& name, const std::string& sentence) const {
  const std::string path = folder_ + "/failed/" + name + ".txt";
  if (!sentence.empty()) return writeFile(path, sentence + "\n");
  std::error_code ignored;
  fs::remove(path, ignored);
  return {};
}

std::string SweepFolder::failure(const std::string& name) const {
  auto text = readHead(folder_ + "/failed/" + name + ".txt", 4096);
  if (!text) return {};
  while (!text->empty() && text->back() == '\n')
    text->pop_back();
  return *text;
}

RunStatus SweepFolder::status(const std::string& name) const {
  RunStatus status{.name = name};
  std::error_code ignored;
  if (fs::exists(runFolder(name) + "/run.sqlite", ignored)) {
    if (const auto reader = train::RunReader::open(runFolder(name)); !reader) {
      status.progress = RunProgress::Failed;
      status.sentence = reader.error().sentence;
    } else if (const auto record = (*reader)->record(); record) {
      status.step = record->step;
      status.steps = record->steps;
      status.progress = record->state == train::RunState::Finished ? RunProgress::Finished : RunProgress::Stopped;
    }
  }
  if (status.progress == RunProgress::Finished) return status;
  if (const std::string holding = holder(name); !holding.empty()) {
    status.progress = RunProgress::Training;
    status.sentence = holding;
  } else if (const std::string why = failure(name); !why.empty()) {
    status.progress = RunProgress::Failed;
    status.sentence = why;
  } else if (const std::string lost = lostHolder(name); !lost.empty()) {
    status.progress = RunProgress::Stale;
    status.sentence = lostSentence(lost);
  }
  return status;
}

}  // namespace sepx::sweep
