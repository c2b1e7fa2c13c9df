// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/look.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include <unistd.h>
#include <zlib.h>

#include "engine/checkpoint/attention_map.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/family_guess.h"
#include "engine/checkpoint/family_rule.h"
#include "engine/checkpoint/load_factors.h"
#include "engine/checkpoint/model_plan.h"
#include "engine/checkpoint/vocabulary.h"
#include "engine/checkpoint/vocabulary_read.h"
#include "engine/core/utf8.h"

namespace sepx::fuzz {

namespace fs = std::filesystem;
using namespace checkpoint;

namespace {

constexpr std::size_t kMostLookedAt = 64;       ///< number of tensors
constexpr std::int64_t kMostValues = 1 << 16;   ///< of one look
constexpr std::int64_t kMostFactors = 1 << 20;  ///< of a layer that is loaded

const fs::path& folder() {
  struct Folder {
    fs::path path = fs::path("/dev/shm") / ("sepx-fuzz-" + std::to_string(::getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  };
  static const Folder one;
  return one.path;
}

void readEnds(const Checkpoint& opened, const TensorInfo& tensor) {
  std::int64_t rows = 1, columns = 1;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i)
    (i == 0 ? rows : columns) *= tensor.shape[i];
  const std::int64_t height = std::min<std::int64_t>(rows, 16), width = std::min(columns, kMostValues / 16);
  std::vector<double> doubles(static_cast<std::size_t>(height * width));
  std::vector<float> floats(doubles.size());
  for (const bool end : {false, true}) {
    const std::int64_t row = end ? rows - height : 0, column = end ? columns - width : 0;
    const auto a = opened.read(tensor, row, row + height, column, column + width, doubles);
    const auto b = opened.read(tensor, row, row + height, column, column + width, floats);
    if (a.has_value() != b.has_value()) finding("two answers", tensor.name);
    if (!a) checkSentence(a.error());
  }
}

void lookAtAttention(const Checkpoint& opened) {
  const AttentionMap map = mapAttention(opened);
  if (map.layers.empty() && map.noQkReason.empty()) finding("no layers and no reason", map.family);
  if (map.layers.empty()) checkSentence({ErrorKind::BadInput, map.noQkReason});
  std::size_t looked = 0;
  for (const AttentionLayer& layer : map.layers) {
    if (++looked > 4) break;
    const std::int64_t wide = std::max(layer.d_model, layer.d_key);
    if (wide <= 0 || layer.heads <= 0 || layer.d_h <= 0) finding("a layer without a size", map.family);
    if (wide > kMostFactors / layer.heads / layer.d_h) continue;
    for (const auto& result :
         {loadFactors(opened, layer), loadFactors(opened, layer, {HeadPairing::Published, 0, true})})
      if (!result) checkSentence(result.error());
    if (const auto left = loadOmittedScoreParts(opened, layer); !left) checkSentence(left.error());
  }
  if (const auto plan = planModel(opened, map); !plan) checkSentence(plan.error());
  if (const auto row = loadEmbedding(opened, map, 0); !row) checkSentence(row.error());
  const FamilyRule guessed = guessRule(opened);
  if (const auto tried = tryRule(opened, guessed); !tried) checkSentence(tried.error());
}

std::string raw(std::uint64_t value, std::size_t bytes) {
  std::string text(bytes, '\0');
  std::memcpy(text.data(), &value, bytes);
  return text;
}

}  // namespace

void finding(const char* what, const std::string& detail) {
  std::fprintf(stderr, "finding: %s: %s\n", what, detail.c_str());
  std::abort();
}

void checkSentence(const Error& error) {
  if (error.message.empty() || error.message.size() > 2000) finding("length of a sentence", error.message);
  if (findInvalidUtf8(error.message)) finding("a sentence that is not UTF-8", error.message);
  for (const char c : error.message)
    if (static_cast<unsigned char>(c) < 0x20) finding("a control character in a sentence", error.message);
  if (error.kind != ErrorKind::BadInput && error.kind != ErrorKind::Usage) finding("kind of a refusal", error.message);
}

std::string lay(const std::string& name, std::span<const std::uint8_t> bytes) {
  const fs::path path = folder() / name;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) finding("the file could not be laid", path.string());
  return path.string();
}

void clear(const std::string& name) {
  std::error_code ignored;
  fs::remove(folder() / name, ignored);
}

void openAndLook(const std::string& path) {
  (void)formatOf(path);
  const auto opened = Checkpoint::open(path);
  if (!opened) return checkSentence(opened.error());
  const Checkpoint& checkpoint = **opened;
  (void)checkpoint.title();
  (void)checkpoint.parameters();
  std::size_t looked = 0;
  for (const TensorInfo& tensor : checkpoint.tensors()) {
    if (checkpoint.find(tensor.name) != &tensor) finding("a tensor that is not found", tensor.name);
    if (++looked <= kMostLookedAt) readEnds(checkpoint, tensor);
  }
  lookAtAttention(checkpoint);
  if (const auto words = readVocabulary(checkpoint); words) {
    for (std::int64_t i = 0; i < 4; ++i)
      (void)words->shown(i);
    (void)words->find("the");
    (void)words->complete("a", 5);
  } else {
    checkSentence(words.error());
  }
}

StoredZip& StoredZip::add(const std::string& name, std::string_view content) {
  const auto crc = ::crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
  const std::string common = raw(20, 2) + raw(0, 8) + raw(crc, 4) + raw(content.size(), 4) + raw(content.size(), 4) +
                             raw(name.size(), 2) + raw(0, 2);
  directory_ += "PK\1\2" + raw(20, 2) + common + raw(0, 10) + raw(entries_.size(), 4) + name;
  entries_ += "PK\3\4" + common + name + std::string(content);
  ++count_;
  return *this;
}

std::string StoredZip::bytes() const {
  return entries_ + directory_ + "PK\5\6" + raw(0, 4) + raw(count_, 2) + raw(count_, 2) + raw(directory_.size(), 4) +
         raw(entries_.size(), 4) + raw(0, 2);
}

}  // namespace sepx::fuzz
