// SPDX-License-Identifier: Apache-2.0
// Opens every file that tests/engine/checkpoint/hostile/make writes. The file is refused with one message that names
// the file and the position, or it opens. In either case nothing is run or written, and time and memory stay small.
#include <cstdlib>
#include <filesystem>
#include <set>

#include <sys/resource.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "engine/checkpoint/load_factors.h"
#include "engine/checkpoint/model_cache.h"
#include "engine/checkpoint/vocabulary.h"
#include "engine/checkpoint/vocabulary_read.h"
#include "tests/engine/checkpoint/opened.h"
#include "tests/folders.h"

using namespace sepx;
using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;

namespace fs = std::filesystem;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

/// The peak resident memory of this process in bytes.
std::uint64_t peak() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::set<std::string> filesOf(const fs::path& folder) {
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    files.insert(entry.path().string() + (entry.is_regular_file() ? " " + std::to_string(entry.file_size()) : ""));
  return files;
}

/// Does what the exhibit and the command line do with a file that opens. Any result is accepted.
void useAll(const Model& model) {
  for (const TensorInfo& tensor : model.checkpoint->tensors()) {
    std::vector<double> first(1);
    if (tensor.values() > 0) (void)model.checkpoint->read(tensor, 0, 1, 0, 1, first);
  }
  for (const AttentionLayer& layer : model.map.layers) {
    (void)loadFactors(*model.checkpoint, layer);
    (void)loadOmittedScoreParts(*model.checkpoint, layer);
  }
  (void)loadEmbedding(*model.checkpoint, model.map, 0);
  (void)readVocabulary(*model.checkpoint);
}

void checkSentence(const std::string& sentence, const std::string& path, const nlohmann::json& expected) {
  // The message names the file that was opened, or for a folder the file in it that is wrong.
  CHECK(sentence.find(fs::path(path).filename().string()) != std::string::npos);
  CHECK(sentence.find('\n') == std::string::npos);
  CHECK(sentence.size() < 1000);
  for (const char c : sentence)
    CHECK(static_cast<unsigned char>(c) >= 0x20);
  for (const auto& word : expected.at("says"))
    CHECK_THAT(sentence, Catch::Contains(word.get<std::string>()));
}

}  // namespace

TEST_CASE("Hostile files are refused with a message, and nothing is run or written") {
  const Folder folder;
  const std::string make = tests::sourceFolder() + "/tests/engine/checkpoint/hostile/make";
  if (std::system("python3 --version > /dev/null 2>&1") != 0) {
    WARN("skipped: python3, which makes the corpus, is not installed");
    return;
  }
  REQUIRE(std::system(("python3 '" + make + "' '" + folder.path.string() + "'").c_str()) == 0);
  const auto list = nlohmann::json::parse(content((folder.path / "list.json").string()));
  REQUIRE(list.size() > 400);
  const std::set<std::string> before = filesOf(folder.path);
  const std::uint64_t peakBefore = peak();
  for (const auto& expected : list) {
    const std::string name = expected.at("file"), path = (folder.path / name).string();
    INFO(name);
    const auto model = openModel(path);
    if (model) useAll(**model);
    INFO((model ? "opened" : model.error().message));
    if (expected.at("opens").is_boolean()) CHECK(model.has_value() == expected.at("opens").get<bool>());
    if (model) continue;
    CHECK(model.error().kind == ErrorKind::BadInput);
    checkSentence(model.error().message, path, expected);
  }
  CHECK_FALSE(fs::exists(folder.path / "canary"));
  CHECK_FALSE(fs::exists("/tmp/sepx_climbed"));
  CHECK(filesOf(folder.path) == before);
  if (!kSanitized) CHECK(peak() - peakBefore < (std::uint64_t{1} << 30));
}

TEST_CASE("NaN and infinite weights are read unchanged") {
  const Folder folder;
  const auto file = [&](const std::vector<float>& query) {
    return folder.write("model.safetensors",
                        safetensors({{"bert.encoder.layer.0.attention.self.query.weight", "F32", {2, 2}, raw(query)},
                                     {"bert.encoder.layer.0.attention.self.key.weight", "F32", {2, 2}, ramp(4)}}));
  };
  const auto model = openModel(file({NAN, INFINITY, -INFINITY, 1}));
  REQUIRE(model);
  const auto values = numbers(*(*model)->checkpoint, "bert.encoder.layer.0.attention.self.query.weight");
  CHECK(std::isnan(values[0]));
  CHECK(values[1] == INFINITY);
  CHECK(values[2] == -INFINITY);
}
