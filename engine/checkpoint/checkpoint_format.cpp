// SPDX-License-Identifier: Apache-2.0
// Determines the format of a file from its content, or from its name if the content is broken or ambiguous, so that the
// reader of the format can explain what is wrong.
#include "engine/checkpoint/checkpoint_format.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/checkpoint_check.h"
#include "engine/checkpoint/gguf_split.h"
#include "engine/checkpoint/llama2c_header.h"
#include "engine/checkpoint/read_folder.h"
#include "engine/checkpoint/zip_directory.h"
#include "engine/core/file.h"
#include "engine/core/try.h"

namespace sepx::checkpoint {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

namespace {

constexpr std::size_t kHead = 512;

bool beginsWith(std::string_view text, std::string_view begin) {
  return text.substr(0, begin.size()) == begin;
}

std::string extensionOf(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : static_cast<char>(c);
  });
  return extension;
}

bool isSafetensors(std::string_view head, std::uint64_t size) {
  if (head.size() < 9 || head[8] != '{') return false;
  std::uint64_t length = 0;
  std::memcpy(&length, head.data(), sizeof length);
  return length <= 100'000'000 && length <= size - 8;
}

/// torch.save before 1.6: a pickle whose first value is the magic number, as a LONG1 of 10 bytes.
bool isTorchLegacy(std::string_view head) {
  constexpr auto kMagic = "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"sv;
  return head.size() > 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5 &&
         (beginsWith(head.substr(2), kMagic) ||
          (head[2] == '\x95' && head.size() > 11 && beginsWith(head.substr(11), kMagic)));
}

/// A ModelProto begins with ir_version (field 1, a small number) and continues with another of its fields.
bool isOnnx(std::string_view head) {
  if (head.size() < 3 || head[0] != 8 || head[1] <= 0) return false;
  constexpr auto kNext = "\x12\x1a\x22\x28\x32\x3a\x42\x72"sv;
  return kNext.find(head[2]) != std::string_view::npos;
}

bool isTorchName(const std::string& extension) {
  constexpr std::array kNames{".pt"sv, ".pth"sv, ".ckpt"sv, ".pkl"sv, ".pickle"sv};
  return std::find(kNames.begin(), kNames.end(), extension) != kNames.end();
}

/// Any pickle of protocol 2 to 5. Only the beginning is checked; the reader judges the content.
bool isPickle(std::string_view head) {
  return head.size() > 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5 && head[2] != 0;
}

std::optional<Format> formatOfZip(std::shared_ptr<const MappedFile> file, const std::string& extension) {
  const auto zip = ZipDirectory::read(std::move(file));
  if (!zip) {
    if (extension == ".npz") return Format::Npz;
    return isTorchName(extension) || extension == ".bin" ? std::optional(Format::TorchZip) : std::nullopt;
  }
  const auto ends = [](std::string_view end) {
    return [end](const ZipEntry& entry) {
      return entry.name.size() >= end.size() &&
             entry.name.compare(entry.name.size() - end.size(), end.size(), end) == 0;
    };
  };
  const auto& entries = zip->entries();
  if (std::any_of(entries.begin(), entries.end(), ends("/data.pkl"))) return Format::TorchZip;
  if (std::any_of(entries.begin(), entries.end(), ends(".npy"))) return Format::Npz;
  return std::nullopt;
}

std::optional<Format> formatOfName(const std::string& extension) {
  if (extension == ".safetensors") return Format::Safetensors;
  if (extension == ".gguf") return Format::Gguf;
  if (extension == ".onnx") return Format::Onnx;
  if (extension == ".npy") return Format::Npy;
  if (extension == ".npz") return Format::Npz;
  // Newer files of torch.save are zip archives, which are recognised by their content.
  if (isTorchName(extension)) return Format::TorchLegacy;
  return std::nullopt;
}

/// Describes files that users often mistake for weights; empty if it is none of these.
std::string instead(std::string_view head, const std::string& extension) {
  if (head.empty()) return "is empty";
  if (beginsWith(head, "version https://git-lfs"))
    return "is a pointer of Git LFS, not the weights themselves; fetch them with git lfs pull";
  const std::size_t text = std::min(head.find_first_not_of(" \t\r\n"), head.size());
  if (beginsWith(head.substr(text), "<!DOCTYPE") || beginsWith(head.substr(text), "<html"))
    return "is a web page, not weights; download the file itself";
  if (beginsWith(head, "\x89HDF\r\n\x1a\n"))
    return "is HDF5 (Keras, TensorFlow), which is not supported; convert it to safetensors";
  if (extension == ".msgpack") return "is a Flax checkpoint, which is not supported; convert it to safetensors";
  if (beginsWith(head, "ggml") || beginsWith(head, "lmgg") || beginsWith(head, "tjgg") || beginsWith(head, "fmgg"))
    return "is a ggml file of the time before GGUF, which is not supported; convert it to GGUF";
  return {};
}

Result<Contents> readAs(Format format, std::shared_ptr<const MappedFile> file, const Cancelled& cancelled) {
  switch (format) {
    case Format::Safetensors:
      return readSafetensors(std::move(file));
    case Format::TorchZip:
      return readTorchZip(std::move(file), cancelled);
    case Format::TorchLegacy:
      return readTorchLegacy(std::move(file));
    case Format::Gguf:
      return readSplitGguf(std::move(file));
    case Format::Llama2c:
      return readLlama2c(std::move(file));
    case Format::Onnx:
      return readOnnx(std::move(file));
    case Format::Npy:
      return readNpy(std::move(file));
    case Format::Npz:
      return readNpz(std::move(file), cancelled);
  }
  return fail(ErrorKind::Internal, "a format without a reader");
}

/// `head`: the beginning of the file. `mapped`: the file if it is open; null: it is opened if the head is not enough.
std::optional<Format> formatOfContent(const std::string& path, std::string_view head, std::uint64_t size,
                                      std::shared_ptr<const MappedFile> mapped) {
  const std::string extension = extensionOf(path);
  if (isIndexName(path)) {
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || head[first] != '{') return std::nullopt;
    return path.find(".bin.") != std::string::npos ? Format::TorchZip : Format::Safetensors;
  }
  if (beginsWith(head, "GGUF") || beginsWith(head, "FUGG")) return Format::Gguf;
  if (beginsWith(head, "\x93NUMPY")) return Format::Npy;
  if (beginsWith(head, "PK\3\4")) {
    if (mapped) return formatOfZip(std::move(mapped), extension);
    auto file = MappedFile::open(path);
    return file ? formatOfZip(*std::move(file), extension) : std::nullopt;
  }
  if (isTorchLegacy(head)) return Format::TorchLegacy;
  if (isSafetensors(head, size)) return Format::Safetensors;
  const auto llama = llama2cHeader(std::as_bytes(std::span(head.data(), head.size())));
  if (beginsWith(head, "24ka") || (llama && (extension == ".bin" || bytesOf(*llama) == size))) return Format::Llama2c;
  if (!instead(head, extension).empty()) return std::nullopt;
  if (isPickle(head) && (isTorchName(extension) || extension == ".bin")) return Format::TorchLegacy;
  if (extension == ".onnx" || (isOnnx(head) && extension.empty())) return Format::Onnx;
  return formatOfName(extension);
}

}  // namespace

std::optional<Format> formatOf(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    const auto weights = weightsIn(path);
    return weights ? formatOf(*weights) : std::nullopt;
  }
  const auto head = readHead(path, kHead);
  if (!head) return std::nullopt;
  const std::uint64_t size = fs::file_size(path, error);
  if (error) return std::nullopt;
  return formatOfContent(path, *head, size, nullptr);
}

Result<Contents> readWeightFile(const std::string& path, const Cancelled& cancelled) {
  SEPX_ASSIGN(auto file, MappedFile::open(path));
  // A copy, because the mapped file may be truncated while it is examined.
  const std::span<const std::byte> begin = file->bytes().first(std::min<std::size_t>(kHead, file->bytes().size()));
  const std::string head(reinterpret_cast<const char*>(begin.data()), begin.size());
  if (const auto format = formatOfContent(path, head, file->size(), file))
    return readAs(*format, std::move(file), cancelled);
  if (const std::string what = instead(head, extensionOf(path)); !what.empty()) return broken(path, what);
  return broken(path,
                "byte 0: is not a weight file known here (safetensors, PyTorch, GGUF, llama2.c, ONNX, npy, npz, or an "
                "index of shards)");
}

}  // namespace sepx::checkpoint
