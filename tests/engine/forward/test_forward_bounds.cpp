// SPDX-License-Identifier: Apache-2.0
// Tests which input a pass refuses and which errors it handles, and that neither threads nor the position of a tensor
// in its file change a bit.
#include <filesystem>

#include <catch2/catch.hpp>

#include "tests/engine/forward/tiny_plan.h"

namespace sepx::forward::tiny {

namespace {

template <class T>
Error errorOf(const ForwardModel& model, const Input& input, const Request& request = {}) {
  ThreadPool pool(2);
  const auto pass = model.run<T>(input, request, pool);
  REQUIRE_FALSE(pass);
  return pass.error();
}
void checkUsage(const ForwardModel& model, const Input& input, const std::string& words, const Request& request = {}) {
  const Error error = errorOf<float>(model, input, request);
  INFO(error.message);
  CHECK(error.kind == ErrorKind::Usage);
  CHECK(error.message.find(words) != std::string::npos);
}
Input ids(std::vector<std::int32_t> list) {
  Input input;
  input.ids = std::move(list);
  return input;
}

/// A model so large that its products are divided among threads.
PlannedModel larger() {
  Shape shape;
  shape.d_model = 96;
  shape.d_h = shape.d_v = 24;
  shape.vocabulary = 1500;
  PlannedModel small = tinyModel(shape);
  for (BlockPlan& block : small.plan.blocks) {
    block.attention.rope = checkpoint::RopeSource{10000, 24, false};
    block.feedForward = small.feedForward("mlp", FeedForwardActivation::Silu, true);
  }
  return small;
}

/// The same model with its tensors moved back in the file by `by` bytes.
std::shared_ptr<const ForwardModel> shifted(const PlannedModel& small, const files::Folder& folder, std::size_t by) {
  const std::string bytes = small.bytes();
  std::uint64_t header = 0;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::string padded = bytes.substr(8, header) + std::string(by, ' ');
  auto moved = std::make_shared<checkpoint::Model>();
  const std::string name = "moved-" + std::to_string(by) + ".safetensors";
  const auto opened =
      checkpoint::Checkpoint::open(folder.write(name, files::safetensors(padded, bytes.substr(8 + header))));
  REQUIRE(opened);
  moved->checkpoint = *opened;
  const auto model = ForwardModel::open(moved, small.plan);
  REQUIRE(model);
  return *model;
}

}  // namespace

TEST_CASE("Input that does not suit the model is refused with a message", "[forward]") {
  const files::Folder folder;
  const auto model = tinyModel().open(folder);
  checkUsage(*model, {}, "no tokens");
  checkUsage(*model, ids({3, 19}), "token 19 at position 1");
  checkUsage(*model, ids({-1}), "token -1");
  checkUsage(*model, tokens(101), "at most 100");
  Input pixels;
  pixels.pixels.resize(4);
  checkUsage(*model, pixels, "reads tokens");
  Request request;
  request.layers = 3;
  checkUsage(*model, tokens(4), "3 layers", request);
  request = {};
  request.logitsAt = {4};
  checkUsage(*model, tokens(4), "no position 4", request);
  request.logitsAt = {-1};
  checkUsage(*model, tokens(4), "no position -1", request);

  Shape endless;
  endless.learned = false;
  const auto open = tinyModel(endless).open(folder);
  checkUsage(*open, tokens(70000), "at most 65536");
  checkUsage(*open, tokens(30000), "too much to keep");
  request = {};
  request.attention = false;
  PlannedModel wide = tinyModel(endless);
  wide.plan.head->logits.out = 1 << 20;
  checkUsage(*wide.open(folder), tokens(2000), "logits of 2000 positions", request);

  PlannedModel small = tinyModel(endless);
  small.plan.image.emplace().image = 8;
  small.plan.image->patch = 4;
  small.plan.image->channels = 1;
  const auto images = small.open(folder);
  checkUsage(*images, tokens(4), "reads images");
  checkUsage(*images, pixels, "64 numbers");
}

TEST_CASE("A pass has the same bits on any number of threads and at any position of its tensors", "[forward]") {
  const PlannedModel small = larger();
  const files::Folder folder;
  const auto model = small.open(folder);
  const Input input = tokens(90, 1500);
  const auto floats = passOf<float>(*model, input, {}, 1);
  const auto doubles = passOf<double>(*model, input, {}, 1);
  for (const int threads : {2, 3}) {
    const auto pass = passOf<float>(*model, input, {}, threads);
    CHECK(pass.logits == floats.logits);
    CHECK(pass.blocks[1].attention == floats.blocks[1].attention);
    CHECK(passOf<double>(*model, input, {}, threads).logits == doubles.logits);
  }
  CHECK(worstDifference(floats.logits, doubles.logits) < 2e-4);
  // First doubles with the same values, then floats at every address modulo 4.
  CHECK(passOf<float>(*small.open(folder, "F64"), input).logits == floats.logits);
  CHECK(passOf<double>(*small.open(folder, "F64"), input).logits == doubles.logits);
  for (std::size_t shift = 0; shift < 4; ++shift)
    CHECK(passOf<float>(*shifted(small, folder, shift), input).logits == floats.logits);
  // The last tensor ends with the file and the file with a page, so that no memory follows it.
  const std::string bytes = small.bytes();
  const std::size_t rest = (4096 - bytes.size() % 4096) % 4096;
  CHECK(passOf<float>(*shifted(small, folder, rest), input).logits == floats.logits);
}

TEST_CASE("A pass keeps only what is requested", "[forward]") {
  const files::Folder folder;
  const auto model = tinyModel().open(folder);
  const auto whole = passOf<float>(*model, tokens(9));
  CHECK(whole.blocks[0].context.empty());
  CHECK(whole.blocks[0].attentionWrite.empty());
  CHECK(whole.vocabulary == 19);
  CHECK(whole.logitsAt.size() == 9);
  Request request;
  request.attention = request.hidden = false;
  request.logitsAt = {8, 2};
  const auto some = passOf<float>(*model, tokens(9), request);
  CHECK(some.blocks[1].attention.empty());
  CHECK(some.blocks[1].hidden.empty());
  REQUIRE(some.logits.size() == 38);
  CHECK(std::equal(some.logits.begin(), some.logits.begin() + 19, whole.logitsOf(8)));
  CHECK(std::equal(some.logits.begin() + 19, some.logits.end(), whole.logitsOf(2)));
  request = {};
  request.layers = 1;
  request.writes = true;
  const auto first = passOf<float>(*model, tokens(9), request);
  CHECK(first.logits.empty());
  REQUIRE(first.blocks.size() == 1);
  CHECK(first.blocks[0].hidden == whole.blocks[0].hidden);
  // The writes add up to the stream.
  for (std::size_t i = 0; i < first.embedding.size(); ++i) {
    REQUIRE(first.blocks[0].middle[i] == Approx(first.embedding[i] + first.blocks[0].attentionWrite[i]));
    REQUIRE(first.blocks[0].hidden[i] == Approx(first.blocks[0].middle[i] + first.blocks[0].feedForwardWrite[i]));
  }
  // The lens of the last stream is the prediction itself.
  ThreadPool pool(2);
  const auto lens = model->logitsOf(9, whole.blocks[1].hidden.data(), pool);
  REQUIRE(lens);
  CHECK(*lens == whole.logits);
  PlannedModel headless = tinyModel();
  headless.plan.head = std::nullopt;
  const auto none = headless.open(folder);
  CHECK(passOf<float>(*none, tokens(4)).logits.empty());
  CHECK(none->logitsOf(9, whole.blocks[1].hidden.data(), pool).error().kind == ErrorKind::Usage);
}

TEST_CASE("A file without value and output weights still gives its attention patterns", "[forward]") {
  const files::Folder folder;
  PlannedModel small = tinyModel();
  const auto whole = passOf<double>(*small.open(folder), tokens(9));
  small.plan.blocks.resize(1);
  BlockPlan& block = small.plan.blocks[0];
  block.W_V = {};
  block.b_V = std::nullopt;
  block.W_O = {};
  block.feedForward = std::nullopt;
  small.plan.head = std::nullopt;
  Request request;
  request.writes = true;
  const auto pass = passOf<double>(*small.open(folder), tokens(9), request);
  CHECK(worstDifference(pass.blocks[0].attention, whole.blocks[0].attention) == 0);
  CHECK(pass.blocks[0].hidden == pass.embedding);
  CHECK(pass.blocks[0].context == std::vector<double>(9 * 24));
}

TEST_CASE("Non-finite numbers are counted", "[forward]") {
  const files::Folder folder;
  PlannedModel small = tinyModel();
  CHECK(passOf<float>(*small.open(folder), tokens(4)).nonfinite == 0);
  small.tables.at("h.1.ln1.weight").values[2] = NAN;
  const auto pass = passOf<float>(*small.open(folder), tokens(4));
  CHECK(pass.nonfinite == 4 * 24 + 4 * 19);
  CHECK(passOf<double>(*small.open(folder), tokens(4)).nonfinite == 4 * 24 + 4 * 19);
  small = tinyModel();
  small.tables.at("wte").values[0] = INFINITY;
  CHECK(passOf<float>(*small.open(folder), ids({0, 1})).nonfinite > 0);
  // A non-finite number at a later token does not affect the tokens before it.
  small.plan.head->logits = small.linear("head", 19, 24);
  const auto late = passOf<double>(*small.open(folder), ids({3, 1, 4, 0}));
  const auto without = passOf<double>(*small.open(folder), ids({3, 1, 4}));
  CHECK(late.nonfinite == 1 + 24 + 24 + 19);  // embedding, two blocks, and logits at the last position
  CHECK(worstDifference(std::vector<double>(late.logits.begin(), late.logits.begin() + 57), without.logits) < 1e-12);
}

TEST_CASE("A pass reports its progress and ends soon after it is cancelled", "[forward]") {
  const files::Folder folder;
  const auto model = tinyModel().open(folder);
  ThreadPool pool(2);
  std::vector<int> done;
  REQUIRE(model->run<float>(tokens(4), {}, pool, {}, [&](int at, int all) {
    CHECK(all == 2);
    done.push_back(at);
  }));
  CHECK(done == std::vector<int>{0, 1, 2});
  double share = -1;
  const auto cancelled = model->run<float>(tokens(4), {}, pool, [&](double now) {
    share = now;
    return now > 0.3;
  });
  REQUIRE_FALSE(cancelled);
  CHECK(cancelled.error().kind == ErrorKind::Interrupted);
  CHECK(share == Approx(1.0 / 3));
}

TEST_CASE("A file that shrinks gives an error that names the file", "[forward][hostile]") {
  const files::Folder folder;
  const PlannedModel small = larger();
  const auto model = small.open(folder);
  const std::string path = (folder.path / "tiny.safetensors").string();
  ThreadPool pool(2);
  int blocks = 0;
  // The file shrinks in the middle of the pass, so that the second block cannot be read.
  const auto pass = model->run<float>(tokens(4), {}, pool, {}, [&](int done, int) {
    if (done == 1) std::filesystem::resize_file(path, 100);
    ++blocks;
  });
  REQUIRE_FALSE(pass);
  CHECK(pass.error().kind == ErrorKind::BadInput);
  CHECK(pass.error().message.find("tiny.safetensors") != std::string::npos);
  CHECK(blocks == 2);
  CHECK(errorOf<double>(*model, tokens(4)).kind == ErrorKind::BadInput);
}

TEST_CASE("A plan that does not fit its file gives an error of the file", "[forward][hostile]") {
  const files::Folder folder;
  const auto refusedAtOnce = [&](const std::function<void(PlannedModel&)>& change) {
    PlannedModel small = tinyModel();
    change(small);
    const auto model = small.tryOpen(folder);
    REQUIRE_FALSE(model);
    CHECK(model.error().kind == ErrorKind::BadInput);
  };
  refusedAtOnce([](PlannedModel& small) { small.plan.d_model = 0; });
  refusedAtOnce([](PlannedModel& small) { small.plan.image.emplace(); });
  refusedAtOnce([](PlannedModel& small) { small.plan.embeddingProjection.emplace(); });
  refusedAtOnce([](PlannedModel& small) { small.plan.blocks[0].W_V.tensor.clear(); });
  refusedAtOnce([](PlannedModel& small) { small.plan.blocks[1].attention.kvHeads = 3; });
  refusedAtOnce([](PlannedModel& small) { small.plan.blocks[1].attention.kvHeads = 0; });
  refusedAtOnce([](PlannedModel& small) { small.plan.blocks[0].attention.d_h = 0; });
  refusedAtOnce([](PlannedModel& small) { small.plan.blocks[0].attention.d_model = 25; });
  refusedAtOnce([](PlannedModel& small) { small.plan.blocks[0].W_O.in = 23; });
  refusedAtOnce([](PlannedModel& small) { small.plan.blocks[0].score.slopes = {1, 2}; });
  refusedAtOnce([](PlannedModel& small) { small.plan.blocks[0].score.window = -1; });
  refusedAtOnce([](PlannedModel& small) {
    small.plan.blocks[0].attention.rope = checkpoint::RopeSource{10000, 8, false};
  });
  refusedAtOnce([](PlannedModel& small) {
    small.plan.blocks[0].attention.rope = checkpoint::RopeSource{10000, 5, false};
  });
  refusedAtOnce([](PlannedModel& small) {
    small.plan.blocks[0].attention.rope = checkpoint::RopeSource{10000, 6, false};
    small.plan.blocks[0].ropeScaling.factors = {1};
  });
  refusedAtOnce([](PlannedModel& small) {
    small.plan.blocks[0].score.distanceBias = "wte";
    small.plan.blocks[0].score.distanceBuckets = 32;
    small.plan.blocks[0].score.distanceFarthest = 3;
  });

  const auto refusedLater = [&](const std::function<void(PlannedModel&)>& change) {
    PlannedModel small = tinyModel();
    change(small);
    const Error error = errorOf<float>(*small.open(folder), tokens(4));
    INFO(error.message);
    CHECK(error.kind == ErrorKind::BadInput);
    CHECK(error.message.find("tiny.safetensors") != std::string::npos);
  };
  refusedLater([](PlannedModel& small) { small.tables.erase("wte"); });
  refusedLater([](PlannedModel& small) { small.table("wpe", {3, 24}, 1); });
  refusedLater([](PlannedModel& small) {
    small.plan.embeddingProjection = small.linear("widen", 24, 10);
    small.plan.embeddingProjection->in = std::int64_t{1} << 60;
  });
  refusedLater([](PlannedModel& small) { small.table("wte", {19, 2}, 1); });
  refusedLater([](PlannedModel& small) { small.table("h.0.q.weight", {23, 24}, 1); });
  refusedLater([](PlannedModel& small) { small.table("h.0.q.bias", {23}, 1); });
  refusedLater([](PlannedModel& small) { small.plan.blocks[0].attention.W_Q.offset = -1; });
  refusedLater([](PlannedModel& small) { small.plan.blocks[0].attention.W_Q.headStride = std::int64_t{1} << 61; });
  refusedLater([](PlannedModel& small) {
    small.plan.blocks[0].attention.W_Q.perHead = true;
    small.table("h.0.q.weight", {3, 24, 6}, 1);
  });
  refusedLater([](PlannedModel& small) { small.table("h.1.ln2.weight", {5}, 1); });
  refusedLater([](PlannedModel& small) { small.plan.blocks[1].feedForward->down.in = 5; });
  refusedLater([](PlannedModel& small) { small.plan.blocks[1].feedForward->down.out = 5; });
  refusedLater([](PlannedModel& small) { small.plan.blocks[1].feedForward->up.first = 70; });
  refusedLater([](PlannedModel& small) {
    small.plan.blocks[1].feedForward->gate = small.plan.blocks[1].feedForward->up;
    small.plan.blocks[1].feedForward->gate->out = 5;
  });
  refusedLater([](PlannedModel& small) { small.plan.head->logits.in = 12; });
  refusedLater([](PlannedModel& small) {
    small.plan.head->outputBias = "h.0.q.bias";
    small.table("h.0.q.bias", {3}, 1);
  });
  refusedLater([](PlannedModel& small) {
    small.plan.blocks[0].score.distanceBias = "ln_f.weight";
    small.plan.blocks[0].score.distanceBuckets = 32;
    small.plan.blocks[0].score.distanceFarthest = 128;
  });
}

}  // namespace sepx::forward::tiny
