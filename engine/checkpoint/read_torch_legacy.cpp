// SPDX-License-Identifier: Apache-2.0
// Reads files of torch.save before PyTorch 1.6: five pickles in sequence (a magic number, the protocol 1001, the
// machine's byte order and sizes, the objects, the list of storages), then the storages in the order of that list, each
// as a count of values (8 bytes) and the values.
#include <cstring>

#include <fmt/format.h>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/pickle.h"
#include "engine/checkpoint/torch_objects.h"
#include "engine/core/json.h"
#include "engine/core/try.h"

namespace sepx::checkpoint {

namespace {

constexpr std::string_view kMagic{"\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19", 10};
constexpr std::int64_t kProtocol = 1001;

class TorchLegacy {
 public:
  explicit TorchLegacy(std::shared_ptr<const MappedFile> file) : file_(std::move(file)) {}
  Result<Contents> read();

 private:
  Result<PickleGraph> next(std::string_view part);
  Result<void> checkMachine(const PickleGraph& machine) const;
  Result<void> placeStorages(const PickleGraph& objects, const PickleGraph& keys);
  tl::unexpected<Error> bad(std::uint64_t at, std::string_view what) const {
    return fail(ErrorKind::BadInput, fmt::format("{}: byte {}: {}", file_->path(), at, what));
  }

  std::shared_ptr<const MappedFile> file_;
  std::uint64_t at_ = 0;
  std::map<std::string, StoragePlace, std::less<>> places_;
};

Result<PickleGraph> TorchLegacy::next(std::string_view part) {
  Result<PickleGraph> graph = readPickle(file_->bytes().subspan(static_cast<std::size_t>(at_)), file_->path(), part);
  if (graph) at_ += graph->length;
  return graph;
}

Result<void> TorchLegacy::checkMachine(const PickleGraph& machine) const {
  const PickleRef little = machine.lookUp(machine.root, "little_endian");
  if (little == kNoObject || machine.at(little).kind != PickleKind::Bool) {
    return bad(at_, "the third pickle does not say the byte order; this is not a PyTorch file");
  }
  if (machine.at(little).integer == 0) return bad(at_, "the weights are big-endian; only little-endian ones are read");
  return {};
}

Result<void> TorchLegacy::placeStorages(const PickleGraph& objects, const PickleGraph& keys) {
  const auto storages = storagesOf(objects);
  const PickleObject& list = keys.at(keys.root);
  if (list.kind != PickleKind::List) return bad(at_, "the fifth pickle is not a list of storages");
  const std::span<const std::byte> bytes = file_->bytes();
  for (const PickleRef ref : list.items) {
    const std::string_view key = keys.at(ref).text;
    const auto storage = storages.find(key);
    if (storage == storages.end() || storage->second.format.bytes == 0) {
      return bad(at_, fmt::format("no tensor says how large the values of storage {} are", inQuotes(key)));
    }
    if (bytes.size() - at_ < 8) return bad(at_, fmt::format("the file ends before storage {}", inQuotes(key)));
    std::uint64_t values = 0;
    std::memcpy(&values, bytes.data() + at_, 8);
    at_ += 8;
    const std::uint64_t item = storage->second.format.bytes;
    if (values > (bytes.size() - at_) / item) {
      return bad(at_ - 8,
                 fmt::format("storage {} should have {} values, and the file ends before them", inQuotes(key), values));
    }
    if (!places_.emplace(std::string(key), StoragePlace{at_, values * item, nullptr}).second) {
      return bad(at_ - 8, fmt::format("storage {} comes twice", inQuotes(key)));
    }
    at_ += values * item;
  }
  return {};
}

Result<Contents> TorchLegacy::read() {
  // Protocol 2 and later begin with 0x80; older ones are accepted too, to check them for names that run something.
  constexpr std::string_view kBegins = "\x80(c]})N";
  if (file_->bytes().empty() || kBegins.find(static_cast<char>(file_->bytes().front())) == std::string_view::npos) {
    return bad(
        0, "is neither a zip archive nor a pickle, so no file of PyTorch; it may be cut off or not downloaded whole");
  }
  const Result<PickleGraph> magic = next("the first pickle");
  if (!magic) return tl::unexpected(magic.error());
  if (magic->at(magic->root).kind != PickleKind::LongInteger || magic->at(magic->root).text != kMagic) {
    return bad(0, "a Python pickle that torch.save did not write; save it with torch.save or as safetensors");
  }
  SEPX_ASSIGN(const PickleGraph protocol, next("the second pickle"));
  if (integerOf(protocol, protocol.root) != kProtocol)
    return bad(at_, "the protocol is not 1001, the only one there was");
  SEPX_ASSIGN(const PickleGraph machine, next("the third pickle"));
  SEPX_TRY(checkMachine(machine));
  const std::uint64_t begin = at_;
  SEPX_ASSIGN(const PickleGraph objects, next("the fourth pickle"));
  SEPX_ASSIGN(const PickleGraph keys, next("the fifth pickle"));
  SEPX_TRY(placeStorages(objects, keys));
  Contents contents;
  contents.format = Format::TorchLegacy;
  contents.files.push_back(file_);
  const auto place = [this](const TorchStorage& storage) -> Result<StoragePlace> {
    const auto found = places_.find(storage.key);
    if (found == places_.end()) {
      return fail(ErrorKind::BadInput, fmt::format("{}: the storage {} that a tensor refers to is not in the file",
                                                   file_->path(), inQuotes(storage.key)));
    }
    return found->second;
  };
  const TorchSource source{.path = file_->path(),
                           .part = {},
                           .place = place,
                           .pickle = file_->bytes().subspan(static_cast<std::size_t>(begin)),
                           .pickleOffset = begin,
                           .pickleUnpacked = false};
  SEPX_TRY(readTorchObjects(objects, source, contents));
  return contents;
}

}  // namespace

Result<Contents> readTorchLegacy(std::shared_ptr<const MappedFile> file) {
  return TorchLegacy(std::move(file)).read();
}

}  // namespace sepx::checkpoint
