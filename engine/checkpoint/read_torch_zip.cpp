// SPDX-License-Identifier: Apache-2.0
// Reads files of torch.save since PyTorch 1.6 (and of TorchScript): a zip archive with one folder, which holds
// data.pkl, the pickle that describes objects and tensors; data/KEY, the values of one storage each; and byteorder.
// Stored entries are read in place. The code/ of TorchScript is never read.
#include <fmt/format.h>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/pickle.h"
#include "engine/checkpoint/torch_objects.h"
#include "engine/checkpoint/zip_directory.h"
#include "engine/core/json.h"
#include "engine/core/try.h"

namespace sepx::checkpoint {

namespace {

constexpr std::string_view kPickle = "data.pkl";

/// "archive/" of archive/data.pkl; empty if no folder holds one.
std::optional<std::string> topFolder(const ZipDirectory& zip) {
  for (const ZipEntry& entry : zip.entries()) {
    if (!entry.name.ends_with(kPickle)) continue;
    const std::string folder = entry.name.substr(0, entry.name.size() - kPickle.size());
    if (folder.empty() || folder.find('/') == folder.size() - 1) return folder;
  }
  return std::nullopt;
}

class TorchZip {
 public:
  TorchZip(std::shared_ptr<const MappedFile> file, const ZipDirectory& zip, std::string folder)
      : file_(std::move(file)), zip_(zip), folder_(std::move(folder)) {}

  Result<Contents> read();

 private:
  Result<void> refuseBigEndian();
  Result<StoragePlace> place(const TorchStorage& storage);
  tl::unexpected<Error> bad(std::string_view what) const {
    return fail(ErrorKind::BadInput, fmt::format("{}: {}", file_->path(), what));
  }

  std::shared_ptr<const MappedFile> file_;
  const ZipDirectory& zip_;
  std::string folder_;
  Unpacked unpacked_;
  std::map<std::string, StoragePlace, std::less<>> places_;
};

Result<void> TorchZip::refuseBigEndian() {
  const ZipEntry* const record = zip_.find(folder_ + "byteorder");
  if (record == nullptr) return {};
  SEPX_ASSIGN(const ZipBytes bytes, zip_.bytes(*record, unpacked_));
  const std::string_view order(reinterpret_cast<const char*>(bytes.bytes.data()), bytes.bytes.size());
  if (order == "little") return {};
  return bad(
      fmt::format("byte {}: the byte order is {}; only little-endian weights are read", record->data, inQuotes(order)));
}

Result<StoragePlace> TorchZip::place(const TorchStorage& storage) {
  if (const auto known = places_.find(storage.key); known != places_.end()) return known->second;
  const std::string name = fmt::format("{}data/{}", folder_, storage.key);
  const ZipEntry* const entry = zip_.find(name);
  if (entry == nullptr) return bad(fmt::format("the archive has no entry {} that a tensor refers to", inQuotes(name)));
  const std::uint64_t item = std::max<std::uint64_t>(storage.format.bytes, 1);
  if (storage.values > entry->size / item) {
    return bad(fmt::format("byte {}: the entry {} has {} bytes, too few for {} values of {}", entry->data,
                           inQuotes(name), entry->size, storage.values, storage.format.name));
  }
  SEPX_ASSIGN(ZipBytes bytes, zip_.bytes(*entry, unpacked_));
  const StoragePlace found{bytes.unpacked ? 0 : entry->data, entry->size, bytes.unpacked};
  places_.emplace(std::string(storage.key), found);
  return found;
}

Result<Contents> TorchZip::read() {
  SEPX_TRY(refuseBigEndian());
  const ZipEntry& entry = *zip_.find(folder_ + std::string(kPickle));
  SEPX_ASSIGN(const ZipBytes pickle, zip_.bytes(entry, unpacked_));
  SEPX_TRY(zip_.check(entry));
  SEPX_ASSIGN(const PickleGraph graph, readPickle(pickle.bytes, file_->path(), kPickle));
  Contents contents;
  contents.format = Format::TorchZip;
  contents.files.push_back(file_);
  const TorchSource source{.path = file_->path(),
                           .part = kPickle,
                           .place = [this](const TorchStorage& storage) { return place(storage); },
                           .pickle = pickle.bytes,
                           .pickleOffset = entry.data,
                           .pickleUnpacked = pickle.unpacked != nullptr};
  SEPX_TRY(readTorchObjects(graph, source, contents));
  if (unpacked_.bytes > 0) {
    contents.notes.push_back(fmt::format("{} bytes were compressed and had to be unpacked", unpacked_.bytes));
  }
  if (zip_.find(folder_ + "constants.pkl") != nullptr) {
    contents.notes.emplace_back("a TorchScript archive: its weights are shown, its code is not run");
  }
  return contents;
}

}  // namespace

Result<Contents> readTorchZip(std::shared_ptr<const MappedFile> file, const Cancelled& cancelled) {
  SEPX_ASSIGN(const ZipDirectory zip, ZipDirectory::read(file, cancelled));
  const auto folder = topFolder(zip);
  if (!folder) {
    return fail(ErrorKind::BadInput,
                fmt::format("{}: a zip archive without data.pkl, which every PyTorch file has", file->path()));
  }
  return TorchZip(std::move(file), zip, *folder).read();
}

}  // namespace sepx::checkpoint
