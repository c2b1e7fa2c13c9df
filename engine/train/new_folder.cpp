// SPDX-License-Identifier: Apache-2.0
#include "engine/train/new_folder.h"

#include <atomic>
#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/regular_file.h"
#include "engine/core/remove_folder.h"
#include "engine/core/try.h"
#include "engine/train/checkpoint_files.h"

namespace sepx::train {

std::string temporaryPathFor(const std::string& target) {
  // Shared by the whole process, so that no two writers use the same name.
  static std::atomic<unsigned> counter{0};
  return fmt::format("{}.{}-{}.tmp", target, ::getpid(), counter++);
}

tl::unexpected<Error> NewFolder::notWritten(const std::string& name, int error) const {
  return fail(ErrorKind::OutputFailed, fmt::format("{}{}{}: cannot be written: {}", target_, name.empty() ? "" : "/",
                                                   name, systemReason(error)));
}

Result<std::unique_ptr<NewFolder>> NewFolder::begin(const std::string& target) {
  std::unique_ptr<NewFolder> folder(new NewFolder(target, temporaryPathFor(target)));
  if (::mkdir(folder->temporaryPath_.c_str(), 0700) == 0) return folder;
  const int error = errno;
  folder->temporaryPath_.clear();
  return folder->notWritten({}, error);
}

NewFolder::~NewFolder() {
  files_.clear();
  if (!temporaryPath_.empty()) removeFolder(temporaryPath_);
}

Result<void> NewFolder::file(const std::string& name) {
  names_.push_back(name);
  const std::string path = temporaryPath_ + "/" + name;
  files_.push_back(createNew(path));
  if (files_.back().get() < 0) return notWritten(name, errno);
  return {};
}

Result<void> NewFolder::write(std::string_view piece) {
  while (!piece.empty()) {
    const ssize_t written = ::write(files_.back().get(), piece.data(), piece.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return notWritten(names_.back(), errno);
    piece.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> NewFolder::commit() {
  // Writing starts for all files before the first one is waited for.
  for (const Descriptor& file : files_)
    ::sync_file_range(file.get(), 0, 0, SYNC_FILE_RANGE_WRITE);
  for (std::size_t i = 0; i < files_.size(); ++i) {
    int error = ::fsync(files_[i].get()) != 0 ? errno : 0;
    if (const int closing = files_[i].close(); error == 0) error = closing;
    if (error != 0) return notWritten(names_[i], error);
  }
  files_.clear();
  syncFolder(temporaryPath_);
  SEPX_TRY(putInPlace());
  syncFolder(target_.substr(0, target_.find_last_of('/')));
  return {};
}

Result<void> NewFolder::putInPlace() {
  if (::rename(temporaryPath_.c_str(), target_.c_str()) == 0) {
    temporaryPath_.clear();
    return {};
  }
  int error = errno;
  if (error == ENOTEMPTY || error == EEXIST) {
    // Now the old folder has the temporary name, and the destructor removes it.
    if (::renameat2(AT_FDCWD, temporaryPath_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0) return {};
    error = errno;
    // The file system cannot exchange names.
    const std::string old = temporaryPathFor(target_);
    if (::rename(target_.c_str(), old.c_str()) == 0) {
      if (::rename(temporaryPath_.c_str(), target_.c_str()) == 0) {
        temporaryPath_ = old;
        return {};
      }
      error = errno;
      ::rename(old.c_str(), target_.c_str());
    }
  }
  return notWritten({}, error);
}

}  // namespace sepx::train
