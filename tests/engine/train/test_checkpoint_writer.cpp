// SPDX-License-Identifier: Apache-2.0
// Checkpoints: a checkpoint reads back to the bit; a truncated or changed checkpoint and one of another model are
// refused with a message; after a kill at any moment every existing checkpoint is complete.
#include <bit>
#include <cstring>
#include <random>
#include <thread>

#include <catch2/catch.hpp>

#include "engine/checkpoint/checkpoint.h"
#include "engine/core/random.h"
#include "engine/train/checkpoint_files.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/run_store.h"
#include "tests/engine/core/memory_limit.h"
#include "tests/engine/train/run_folder.h"

using namespace sepx;
using namespace sepx::train;
using namespace sepx::test;

namespace {

RunConfig smallConfig() {
  RunConfig config;
  config.name = "small";
  config.model = {.vocabulary = 7, .length = 5, .layers = 2, .d_model = 6, .heads = 2};
  return config;
}

std::vector<float> randomValues(std::size_t count, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<float> values(count);
  for (float& value : values)
    value = static_cast<float>(random.normal());
  return values;
}

TrainState smallState(const nn::ParameterLayout& layout, std::int64_t step = 1240) {
  TrainState state;
  state.step = step;
  state.theta = randomValues(layout.size(), 1);
  state.first = randomValues(layout.size(), 2);
  state.second = randomValues(layout.size(), 3);
  state.average = randomValues(layout.size(), 4);
  state.optimiserSteps = 1240 / 2;
  state.sequence = ~std::uint64_t{0};
  state.rateFactor = 0.1 + 0.2;
  return state;
}

const std::vector<std::string> kWords{"a", "b", "c", "d", "e", "f", "[M]"};

void write(const std::string& folder, const TrainState& state) {
  const RunConfig config = smallConfig();
  const auto written = writeCheckpoint(folder, config, nn::ParameterLayout(config.model), state, kWords);
  INFO((written ? std::string() : written.error().message));
  REQUIRE(written);
}

std::string refusal(const std::string& folder, const nn::ParameterLayout& layout) {
  const auto state = readCheckpoint(folder, layout);
  REQUIRE_FALSE(state);
  CHECK(state.error().kind == ErrorKind::BadInput);
  CHECK(isSentence(state.error().message, "state.safetensors"));
  return state.error().message;
}

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

}  // namespace

TEST_CASE("A checkpoint reads back to the bit", "[checkpoint-writer]") {
  const RunFolder root;
  const nn::ParameterLayout layout(smallConfig().model);
  TrainState state = smallState(layout);
  // Values that are not equal to themselves, or equal to other values.
  state.theta[0] = std::bit_cast<float>(0x7fc12345u);
  state.theta[1] = -0.0f;
  state.theta[2] = std::bit_cast<float>(1u);
  write(root.path(), state);
  const std::string folder = checkpointFolder(root.path(), 1240);
  CHECK(namesIn(folder) ==
        std::vector<std::string>{"config.json", "model.safetensors", "state.safetensors", "vocab.json"});
  const auto read = readCheckpoint(folder, layout);
  INFO((read ? std::string() : read.error().message));
  REQUIRE(read);
  CHECK(read->step == state.step);
  CHECK(read->optimiserSteps == state.optimiserSteps);
  CHECK(read->sequence == state.sequence);
  CHECK(read->rateFactor == state.rateFactor);
  CHECK(sameBits(read->theta, state.theta));
  CHECK(sameBits(read->first, state.first));
  CHECK(sameBits(read->second, state.second));
  CHECK(sameBits(read->average, state.average));
  // SGD without momentum and without an average.
  TrainState bare;
  bare.step = 3;
  bare.theta = state.theta;
  write(root.path(), bare);
  const auto again = readCheckpoint(checkpointFolder(root.path(), 3), layout);
  REQUIRE(again);
  CHECK((again->first.empty() && again->second.empty() && again->average.empty()));
  CHECK(savedSteps(root.path()) == std::vector<std::int64_t>{3, 1240});
}

TEST_CASE("A checkpoint of data in a folder whose name is not UTF-8 is written", "[checkpoint-writer]") {
  const RunFolder root;
  RunConfig config = smallConfig();
  config.data.path = "/tmp/\xFF/words.txt";
  const nn::ParameterLayout layout(config.model);
  REQUIRE(writeCheckpoint(root.path(), config, layout, smallState(layout), kWords));
  CHECK(readCheckpoint(checkpointFolder(root.path(), 1240), layout));
}

TEST_CASE("An existing checkpoint is replaced as a whole", "[checkpoint-writer]") {
  const RunFolder root;
  const nn::ParameterLayout layout(smallConfig().model);
  TrainState state = smallState(layout);
  write(root.path(), state);
  state.theta[5] += 1;
  write(root.path(), state);
  const auto read = readCheckpoint(checkpointFolder(root.path(), 1240), layout);
  REQUIRE(read);
  CHECK(read->theta == state.theta);
  CHECK(namesIn(root / "checkpoints") == std::vector<std::string>{"step-0001240"});
}

TEST_CASE("The checkpoint of another model is refused with the name of the field", "[checkpoint-writer]") {
  const RunFolder root;
  write(root.path(), smallState(nn::ParameterLayout(smallConfig().model)));
  const std::string folder = checkpointFolder(root.path(), 1240);
  nn::ModelConfig other = smallConfig().model;
  other.d_ff = 5;
  CHECK(isSentence(refusal(folder, nn::ParameterLayout(other)), "W_1"));
  other = smallConfig().model;
  other.layers = 3;
  CHECK(isSentence(refusal(folder, nn::ParameterLayout(other)), "layers.2"));
  other.layers = 1;
  CHECK(isSentence(refusal(folder, nn::ParameterLayout(other)), "tensors"));
  {
    other.vocabulary = 1 << 24;  // 400 MB
    const MemoryLimit limit(std::size_t{64} << 20);
    CHECK(isSentence(refusal(folder, nn::ParameterLayout(other)), "the file has room for"));
  }
  const auto none = readCheckpoint(root / "nothing", nn::ParameterLayout(other));
  REQUIRE_FALSE(none);
  CHECK(isSentence(none.error().message, "cannot be read"));
}

TEST_CASE("A state that is truncated or changed at any byte is refused", "[checkpoint-writer]") {
  const RunFolder root;
  const nn::ParameterLayout layout(smallConfig().model);
  write(root.path(), smallState(layout));
  const std::string folder = checkpointFolder(root.path(), 1240), path = folder + "/state.safetensors";
  const std::string whole = readBytes(path);
  std::uint64_t header = 0;
  std::memcpy(&header, whole.data(), sizeof header);
  // Every length around the parts of the header and around the first value of each tensor, and a stride through the
  // rest.
  std::vector<std::size_t> lengths;
  for (std::size_t length = 0; length < 24; ++length)
    lengths.push_back(length);
  for (std::size_t length = 24; length < whole.size(); length += 97)
    lengths.push_back(length);
  std::size_t at = 8 + header;
  for (const nn::Parameter& parameter : layout.all()) {
    for (const std::size_t near : {at - 1, at, at + 1})
      lengths.push_back(near);
    at += parameter.size() * sizeof(float);
  }
  lengths.push_back(whole.size() - 1);
  for (const std::size_t length : lengths) {
    INFO("cut at " << length << " of " << whole.size());
    writeBytes(path, whole.substr(0, length));
    refusal(folder, layout);
  }
  std::mt19937 random(3);
  int silent = 0;
  for (int round = 0; round < 400; ++round) {
    std::string bytes = whole;
    const std::size_t from = round % 2 == 0 ? 0 : 8 + header;
    const std::size_t place = std::uniform_int_distribution<std::size_t>(from, whole.size() - 1)(random);
    bytes[place] = static_cast<char>(bytes[place] ^ static_cast<char>(1 << (round % 8)));
    writeBytes(path, bytes);
    const auto read = readCheckpoint(folder, layout);
    // Only a changed space of the padding is accepted.
    if (read) {
      ++silent;
      CHECK(place < 8 + header);
      CHECK(*read == smallState(layout));
    }
  }
  CHECK(silent < 5);
  writeBytes(path, whole + "x");
  refusal(folder, layout);
}

TEST_CASE("A state of a newer version is refused as such", "[checkpoint-writer]") {
  const RunFolder root;
  const nn::ParameterLayout layout(smallConfig().model);
  write(root.path(), smallState(layout));
  const std::string folder = checkpointFolder(root.path(), 1240), path = folder + "/state.safetensors";
  std::string bytes = readBytes(path);
  const std::string tag = "\"separatrix_state\":\"1\"";
  const std::size_t at = bytes.find(tag);
  REQUIRE(at != std::string::npos);
  bytes[at + tag.size() - 2] = '2';
  writeBytes(path, bytes);
  CHECK(isSentence(refusal(folder, layout), "newer program"));
  std::filesystem::copy_file(folder + "/model.safetensors", path, std::filesystem::copy_options::overwrite_existing);
  CHECK(isSentence(refusal(folder, layout), "not a saved state"));
}

TEST_CASE("A full disk or a read-only folder leaves the checkpoints unchanged", "[checkpoint-writer]") {
  const RunFolder root;
  const nn::ParameterLayout layout(smallConfig().model);
  write(root.path(), smallState(layout, 1));
  const auto before = namesIn(root / "checkpoints");
  const RunConfig config = smallConfig();
  const auto refusedHere = [&](std::int64_t step) {
    const auto written = writeCheckpoint(root.path(), config, layout, smallState(layout, step), kWords);
    if (written || written.error().kind != ErrorKind::OutputFailed) return false;
    return isSentence(written.error().message, "/checkpoints/step-000000" + std::to_string(step)) ||
           isSentence(written.error().message, "/checkpoints");
  };
  // Writing stops in config.json, in the model or in the state.
  const auto size = readBytes(checkpointFolder(root.path(), 1) + "/state.safetensors").size();
  for (const std::size_t limit : {std::size_t{0}, std::size_t{100}, std::size_t{3000}, size / 2, size - 1}) {
    INFO("limit " << limit);
    CHECK(inChild([&] {
            const FileSizeLimit full(limit);
            return refusedHere(2) && refusedHere(1) ? 0 : 1;
          }) == 0);
    CHECK(namesIn(root / "checkpoints") == before);
    CHECK(readCheckpoint(checkpointFolder(root.path(), 1), layout));
  }
  ::chmod((root / "checkpoints").c_str(), 0555);
  CHECK(inChild([&] {
          becomeNobody();
          return refusedHere(2) ? 0 : 1;
        }) == 0);
  CHECK(namesIn(root / "checkpoints") == before);
  ::chmod((root / "checkpoints").c_str(), 0755);
}

TEST_CASE("After a kill while a checkpoint is written, only complete checkpoints exist", "[checkpoint-writer]") {
  const RunFolder root;
  const nn::ParameterLayout layout(smallConfig().model);
  const RunConfig config = smallConfig();
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (std::int64_t step = 0;; ++step) {
        // Old steps are also replaced, and some are removed.
        if (!writeCheckpoint(root.path(), config, layout, smallState(layout, step % 5), kWords)) ::_exit(1);
        if (step % 7 == 6) pruneCheckpoints(root.path(), 2);
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution<int>(500, 20000)(random)));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    REQUIRE(WIFSIGNALED(status));
    if (!std::filesystem::exists(root / "checkpoints")) continue;
    for (const std::string& name : namesIn(root / "checkpoints")) {
      const auto step = stepOfFolderName(name);
      if (!step) continue;
      const auto read = readCheckpoint(checkpointFolder(root.path(), *step), layout);
      INFO((read ? std::string() : read.error().message));
      REQUIRE(read);
      CHECK(read->step == *step);
      CHECK(sepx::checkpoint::Checkpoint::open(checkpointFolder(root.path(), *step)));
    }
    removeUnfinished(root.path());
    for (const std::string& name : namesIn(root / "checkpoints"))
      CHECK(stepOfFolderName(name));
  }
}

TEST_CASE("Only the newest checkpoints are kept", "[checkpoint-writer]") {
  const RunFolder root;
  const nn::ParameterLayout layout(smallConfig().model);
  for (const std::int64_t step : {1, 20, 300, 4000})
    write(root.path(), smallState(layout, step));
  pruneCheckpoints(root.path(), 0);
  CHECK(savedSteps(root.path()).size() == 4);
  dropCheckpoint(root.path(), 20);
  dropCheckpoint(root.path(), 21);
  CHECK(savedSteps(root.path()) == std::vector<std::int64_t>{1, 300, 4000});
  pruneCheckpoints(root.path(), 2);
  CHECK(savedSteps(root.path()) == std::vector<std::int64_t>{300, 4000});
  CHECK(namesIn(root / "checkpoints").size() == 2);
  // A folder without its state is not a checkpoint from which a run can resume.
  std::filesystem::remove(checkpointFolder(root.path(), 4000) + "/state.safetensors");
  CHECK(savedSteps(root.path()) == std::vector<std::int64_t>{300});
}

TEST_CASE("A parameter file contains tensors of any shape as described", "[checkpoint-writer]") {
  const RunFolder root;
  const std::vector<float> values = randomValues(6 * 70000, 9);
  std::vector<ExportedTensor> tensors(4);
  tensors[0].name = "view \"x\"";
  tensors[0].shape = {6, 70000};
  tensors[0].values = values;
  tensors[1].name = "turned";
  tensors[1].shape = {70000, 6};
  tensors[1].values = values;
  tensors[1].transposed = true;
  tensors[2].name = "own";
  tensors[2].shape = {3};
  tensors[2].own = {1, 2, 3};
  tensors[3].name = "constant";
  tensors[3].shape = {2, 1};
  tensors[3].fill = 0.25f;
  REQUIRE(writeSafetensors(root / "a.safetensors", tensors, {{"format", "pt"}, {"odd \n key", "ü"}}));
  const auto file = sepx::checkpoint::Checkpoint::open(root / "a.safetensors");
  INFO((file ? std::string() : file.error().message));
  REQUIRE(file);
  CHECK((*file)->metadata().at("odd \n key") == "ü");
  const auto read = [&](const char* name, std::int64_t rows, std::int64_t columns) {
    std::vector<float> out(static_cast<std::size_t>(rows * columns));
    const auto* const tensor = (*file)->find(name);
    REQUIRE(tensor);
    REQUIRE((*file)->read(*tensor, 0, rows, 0, columns, std::span<float>(out)));
    return out;
  };
  CHECK(read("view \"x\"", 6, 70000) == values);
  const auto turned = read("turned", 70000, 6);
  bool right = true;
  for (std::size_t i = 0; i < 70000; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      right = right && turned[i * 6 + j] == values[j * 70000 + i];
  CHECK(right);
  CHECK(turned == valuesOf(tensors[1]));
  CHECK(read("own", 3, 1) == std::vector<float>{1, 2, 3});
  CHECK(read("constant", 2, 1) == std::vector<float>{0.25f, 0.25f});
}
