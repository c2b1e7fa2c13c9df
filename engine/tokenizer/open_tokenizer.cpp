// SPDX-License-Identifier: Apache-2.0
// From what a person names (a folder, a weight file, a tokenizer's own file) to the tokenizer that lies there.
#include <filesystem>

#include <fmt/format.h>

#include "engine/core/file.h"
#include "engine/core/try.h"
#include "engine/tokenizer/readers.h"
#include "engine/tokenizer/tokenizer.h"

namespace fs = std::filesystem;

namespace sepx::tokenizer {

namespace {

using Reader = Result<Opened> (*)(const std::string& path);

struct Kind {
  const char* name;
  Reader read;
};

Result<Opened> readJsonFile(const std::string& path) {
  SEPX_ASSIGN(const std::string text, readFile(path, kLongestFile));
  return readTokenizerJson(text, path);
}

/// In the order in which they are looked for in a folder.
constexpr Kind kKinds[] = {{"tokenizer.json", readJsonFile},    {"vocab.json", readVocabJson},
                           {"vocab.txt", readVocabTxt},         {"tokenizer.model", readSentencePiece},
                           {"spiece.model", readSentencePiece}, {"sentencepiece.bpe.model", readSentencePiece}};

bool isFile(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool isLlama2c(const std::string& name) {
  return name.starts_with("tok") && name.ends_with(".bin");
}

/// tok512.bin, tokenizer.bin: the first by name; empty: there is none.
std::string llama2cIn(const fs::path& folder) {
  std::error_code error;
  std::string first;
  std::size_t seen = 0;
  for (fs::directory_iterator it(folder, error), end; !error && it != end && seen < 10'000;
       it.increment(error), ++seen) {
    const std::string name = it->path().filename().string();
    if (isLlama2c(name) && isFile(it->path()) && (first.empty() || name < first)) first = name;
  }
  return first;
}

}  // namespace

Result<Opened> openTokenizer(const std::string& path) {
  std::error_code error;
  const fs::path given(path);
  if (!fs::exists(given, error))
    return fail(ErrorKind::BadInput, fmt::format("{}: there is nothing of this name", path));
  const bool folder = fs::is_directory(given, error);
  if (!folder)
    for (const Kind& kind : kKinds)
      if (given.filename() == kind.name) return kind.read(path);
  if (!folder && isLlama2c(given.filename().string())) return readLlama2cTokens(path);
  const fs::path beside = folder ? given : given.has_parent_path() ? given.parent_path() : fs::path(".");
  for (const Kind& kind : kKinds)
    if (isFile(beside / kind.name)) return kind.read((beside / kind.name).string());
  if (const std::string name = llama2cIn(beside); !name.empty()) return readLlama2cTokens((beside / name).string());
  if (!folder && given.extension() == ".json") return readJsonFile(path);
  return fail(ErrorKind::BadInput, fmt::format("{}: there is no tokenizer in this folder", beside.string()));
}

}  // namespace sepx::tokenizer
