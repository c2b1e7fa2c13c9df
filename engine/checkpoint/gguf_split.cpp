// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/gguf_split.h"

#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "engine/checkpoint/checkpoint_check.h"
#include "engine/core/try.h"

namespace sepx::checkpoint {

namespace fs = std::filesystem;

namespace {

constexpr int kMostParts = 10'000;

/// Exactly five digits; empty for anything else.
std::optional<int> fiveDigits(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return text.size() == 5 && error == std::errc() && end == text.data() + 5 ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<GgufPart> ggufPart(const std::string& path) {
  // stem-00001-of-00003.gguf
  const std::string name = fs::path(path).filename().string();
  constexpr std::size_t kTail = 1 + 5 + 4 + 5 + 5;
  if (name.size() <= kTail) return std::nullopt;
  const std::string_view tail = std::string_view(name).substr(name.size() - kTail);
  if (tail[0] != '-' || tail.substr(6, 4) != "-of-" || tail.substr(15) != ".gguf") return std::nullopt;
  const auto number = fiveDigits(tail.substr(1, 5)), count = fiveDigits(tail.substr(10, 5));
  if (!number || !count || *number < 1 || *number > *count || *count > kMostParts) return std::nullopt;
  return GgufPart{name.substr(0, name.size() - kTail), *number, *count};
}

Result<Contents> readSplitGguf(std::shared_ptr<const MappedFile> file) {
  const std::string path = file->path();
  const auto part = ggufPart(path);
  if (!part || part->count == 1) return readGguf(std::move(file));
  const fs::path folder = fs::path(path).parent_path();
  Contents all;
  for (int number = 1; number <= part->count; ++number) {
    const fs::path name = folder / fmt::format("{}-{:05}-of-{:05}.gguf", part->stem, number, part->count);
    auto opened =
        number == part->number ? Result<std::shared_ptr<const MappedFile>>(file) : MappedFile::open(name.string());
    if (!opened) {
      return broken(path, fmt::format("is part {} of {}, and part {} is missing: {}", part->number, part->count, number,
                                      opened.error().message));
    }
    SEPX_ASSIGN(auto contents, readGguf(std::move(*opened)));
    if (number == 1) {
      all = std::move(contents);
      continue;
    }
    for (TensorInfo& tensor : contents.tensors) {
      tensor.file = all.files.size();
      all.tensors.push_back(std::move(tensor));
    }
    all.files.push_back(contents.files.front());
  }
  all.notes.push_back(fmt::format("{} parts", part->count));
  return all;
}

}  // namespace sepx::checkpoint
