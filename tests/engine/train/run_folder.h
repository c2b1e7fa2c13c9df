// SPDX-License-Identifier: Apache-2.0
// System facilities for tests of files: a folder that is removed at the end, children that may be killed, limits on
// file sizes, and a child of the user nobody, so that a read-only folder is read-only even if the tests run as root.
#pragma once

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

namespace sepx::test {

class RunFolder {
 public:
  RunFolder() {
    // In memory if possible, because hundreds of files are written and synced.
    std::string pattern = "/dev/shm/sepx-train-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) {
      pattern = (std::filesystem::temp_directory_path() / "sepx-train-XXXXXX").string();
      REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    }
    path_ = pattern;
    ::chmod(path_.c_str(), 0755);
  }
  ~RunFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::string readBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
inline void writeBytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::vector<std::string> namesIn(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Runs `work` in a child and returns its exit status; -signal if the child was killed.
inline int inChild(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// For a child: from here on it runs as the user nobody.
inline void becomeNobody() {
  constexpr uid_t kNobody = 65534;
  if (::geteuid() != 0) return;
  if (::setresgid(kNobody, kNobody, kNobody) != 0 || ::setresuid(kNobody, kNobody, kNobody) != 0) ::_exit(99);
}

/// Limits the size of files that can be written to `bytes` until the end of the scope, as a substitute for a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    before_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &old_);
    rlimit limit = old_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, before_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit old_{};
  void (*before_)(int) = SIG_DFL;
};

/// Whether a message is one line that contains `part`.
inline bool isSentence(const std::string& sentence, const std::string& part) {
  return sentence.find('\n') == std::string::npos && sentence.find(part) != std::string::npos;
}

}  // namespace sepx::test
