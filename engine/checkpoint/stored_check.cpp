// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/stored_check.h"

#include <map>
#include <mutex>
#include <set>

#include "engine/checkpoint/zip_directory.h"
#include "engine/core/try.h"

namespace sepx::checkpoint {
namespace {

/// Entries whose checksum was right, by the offset of their first byte.
class CheckedEntries {
 public:
  bool has(const std::shared_ptr<const MappedFile>& file, std::uint64_t entry) {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(file.get());
    // Another file may have the address of one that was closed.
    return found != files_.end() && !found->second.file.expired() && found->second.entries.contains(entry);
  }
  void add(const std::shared_ptr<const MappedFile>& file, std::uint64_t entry) {
    const std::lock_guard lock(mutex_);
    std::erase_if(files_, [](const auto& one) { return one.second.file.expired(); });
    auto& known = files_[file.get()];
    known.file = file;
    known.entries.insert(entry);
  }

 private:
  struct Known {
    std::weak_ptr<const MappedFile> file;
    std::set<std::uint64_t> entries;
  };
  std::mutex mutex_;
  std::map<const MappedFile*, Known> files_;
};

/// One per process, like the mapped files, so that an entry is read for its checksum only once.
CheckedEntries& checkedEntries() {
  static CheckedEntries entries;
  return entries;
}

}  // namespace

Result<void> checkStored(const Checkpoint& checkpoint, const TensorInfo& tensor, const Cancelled& cancelled) {
  const bool archive = checkpoint.format() == Format::TorchZip || checkpoint.format() == Format::Npz;
  if (!archive || tensor.stored || tensor.bytes == 0) return {};
  const std::shared_ptr<const MappedFile>& file = checkpoint.files()[tensor.file];
  // The check comes before the first value is read, so the share done is 0.
  const auto asked = [&cancelled](double) { return cancelled && cancelled(0); };
  SEPX_ASSIGN(const auto zip, ZipDirectory::read(file, asked));
  const ZipEntry* const entry = zip.at(tensor.offset);
  if (entry == nullptr || checkedEntries().has(file, entry->data)) return {};
  SEPX_TRY(zip.check(*entry));
  checkedEntries().add(file, entry->data);
  return {};
}

}  // namespace sepx::checkpoint
