// SPDX-License-Identifier: Apache-2.0
// The one place in which files are opened. A name from a stranger's folder may stand for a pipe, a socket or a device,
// which would wait or never end: what is read or locked is a regular file, or is refused at once. tests/layering fails
// on an open anywhere else. Any thread.
#pragma once

#include <cstdint>
#include <string>

#include <tl/expected.hpp>

#include "engine/core/descriptor.h"

namespace sepx {

struct RegularFile {
  Descriptor file;
  std::uint64_t size = 0;  ///< when it was opened; of a file of /proc 0
};

/// For reading; links are followed. The error is the reason: the system's, "it is a folder", "it is not a regular
/// file".
tl::expected<RegularFile, std::string> openRegular(const std::string& path);
/// Why what stands under a name may not be opened: "it is a folder", "it is not a regular file". Empty: a regular file,
/// or nothing. For libraries that open by name.
std::string notRegular(const std::string& path);

/// The others answer with an invalid descriptor and errno.
/// For writing, and never what is there already (EEXIST), not even through a link.
Descriptor createNew(const std::string& path, unsigned mode = 0666);
/// For a lock: read and write, made when missing, for its owner only. EINVAL: it is not a regular file.
Descriptor openLock(const std::string& path);
/// A pipe or device that a person named as the place to write to. ENXIO: no program reads the pipe.
Descriptor openInPlace(const std::string& path);
/// A folder, to sync it.
Descriptor openFolder(const std::string& path);

}  // namespace sepx
