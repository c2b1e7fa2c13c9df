// SPDX-License-Identifier: Apache-2.0
// Matrices that a run stores between its checkpoints, and long runs that are read in portions.
#include <algorithm>

#include "engine/train/checkpoint_writer.h"
#include "engine/train/run_store_database.h"
#include "engine/train/run_store_schema.h"
#include "engine/train/stored_matrices.h"
#include "tests/engine/train/trainer_rig.h"

using namespace sepx;
using namespace sepx::test;

namespace {

std::unique_ptr<RunReader> opened(const std::string& folder) {
  auto reader = RunReader::open(folder);
  INFO((reader ? "" : reader.error().message));
  REQUIRE(reader);
  return std::move(*reader);
}

RunConfig storingConfig() {
  RunConfig config = smallMarkov();
  config.schedule.storeEvery = 3;
  return config;
}

std::vector<StoredMatrix> allStored(const std::string& folder) {
  const auto reader = opened(folder);
  std::vector<StoredMatrix> all;
  const std::vector<std::int64_t> steps = *reader->storedSteps();
  const std::vector<std::string> names = *reader->storedParameters();
  for (const std::int64_t step : steps)
    for (const std::string& name : names)
      all.push_back(**reader->stored(step, name));
  return all;
}

}  // namespace

TEST_CASE("A run stores its matrices at the given interval, and they equal those of the checkpoints") {
  const RunFolder folder;
  const RunConfig config = storingConfig();
  finished(*started(config, headless(in(folder, "run"))));
  const auto reader = opened(in(folder, "run"));
  std::vector<std::int64_t> expected;
  for (std::int64_t step = 0; step < 40; step += 3)
    expected.push_back(step);
  expected.push_back(40);
  CHECK(reader->storedSteps() == expected);
  const std::vector<std::string> names = *reader->storedParameters();
  CHECK(names == std::vector<std::string>{"embedding.weight", "layers.0.attention.W_K.weight",
                                          "layers.0.attention.W_O.weight", "layers.0.attention.W_Q.weight",
                                          "layers.0.attention.W_V.weight", "layers.0.feed_forward.W_1.weight",
                                          "layers.0.feed_forward.W_2.weight"});
  RunConfig whole = config;
  const nn::ParameterLayout layout(whole.model);
  const auto state = readCheckpoint(checkpointFolder(in(folder, "run"), 30), layout);
  REQUIRE(state);
  for (const std::string& name : names) {
    const nn::Parameter* const parameter = layout.find(name);
    REQUIRE(parameter != nullptr);
    const auto matrix = reader->stored(30, name);
    REQUIRE(matrix);
    REQUIRE(*matrix);
    CHECK((*matrix)->rows == parameter->rows);
    CHECK((*matrix)->columns == parameter->columns);
    const auto first = state->theta.begin() + static_cast<std::ptrdiff_t>(parameter->offset);
    CHECK(std::equal((*matrix)->values.begin(), (*matrix)->values.end(), first));
    CHECK((*matrix)->values.size() == parameter->size());
  }
  CHECK((**reader->stored(32, names[0])).step == 30);  // the nearest stored step before
  CHECK((**reader->stored(1000, names[0])).step == 40);
  CHECK_FALSE(*reader->stored(-1, names[0]));
  CHECK_FALSE(*reader->stored(30, "no such parameter"));
}

TEST_CASE("Small models are stored completely, and large ones store the watched parameters or by default W_Q and W_K") {
  const nn::ModelConfig small{.vocabulary = 2, .length = 16, .layers = 2, .d_model = 8, .heads = 2};
  CHECK(storedParameters(nn::ParameterLayout(small), {}).size() == 13);
  CHECK(storedParameters(nn::ParameterLayout(small), {"layers.1.attention.W_O.weight"}).size() == 13);
  const nn::ModelConfig large{.vocabulary = 64, .length = 16, .layers = 2, .d_model = 128, .heads = 2};
  const auto names = storedParameters(nn::ParameterLayout(large), {});
  REQUIRE(names.size() == 4);
  CHECK(names[0]->role == nn::ParameterRole::Query);
  const auto watched = storedParameters(nn::ParameterLayout(large), {"layers.1.attention.W_O.weight"});
  REQUIRE(watched.size() == 1);
  CHECK(watched[0]->role == nn::ParameterRole::Projection);
}

TEST_CASE("After a kill and a resume, a run has the stored matrices of an uninterrupted run") {
  const RunFolder folder;
  RunConfig config = storingConfig();
  finished(*started(config, headless(in(folder, "whole"))));
  CHECK(inChild([&] {
          TrainerOptions options = headless(in(folder, "killed"));
          options.paced = true;
          const auto trainer = Trainer::start(config, options);
          (*trainer)->runSteps(27);
          ::kill(::getpid(), SIGKILL);
          return 0;
        }) == -SIGKILL);
  CHECK(opened(in(folder, "killed"))->storedSteps()->back() == 27);  // later than the checkpoint of step 20
  TrainerOptions again = headless(in(folder, "killed"));
  again.resume = true;
  {
    again.paced = true;
    const auto trainer = started(config, again);
    trainer->runSteps(1);
    CHECK(opened(in(folder, "killed"))->storedSteps()->back() == 21);
  }
  again.paced = false;
  finished(*started(config, again));
  CHECK(allStored(in(folder, "killed")) == allStored(in(folder, "whole")));
  requireSameRun(in(folder, "killed"), in(folder, "whole"), 40);
}

TEST_CASE("A run without stored matrices is read and resumed, also if the resumed run stores them") {
  const RunFolder folder;
  RunConfig config = smallMarkov();
  TrainerOptions options = headless(in(folder, "run"));
  options.steps = 20;
  finished(*started(config, options));
  {
    const auto database = Database::open(in(folder, "run/run.sqlite"), Access::Read);
    REQUIRE(database);
    CHECK(hasStoredMatrices(**database) == false);  // as an older program writes it
  }
  CHECK(opened(in(folder, "run"))->storedSteps()->empty());
  CHECK(opened(in(folder, "run"))->storedParameters()->empty());
  CHECK_FALSE(*opened(in(folder, "run"))->stored(0, "embedding.weight"));
  config.schedule.storeEvery = 10;
  options.resume = true;
  options.steps = 40;
  finished(*started(config, options));
  CHECK(opened(in(folder, "run"))->storedSteps() == std::vector<std::int64_t>{30, 40});
}

TEST_CASE("A matrix whose size does not match its shape is reported as damage") {
  const RunFolder folder;
  finished(*started(storingConfig(), headless(in(folder, "run"))));
  {
    const auto database = Database::open(in(folder, "run/run.sqlite"), Access::Write);
    REQUIRE(database);
    REQUIRE((*database)->run("UPDATE matrices SET rows = 3 WHERE step = 30"));
    REQUIRE((*database)->run("UPDATE matrices SET data = 'text', rows = -1 WHERE step = 33"));
  }
  const auto reader = opened(in(folder, "run"));
  for (const std::int64_t step : {30, 33}) {
    const auto matrix = reader->stored(step, "embedding.weight");
    REQUIRE_FALSE(matrix);
    CHECK(isSentence(matrix.error().message, "is damaged"));
  }
  CHECK(reader->stored(36, "embedding.weight"));
}

TEST_CASE("Reading after a step, in portions and by single steps gives the numbers of the whole") {
  const RunFolder folder;
  finished(*started(smallDiffusion(), headless(in(folder, "run"))));
  const Numbers whole = numbers(in(folder, "run"));
  const auto reader = opened(in(folder, "run"));
  const auto collect = [](Numbers& into, const std::vector<Series>& from) {
    for (const Series& series : from)
      for (std::size_t i = 0; i < series.steps.size(); ++i)
        CHECK(
            into.emplace(std::tuple(series.name, series.layer, series.head, series.steps[i]), series.values[i]).second);
  };
  Numbers after, expected;
  collect(after, *reader->seriesAfter(7));
  for (const auto& [key, value] : whole)
    if (std::get<3>(key) > 7) expected.emplace(key, value);
  CHECK(after == expected);
  CHECK(reader->seriesAfter(24)->empty());
  for (const std::size_t rows : {std::size_t{1}, std::size_t{10}, std::size_t{1000000}}) {
    Numbers pieces;
    std::int64_t last = -1;
    for (bool all = false; !all;) {
      const auto portion = reader->portion(last, rows);
      REQUIRE(portion);
      collect(pieces, portion->series);
      CHECK((portion->last > last || portion->all));
      last = portion->last;
      all = portion->all;
    }
    CHECK(pieces == whole);
  }
  const std::vector<std::int64_t> some{0, 8, 11, 999};
  Numbers single;
  collect(single, *reader->seriesAt(some));
  CHECK(single.size() == static_cast<std::size_t>(std::ranges::count_if(whole, [&](const auto& one) {
          return std::ranges::count(some, std::get<3>(one.first)) > 0;
        })));
}

TEST_CASE("Two thousand stored steps are read in any order, each by a new reader") {
  const RunFolder folder;
  const std::string path = in(folder, "run");
  RunRecord record;
  record.config = "{}";
  {
    auto writer = RunWriter::create(path, record);
    REQUIRE(writer);
    constexpr int kSide = 128;
    for (std::int64_t step = 0; step < 2000; ++step) {
      std::vector<StoredMatrix> stored;
      for (const char* name : {"layers.0.attention.W_Q.weight", "layers.0.attention.W_K.weight"})
        stored.push_back({step, name, kSide, kSide, std::vector<float>(kSide * kSide, static_cast<float>(step))});
      REQUIRE((*writer)->append(step, {}, stored));
    }
  }
  // As when a slider is dragged.
  for (std::int64_t i = 0; i < 400; ++i) {
    const std::int64_t step = i * 977 % 2000;
    const auto reader = opened(path);
    const auto query = reader->stored(step, "layers.0.attention.W_Q.weight");
    const auto key = reader->stored(step, "layers.0.attention.W_K.weight");
    REQUIRE(query);
    REQUIRE(key);
    REQUIRE((*query)->values.front() == static_cast<float>(step));
  }
  CHECK(opened(path)->storedSteps()->size() == 2000);
}
