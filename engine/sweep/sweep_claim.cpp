// SPDX-License-Identifier: Apache-2.0
// See sweep_claim.h.
#include "engine/sweep/sweep_claim.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <condition_variable>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/core/file.h"
#include "engine/core/file_writer.h"
#include "engine/core/json.h"
#include "engine/core/regular_file.h"
#include "engine/core/resource_limits.h"
#include "engine/core/terminal_text.h"
#include "engine/core/thread_name.h"
#include "engine/core/try.h"

namespace sepx::sweep {

namespace {

constexpr std::size_t kMostBytes = 4096;  // bytes of a claim, or of a file of /proc

std::string hostName() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

double secondsOf(const timespec& time) {
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Seconds of a clock that does not stop while the machine sleeps and that nobody sets.
double bootSeconds() {
  timespec time{};
  clock_gettime(CLOCK_BOOTTIME, &time);
  return secondsOf(time);
}

struct Process {
  std::string start;  ///< in the kernel's ticks: tells a reused process number apart
  bool ended = false;
};

/// Read from /proc; empty if it does not show the process.
std::optional<Process> processOf(const std::string& pid) {
  const auto stat = readHead("/proc/" + pid + "/stat", kMostBytes);
  if (!stat) return std::nullopt;
  const std::size_t end = stat->rfind(')');  // the name may contain blanks
  if (end == std::string::npos || end + 2 >= stat->size()) return std::nullopt;
  Process process;
  const char state = (*stat)[end + 2];
  process.ended = state == 'Z' || state == 'X';  // a zombie, or dead
  constexpr int kField = 20;                     // the start time: fields after the name
  std::size_t at = end + 1;
  for (int i = 0; i < kField; ++i) {
    at = stat->find(' ', at);
    if (at == std::string::npos) return std::nullopt;
    ++at;
  }
  process.start = stat->substr(at, stat->find(' ', at) - at);
  if (process.start.empty()) return std::nullopt;
  return process;
}

/// The scope of a process number: the machine since it was booted, and its PID namespace.
struct Machine {
  std::string host, boot, space;
  bool operator==(const Machine&) const = default;
};

Machine thisMachine() {
  Machine machine{hostName(), readHead("/proc/sys/kernel/random/boot_id", kMostBytes).value_or(std::string()), {}};
  while (!machine.boot.empty() && machine.boot.back() == '\n')
    machine.boot.pop_back();
  std::error_code failed;
  machine.space = std::filesystem::read_symlink("/proc/self/ns/pid", failed).string();
  return machine;
}

struct Holder {
  Machine machine;
  std::string start;
  long pid = 0;
};

/// A claim that was edited by hand counts as one of an unknown program, for which the lease decides.
Holder holderIn(const std::string& text) {
  Holder holder;
  const auto json = parseJson<nlohmann::json>(text);
  if (!json || !json->is_object()) return holder;
  const auto textOf = [&json](const char* name) {
    const auto at = json->find(name);
    return at != json->end() && at->is_string() ? at->get<std::string>() : std::string();
  };
  holder.machine = {textOf("host"), textOf("boot"), textOf("pid_space")};
  holder.start = textOf("start");
  if (const auto pid = json->find("pid"); pid != json->end() && pid->is_number_integer()) holder.pid = pid->get<long>();
  return holder;
}

std::string words(const Holder& holder) {
  constexpr std::size_t kMost = 64;  // bytes of a host's name
  if (holder.machine.host.empty()) return "an unknown program";
  return fmt::format("{} on {}", holder.pid, printable(holder.machine.host.substr(0, kMost)));
}

/// Whether the process is alive; empty if this cannot be determined here.
std::optional<bool> isRunningHere(const Holder& holder) {
  static const Machine here = thisMachine();
  if (here.boot.empty() || here.space.empty() || holder.machine != here) return std::nullopt;
  if (holder.pid <= 0 || holder.start.empty()) return std::nullopt;
  if (kill(static_cast<pid_t>(holder.pid), 0) != 0 && errno == ESRCH) return false;
  const auto process = processOf(std::to_string(holder.pid));
  if (!process) return std::nullopt;  // /proc may not show processes of others
  return !process->ended && process->start == holder.start;
}

std::string pathOf(const std::string& base, int generation) {
  // Generation 0 is a file without a number, which older programs wrote.
  return generation == 0 ? base : fmt::format("{}.{}", base, generation);
}

bool isThere(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

/// The generation that counts; -1 if there is none. Generations have no gaps.
int lastGeneration(const std::string& base) {
  int last = 0;
  while (isThere(pathOf(base, last + 1)))
    ++last;
  return last > 0 || isThere(base) ? last : -1;
}

Result<std::string> ownText() {
  const auto self = processOf("self");
  if (!self)
    return fail(ErrorKind::OutputFailed,
                "a program of a sweep must know when it was started, and /proc/self/stat cannot be read; mount /proc");
  const Machine here = thisMachine();
  const nlohmann::ordered_json text{{"host", here.host},
                                    {"pid", static_cast<long>(getpid())},
                                    {"start", self->start},
                                    {"boot", here.boot},
                                    {"pid_space", here.space}};
  return text.dump() + "\n";
}

/// Takes a generation; its file is open for writing. Invalid if another program has it.
Result<Descriptor> takeGeneration(const std::string& base, int generation) {
  const std::string path = pathOf(base, generation);
  SEPX_ASSIGN(const std::string text, ownText());
  SEPX_ASSIGN(TemporaryFile made, writeTemporaryFile(base, text));
  int error = ::link(made.path.c_str(), path.c_str()) == 0 ? 0 : errno;
  // Over a network the reply to a successful link() may be lost, and the second attempt then reports that the name is
  // taken.
  struct stat status {};
  if (error == EEXIST && ::fstat(made.file.get(), &status) == 0 && status.st_nlink == 2) error = 0;
  made.file.close();  // NFS keeps a file that is removed while open, under another name
  ::unlink(made.path.c_str());
  if (error == EEXIST) return Descriptor();
  if (error != 0) return notWritten(path, error);
  // Opened by its own name: some file systems count a file with two names as two files.
  Descriptor file = openOwn(path);
  if (file.get() < 0) return notWritten(path, errno);
  std::string there(text.size() + 1, '\0');
  const ssize_t got = ::pread(file.get(), there.data(), there.size(), 0);
  if (got < 0 || there.substr(0, static_cast<std::size_t>(got)) != text) return notWritten(path, ESTALE);
  return file;
}

/// Whether `path` still is the open file, and not a link to it or to another. Empty if this cannot be determined now.
std::optional<bool> refersTo(const std::string& path, const Descriptor& file) {
  struct stat named {};
  struct stat open {};
  if (::lstat(path.c_str(), &named) != 0) return errno == ENOENT ? std::optional(false) : std::nullopt;
  if (::fstat(file.get(), &open) != 0) return std::nullopt;
  return named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

}  // namespace

Claim::Claim(std::string base, int generation, Descriptor file)
    : base_(std::move(base)), generation_(generation), file_(std::move(file)), renewed_(bootSeconds()) {
  thread_ = std::jthread([this](const std::stop_token& stop) {
    nameThread("sweep claim");
    std::mutex mutex;
    std::condition_variable_any rung;
    std::unique_lock lock(mutex);
    while (!rung.wait_for(lock, stop, kRenewEvery, [&stop] { return stop.stop_requested(); }))
      renew();
  });
}

Claim::~Claim() {
  thread_ = {};
  if (lost_) return;
  if (!finished_) {
    [[maybe_unused]] const int emptied = ::ftruncate(file_.get(), 0);
    return;
  }
  file_.close();  // NFS keeps a file that is removed while open, under another name
  // From the last one down, so that another program never sees a gap.
  for (int generation = generation_; generation >= 0; --generation)
    ::unlink(pathOf(base_, generation).c_str());
}

bool Claim::fresh() const {
  return bootSeconds() - renewed_.load() < kHeldSeconds;
}

bool Claim::held() {
  if (!lost_ && !fresh()) renew();
  return !lost_ && fresh();
}

void Claim::renew() {
  const std::lock_guard guard(mutex_);
  if (lost_) return;
  const double before = bootSeconds();
  if (!fresh()) {  // another may have judged it stale: the next generation decides who was first
    Result<Descriptor> mine = takeGeneration(base_, generation_ + 1);
    if (!mine) return;
    lost_ = mine->get() < 0;
    if (lost_) return;
    file_ = std::move(*mine);
    ++generation_, renewed_ = before;
    return;
  }
  const std::optional<bool> ours = refersTo(pathOf(base_, generation_), file_);
  if (isThere(pathOf(base_, generation_ + 1)) || (ours && !*ours)) {
    lost_ = true;  // taken over, or removed by a person so that another program may start
  } else if (ours && ::futimens(file_.get(), nullptr) == 0) {  // the file system's own time
    renewed_ = before;
  }
}

std::optional<double> Claims::now() const {
  constexpr double kFresh = 10;
  const std::lock_guard guard(clock_->mutex);
  const double here = bootSeconds();
  if (clock_->offset && here - clock_->asked < kFresh) return here + *clock_->offset;
  // Shared by the whole process, so that no two calls use the same name. A file that exists is not written to.
  static std::atomic<int> count{0};
  const std::string probe = fmt::format("{}.{}.{}.{}.tmp", base(".clock"), hostName(), getpid(), ++count);
  const Descriptor file = createNew(probe, 0600);
  struct stat status {};
  const bool made = file.get() >= 0 && ::fstat(file.get(), &status) == 0;
  if (file.get() >= 0) ::unlink(probe.c_str());
  if (!made) return std::nullopt;
  clock_->offset = secondsOf(status.st_mtim) - here;
  clock_->asked = here;
  return secondsOf(status.st_mtim);
}

ClaimReading Claims::judge(const std::string& path) const {
  const auto unreadable = [&path](const std::string& why) {
    return ClaimReading{ClaimState::Unknown,
                        fmt::format("{}: cannot be read: {}; remove it when no program trains the run", path, why)};
  };
  // Opened again each time, because a network file system asks its server then.
  const auto opened = openRegular(path);
  if (!opened) return isThere(path) ? unreadable(opened.error()) : ClaimReading{};
  struct stat status {};
  std::string text(std::min<std::size_t>(opened->size, kMostBytes), '\0');
  if (::fstat(opened->file.get(), &status) != 0 ||
      ::pread(opened->file.get(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
    return status.st_size == 0 ? ClaimReading{} : unreadable(systemReason(errno));
  if (status.st_size == 0) return {};
  const Holder holder = holderIn(text);
  const std::string who = words(holder);
  if (const std::optional<bool> lives = isRunningHere(holder)) {
    if (*lives) return {ClaimState::Alive, who};
    return {ClaimState::Stale, fmt::format("its program ({}) has ended; run the command again to continue", who)};
  }
  const std::optional<double> time = now();
  if (!time)
    return {ClaimState::Unknown,
            fmt::format("it is unknown whether its program ({}) is still running: the folder claims cannot be written",
                        who)};
  const double age = *time - secondsOf(status.st_mtim);
  if (age < -kAliveSeconds)
    return {
        ClaimState::Unknown,
        fmt::format("the claim of its program ({}) has a time in the future; remove {} when no program trains the run",
                    who, path)};
  if (age <= kAliveSeconds) return {ClaimState::Alive, who};
  const std::string renewed = fmt::format("its program ({}) renewed its claim {:.0f} s ago", who, age);
  if (age <= kStaleSeconds)
    return {ClaimState::Unknown,
            fmt::format("{}; run the command again after {:.0f} s to take the run over", renewed, kStaleSeconds)};
  return {ClaimState::Stale, renewed + "; run the command again to continue"};
}

ClaimReading Claims::read(const std::string& name) const {
  const int last = lastGeneration(base(name));
  return last < 0 ? ClaimReading{} : judge(pathOf(base(name), last));
}

Result<std::unique_ptr<Claim>> Claims::take(const std::string& name, const std::function<void()>& judged) const {
  const int last = lastGeneration(base(name));
  const ClaimReading there = last < 0 ? ClaimReading{} : judge(pathOf(base(name), last));
  if (judged) judged();
  std::unique_ptr<Claim> claim;
  if (there.state == ClaimState::Alive || there.state == ClaimState::Unknown) return claim;
  const int next = std::max(last, 0) + 1;
  SEPX_ASSIGN(Descriptor mine, takeGeneration(base(name), next));
  if (mine.get() < 0) return claim;
  try {
    claim.reset(new Claim(base(name), next, std::move(mine)));
  } catch (const std::system_error& error) {
    if (!isThreadRefused(error)) throw;
    ::unlink(pathOf(base(name), next).c_str());  // nobody would renew it
    return fail(ErrorKind::Internal, noThread());
  }
  return claim;
}

}  // namespace sepx::sweep
