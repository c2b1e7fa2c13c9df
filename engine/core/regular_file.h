// SPDX-License-Identifier: Apache-2.0
// The one place in which files are opened. A name from a stranger's folder may stand for a pipe, a socket or a device,
// which would wait or never end: what is read or locked is a regular file, or is refused at once. So is a database that
// SQLite has open in this process. tests/layering fails on an open anywhere else. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "engine/core/descriptor.h"

namespace sepx {

struct RegularFile {
  Descriptor file;         ///< open for reading
  std::uint64_t size = 0;  ///< when it was opened; of a file of /proc 0
};

/// For reading; links are followed. The error is the reason: the system's, "it is a folder", "it is not a regular
/// file", "it is a database that this program has open".
tl::expected<RegularFile, std::string> openRegular(const std::string& path);
/// Why what stands under a name may not be opened: "it is a folder", "it is not a regular file". Empty: a regular file,
/// or nothing. For libraries that open by name.
std::string notRegular(const std::string& path);

/// The others answer with an invalid descriptor and errno.
/// For writing, and never what is there already (EEXIST), not even through a link.
Descriptor createNew(const std::string& path, unsigned mode = 0666);
/// For a lock: read and write, made when missing, for its owner only; `made`, where not null, is set when it was.
/// EINVAL: it is not a regular file. ELOOP: it is a link, which is not followed.
Descriptor openLock(const std::string& path, bool* made = nullptr);
/// For a lock on a file that is there, links followed: to read and write, without which NFS gives no lock for one
/// alone, or to read where no more is allowed. EINVAL: it is not a regular file. EBUSY: it is a database that this
/// program has open.
Descriptor openToLock(const std::string& path);
/// To read and write what this program made; no link is followed. EINVAL: it is not a regular file.
Descriptor openOwn(const std::string& path);
/// A pipe or device that a person named as the place to write to. ENXIO: no program reads the pipe.
Descriptor openInPlace(const std::string& path);
/// A folder, to sync it.
Descriptor openFolder(const std::string& path);

/// A file that SQLite locks. POSIX locks of a process on a file end with the close of any descriptor of that file in
/// the process, also of one that had nothing to do with the locks. While a ReservedFile lives, openRegular() refuses
/// its file and the file of the same name with "-shm" behind it. Made before the connection to the file, destroyed
/// after it.
class ReservedFile {
 public:
  ReservedFile() = default;                        ///< of no file
  explicit ReservedFile(const std::string& path);  ///< of no file where there is none
  ~ReservedFile();
  ReservedFile(ReservedFile&& other) noexcept;
  ReservedFile& operator=(ReservedFile&& other) noexcept;

  /// Holds a shared lock on `length` bytes from `first` of `path`, the file or another one that SQLite locks with it,
  /// until unlock(): an open file description lock, which no close of another descriptor ends. Does nothing on a file
  /// system without such locks.
  void lockShared(const std::string& path, std::int64_t first, std::int64_t length);
  void unlock();

 private:
  struct Held {
    std::uint64_t device = 0, inode = 0;
    bool counted = false;
    std::vector<int> locked;  ///< descriptors with a lock; they are closed with the last ReservedFile of the file
  };
  Held held_;
};

}  // namespace sepx
