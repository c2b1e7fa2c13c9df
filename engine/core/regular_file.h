// SPDX-License-Identifier: Apache-2.0
// The only place where files are opened. A name in an untrusted folder may be a pipe, a socket or a device, where a
// read would block or never end. Therefore only regular files are read or locked; anything else is refused immediately,
// as is a database that SQLite has open in this process. tests/layering fails if a file is opened elsewhere. Any
// thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "engine/core/descriptor.h"

namespace sepx {

struct RegularFile {
  Descriptor file;         ///< open for reading
  std::uint64_t size = 0;  ///< bytes, when it was opened; 0 for files of /proc
};

/// Opens a regular file for reading and follows links. The error is the reason: the system's, "it is a folder", "it is
/// not a regular file", "it is a database that this program has open".
tl::expected<RegularFile, std::string> openRegular(const std::string& path);
/// Why the object at a path may not be opened: "it is a folder", "it is not a regular file". Empty for a regular file
/// or a missing one. For libraries that open files by name.
std::string notRegular(const std::string& path);

/// The functions below return an invalid descriptor and set errno on failure.
/// Creates a file for writing. Never opens an existing file (EEXIST), not even through a link.
Descriptor createNew(const std::string& path, unsigned mode = 0666);
/// Opens a file to lock it, for reading and writing. A missing file is created, accessible to the owner only, and
/// `made`, if not null, is set. EINVAL: it is not a regular file. ELOOP: it is a link; links are not followed.
Descriptor openLock(const std::string& path, bool* made = nullptr);
/// Opens an existing file to lock it, and follows links: for reading and writing, which NFS requires for an exclusive
/// lock, or for reading only if writing is not permitted. EINVAL: it is not a regular file. EBUSY: it is a database
/// that this program has open.
Descriptor openToLock(const std::string& path);
/// Opens a file that this program created, for reading and writing. Links are not followed. EINVAL: it is not a regular
/// file.
Descriptor openOwn(const std::string& path);
/// Opens a pipe or device for writing, as named by the user. ENXIO: no program reads the pipe.
Descriptor openInPlace(const std::string& path);
/// Opens a folder to sync it.
Descriptor openFolder(const std::string& path);

/// Protects a file that SQLite locks. The POSIX locks of a process on a file are released when any descriptor of that
/// file is closed in the process, even one that is unrelated to the locks. While a ReservedFile exists, openRegular()
/// refuses its file and the file with the suffix "-shm". Construct it before the connection to the file, and destroy it
/// after the connection.
class ReservedFile {
 public:
  ReservedFile() = default;                        ///< no file
  explicit ReservedFile(const std::string& path);  ///< no file if `path` does not exist
  ~ReservedFile();
  ReservedFile(ReservedFile&& other) noexcept;
  ReservedFile& operator=(ReservedFile&& other) noexcept;

  /// Holds a shared lock on `length` bytes from `first` of `path` until unlock(). `path` is the file itself or another
  /// one that SQLite locks with it. It is an open file description lock, which is not released when another descriptor
  /// is closed. Does nothing on a file system without such locks.
  void lockShared(const std::string& path, std::int64_t first, std::int64_t length);
  void unlock();

 private:
  struct Held {
    std::uint64_t device = 0, inode = 0;
    bool counted = false;
    std::vector<int> locked;  ///< locked descriptors, closed with the last ReservedFile of the file
  };
  Held held_;
};

}  // namespace sepx
