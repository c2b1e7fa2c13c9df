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

struct NamedFile {
  const char* name;
  Reader read;
};

Result<Opened> readJsonFile(const std::string& path) {
  SEPX_ASSIGN(const std::string text, readFile(path, kLongestFile));
  return readTokenizerJson(text, path);
}

/// SentencePiece's model, or tiktoken's ranks under the same name.
Result<Opened> readModelFile(const std::string& path) {
  SEPX_ASSIGN(const std::string head, readHead(path, 1));
  return head.starts_with('\n') ? readSentencePiece(path) : readTiktoken(path);
}

/// In the order in which they are looked for in a folder.
constexpr NamedFile kKinds[] = {{"tokenizer.json", readJsonFile},
                                {"tekken.json", readTekken},
                                {"vocab.json", readVocabJson},
                                {"vocab.txt", readVocabTxt},
                                {"tokenizer.model", readModelFile},
                                {"spiece.model", readModelFile},
                                {"sentencepiece.bpe.model", readModelFile},
                                {"tiktoken.model", readTiktoken}};

bool isFile(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool isLlama2c(const std::string& name) {
  return name.starts_with("tok") && name.ends_with(".bin");
}

bool isTiktoken(const std::string& name) {
  return name.ends_with(".tiktoken");
}

/// Under the names of its dates, "tekken_240911.json".
bool isTekken(const std::string& name) {
  return name.starts_with("tekken") && name.ends_with(".json");
}

bool isGguf(const std::string& name) {
  return name.ends_with(".gguf");
}

/// The index of a sharded checkpoint is a weight file.
bool isJson(const std::string& name) {
  return name.ends_with(".json") && !name.ends_with(".index.json");
}

/// The first file by name of those that `is` accepts, with its folder; empty: there is none.
std::string firstIn(const fs::path& folder, bool (*is)(const std::string&)) {
  std::error_code error;
  std::string first;
  std::size_t seen = 0;
  for (fs::directory_iterator it(folder, error), end; !error && it != end && seen < 10'000;
       it.increment(error), ++seen) {
    const std::string name = it->path().filename().string();
    if (is(name) && isFile(it->path()) && (first.empty() || name < first)) first = name;
  }
  return first.empty() ? first : (folder / first).string();
}

}  // namespace

Result<Opened> openTokenizer(const std::string& path) {
  std::error_code error;
  const fs::path given(path);
  if (!fs::exists(given, error))
    return fail(ErrorKind::BadInput, fmt::format("{}: there is nothing of this name", path));
  const bool folder = fs::is_directory(given, error);
  const std::string name = given.filename().string();
  if (!folder) {
    for (const NamedFile& kind : kKinds)
      if (name == kind.name) return kind.read(path);
    if (isLlama2c(name)) return readLlama2cTokens(path);
    if (isTiktoken(name)) return readTiktoken(path);
    if (isGguf(name)) return readGgufTokens(path);
    if (isTekken(name)) return readTekken(path);
    if (isJson(name)) return readJsonFile(path);
    if (name.ends_with(".model")) return readModelFile(path);
  }
  const fs::path beside = folder ? given : given.has_parent_path() ? given.parent_path() : fs::path(".");
  for (const NamedFile& kind : kKinds)
    if (isFile(beside / kind.name)) return kind.read((beside / kind.name).string());
  if (const std::string first = firstIn(beside, isLlama2c); !first.empty()) return readLlama2cTokens(first);
  if (const std::string first = firstIn(beside, isTekken); !first.empty()) return readTekken(first);
  if (const std::string first = firstIn(beside, isTiktoken); !first.empty()) return readTiktoken(first);
  if (const std::string first = firstIn(beside, isGguf); !first.empty()) return readGgufTokens(first);
  return fail(ErrorKind::BadInput, fmt::format("{}: there is no tokenizer in this folder", beside.string()));
}

}  // namespace sepx::tokenizer
