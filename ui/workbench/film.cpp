// SPDX-License-Identifier: Apache-2.0
// ffmpeg runs as a separate process that reads raw pictures from a socket, because a pipe would end this program with
// SIGPIPE when ffmpeg fails. No shell is involved. The same pictures and the same ffmpeg give the same bytes.
#include "ui/workbench/film.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/file.h"
#include "engine/core/job.h"
#include "engine/core/number.h"
#include "engine/core/regular_file.h"
#include "engine/core/remove_folder.h"
#include "engine/render/png.h"
#include "engine/render/recipe.h"
#include "ui/page/lane.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

extern char** environ;

namespace sepx::ui {

namespace fs = std::filesystem;

namespace {

constexpr int kLastWords = 100;  // milliseconds

tl::unexpected<Error> notWritten(const std::string& path, const std::string& why) {
  return fail(ErrorKind::OutputFailed, trFormat("{}: cannot be written: {}", path, why));
}

std::string reason(int error) {
  return std::generic_category().message(error);
}

/// The reason in an error about a file beside the target, without the name of that file.
std::string reasonIn(const Error& error) {
  const auto at = error.message.rfind(": ");
  return at == std::string::npos ? error.message : error.message.substr(at + 2);
}

/// The path of a film for `target` until it is complete. It is unique in this process, because a cancelled film may
/// still be removing its files while the next one is made.
std::string nameBeside(const std::string& target) {
  static std::atomic<unsigned> counter{0};
  return fmt::format("{}.{}-{}.tmp", target, ::getpid(), counter++);
}

class Frames final : public Film {
 public:
  explicit Frames(FilmOptions options) : options_(std::move(options)) {}
  ~Frames() override {
    jobs_.reset();  // ends the job that writes into the folder
    if (!aside_.empty()) removeFolder(aside_);
  }

  Result<void> begin() {
    target_ = options_.path;
    while (target_.size() > 1 && target_.back() == '/')
      target_.pop_back();
    std::error_code error;
    if (fs::exists(target_, error) && (!fs::is_directory(target_, error) || !fs::is_empty(target_, error))) {
      return notWritten(options_.path,
                        tr("a file or folder of this name already exists; remove it or choose another name"));
    }
    const std::string aside = nameBeside(target_);
    removeFolder(aside);  // left by a killed process with the same ID
    if (!fs::create_directory(aside, error) || error) return notWritten(options_.path, error.message());
    aside_ = aside;
    return {};
  }
  /// A job compresses and writes the picture, because this takes longer than a frame of the window.
  Result<void> add(const gpu::Pixels& picture) override {
    const std::string file = fmt::format("{}/frame-{:04}.png", aside_, ++count_);
    written_.start(*jobs_, {picture, file}, tr("frame"), [recipe = options_.recipe](const Frame& frame, auto& output) {
      output.finish(render::writePng(frame.pixels, frame.file, {{render::kRecipeKey, recipe}}));
    });
    return {};
  }
  Result<bool> advance() override {
    if (options_.waits) jobs_->finish();
    written_.refresh(*jobs_);
    if (written_.pending()) return false;
    if (written_.failed()) return notWritten(options_.path, written_.failure());
    if (written_.result() && !*written_.result())
      return notWritten(options_.path, reasonIn(written_.result()->error()));
    written_.clear();
    return true;
  }
  Result<bool> finish() override {
    if (auto all = advance(); !all || !*all) return all;
    std::error_code error;
    fs::rename(aside_, target_, error);  // replaces an empty folder of that name
    if (error) return notWritten(options_.path, error.message());
    aside_.clear();
    return true;
  }

 private:
  struct Frame {
    gpu::Pixels pixels;
    std::string file;
  };

  FilmOptions options_;
  std::string target_, aside_;
  int count_ = 0;
  Lane<Frame, Result<void>> written_{"frame"};  ///< of the current picture
  std::unique_ptr<Jobs> jobs_ = std::make_unique<Jobs>();
};

class Video final : public Film {
 public:
  explicit Video(FilmOptions options) : options_(std::move(options)) {}
  ~Video() override;

  Result<void> begin();
  Result<void> add(const gpu::Pixels& picture) override {
    pending_.assign(picture.rgba.begin(), picture.rgba.end());
    sent_ = 0;
    return {};
  }
  Result<bool> advance() override;
  Result<bool> finish() override;

 private:
  std::vector<std::string> arguments() const;
  Result<void> spawn(int input, int words);
  /// The last line that ffmpeg wrote to its error output.
  std::string lastOutputLine();
  void listen();
  /// Kills ffmpeg, which has failed, and returns the error.
  tl::unexpected<Error> failed(std::string words);

  FilmOptions options_;
  std::string aside_, output_;
  std::string comment_;  ///< file from which ffmpeg reads the recipe, which may be too long for an argument
  std::vector<std::uint8_t> pending_;
  std::size_t sent_ = 0;
  int socket_ = -1, words_ = -1;
  pid_t process_ = -1;
};

std::vector<std::string> Video::arguments() const {
  const bool webm = options_.path.size() > 5 && (options_.path.back() == 'm' || options_.path.back() == 'M');
  std::vector<std::string> list{"ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgba",
                                "-video_size", fmt::format("{}x{}", options_.extent.width, options_.extent.height),
                                "-framerate", formatShortest(options_.framesPerSecond), "-i", "pipe:0", "-f",
                                "ffmetadata", "-i", "file:" + comment_, "-map", "0:v", "-map_metadata", "1",
                                // Both codecs need an even width and height.
                                "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-fflags", "+bitexact",
                                "-flags:v", "+bitexact"};
  const auto add = [&list](std::initializer_list<const char*> more) {
    list.insert(list.end(), more.begin(), more.end());
  };
  if (webm) {
    add({"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-deadline", "good", "-cpu-used", "4", "-f", "webm"});
  } else {
    add({"-c:v", "libx264", "-preset", "medium", "-crf", "16", "-movflags", "+faststart", "-f", "mp4"});
  }
  list.push_back("file:" + aside_);
  return list;
}

Result<void> Video::spawn(int input, int words) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input, 0);
  ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, words, 2);
  std::vector<std::string> list = arguments();
  std::vector<char*> pointers;
  for (std::string& one : list)
    pointers.push_back(one.data());
  pointers.push_back(nullptr);
  const int error = ::posix_spawnp(&process_, "ffmpeg", &actions, nullptr, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return {};
  process_ = -1;
  if (error == ENOENT) {
    return notWritten(options_.path,
                      tr("films need ffmpeg; install the package ffmpeg, or export a folder of frames instead"));
  }
  return notWritten(options_.path, "ffmpeg: " + reason(error));
}

Result<void> Video::begin() {
  aside_ = nameBeside(options_.path);
  // The file is created now, so that an unwritable place is reported before a minute of drawing.
  ::unlink(aside_.c_str());
  if (createNew(aside_).get() < 0) {
    const int error = errno;
    aside_.clear();
    return notWritten(options_.path, reason(error));
  }
  comment_ = aside_ + ".txt";
  std::string comment = ";FFMETADATA1\ncomment=";
  for (const char c : options_.recipe) {
    if (std::string_view("=;#\\\n").find(c) != std::string_view::npos) comment += '\\';
    comment += c;
  }
  if (auto kept = writeFile(comment_, comment + "\n"); !kept) return notWritten(options_.path, reasonIn(kept.error()));
  int ends[2] = {-1, -1}, words[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return notWritten(options_.path, reason(errno));
  socket_ = ends[0];
  if (::pipe2(words, O_CLOEXEC | O_NONBLOCK) != 0) {
    const int error = errno;
    ::close(ends[1]);
    return notWritten(options_.path, reason(error));
  }
  words_ = words[0];
  auto started = spawn(ends[1], words[1]);
  ::close(ends[1]);
  ::close(words[1]);
  return started;
}

Video::~Video() {
  if (socket_ >= 0) ::close(socket_);
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  if (words_ >= 0) ::close(words_);
  if (!comment_.empty()) ::unlink(comment_.c_str());
  if (!aside_.empty()) ::unlink(aside_.c_str());
}

/// Reads the error output of ffmpeg, so that ffmpeg never blocks on a full pipe.
void Video::listen() {
  constexpr std::size_t kMost = 1 << 16;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(words_, buffer, sizeof buffer)) > 0;) {
    if (output_.size() < kMost) output_.append(buffer, static_cast<std::size_t>(got));
  }
}

std::string Video::lastOutputLine() {
  listen();
  std::string text = output_;
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text.substr(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
}

tl::unexpected<Error> Video::failed(std::string words) {
  if (words.empty() && process_ > 0) {  // it has just closed its input and is about to report why
    struct pollfd end {
      words_, POLLIN, 0
    };
    static_cast<void>(::poll(&end, 1, kLastWords));
  }
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    ::waitpid(std::exchange(process_, -1), nullptr, 0);
  }
  if (words.empty()) words = lastOutputLine();
  // "Error closing file file:/…/a.mp4.123-0.tmp: No space left on device": the user does not know the temporary name.
  if (const auto at = words.rfind(aside_ + ": "); at != std::string::npos) words.erase(0, at + aside_.size() + 2);
  return notWritten(options_.path, words.empty() ? tr("ffmpeg failed") : "ffmpeg: " + words);
}

Result<bool> Video::advance() {
  listen();
  while (sent_ < pending_.size()) {
    const ssize_t sent = ::send(socket_, pending_.data() + sent_, pending_.size() - sent_,
                                MSG_NOSIGNAL | (options_.waits ? 0 : MSG_DONTWAIT));
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
    if (sent < 0) return failed({});
    sent_ += static_cast<std::size_t>(sent);
  }
  return true;
}

Result<bool> Video::finish() {
  if (auto sent = advance(); !sent || !*sent) return sent;
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  if (process_ > 0) {
    int status = 0;
    const pid_t ended = ::waitpid(process_, &status, options_.waits ? 0 : WNOHANG);
    if (ended == 0) return false;
    process_ = -1;
    // The exit status of ffmpeg is 0 even if the disk was full, so any error output counts as a failure.
    const std::string words = lastOutputLine();
    if (ended < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0 || !words.empty()) return failed(words);
  }
  if (::rename(aside_.c_str(), options_.path.c_str()) != 0) return notWritten(options_.path, reason(errno));
  aside_.clear();
  return true;
}

template <class Kind>
Result<std::unique_ptr<Film>> begun(FilmOptions options) {
  auto film = std::make_unique<Kind>(std::move(options));
  if (auto ready = film->begin(); !ready) return tl::unexpected(ready.error());
  return film;
}

}  // namespace

Result<std::unique_ptr<Film>> Film::create(FilmOptions options) {
  if (!options.path.empty() && options.path.back() == '/') return begun<Frames>(std::move(options));
  return begun<Video>(std::move(options));
}

}  // namespace sepx::ui
