// SPDX-License-Identifier: Apache-2.0
// A pass that reuses rows from a pass of another text has the same bits as a pass of its own text alone.
#include <catch2/catch.hpp>

#include "engine/forward/reusable_pass.h"
#include "tests/engine/forward/tiny_plan.h"
#include "tests/engine/forward/whole_models.h"

using namespace sepx;
using namespace sepx::forward;
using namespace sepx::forward::made;

namespace {

Input ids(std::vector<std::int32_t> list) {
  return {std::move(list), {}};
}

template <class T>
ReusablePass<T> kept(const ForwardModel& model, const Input& input, const ReusablePass<T>* before = nullptr) {
  ThreadPool pool(2);
  auto made = runReusing<T>(model, input, before, pool);
  INFO((made ? std::string() : made.error().message));
  REQUIRE(made);
  return *std::move(made);
}

template <class T>
void checkSameBits(const Activations<T>& one, const Activations<T>& other) {
  CHECK(one.positions == other.positions);
  CHECK(one.first == other.first);
  CHECK(one.embedding == other.embedding);
  CHECK(one.logits == other.logits);
  CHECK(one.logitsAt == other.logitsAt);
  CHECK(one.vocabulary == other.vocabulary);
  CHECK(one.nonfinite == other.nonfinite);
  REQUIRE(one.blocks.size() == other.blocks.size());
  for (std::size_t layer = 0; layer < one.blocks.size(); ++layer) {
    const BlockActivations<T>&own = one.blocks[layer], &of = other.blocks[layer];
    CHECK(own.attention == of.attention);
    CHECK(own.hidden == of.hidden);
    CHECK(own.middle == of.middle);
    CHECK(own.context == of.context);
    CHECK(own.attentionWrite == of.attentionWrite);
    CHECK(own.feedForwardWrite == of.feedForwardWrite);
  }
}

/// Compares a pass of `text` alone with one after a pass of `before`, of which it reuses `same` rows.
template <class T>
void compare(const ForwardModel& model, const std::vector<std::int32_t>& before, const std::vector<std::int32_t>& text,
             int same) {
  const ReusablePass<T> first = kept<T>(model, ids(before)), alone = kept<T>(model, ids(text));
  const ReusablePass<T> behind = kept<T>(model, ids(text), &first);
  CHECK(behind.reused == same);
  checkSameBits(behind.run, alone.run);
  CHECK(behind.past.positions == alone.past.positions);
  CHECK(behind.past.blocks == alone.past.blocks);
  ThreadPool pool(1);
  Request request;
  request.writes = true;
  const auto whole = model.run<T>(ids(text), request, pool);
  REQUIRE(whole);
  checkSameBits(behind.run, *whole);
}

template <class T>
void compareEdits(const ForwardModel& model) {
  INFO(model.checkpoint().path());
  const std::vector<std::int32_t> text{3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
  for (int at = 0; at < 10; ++at) {
    INFO("changed at " << at);
    std::vector<std::int32_t> other = text;
    other[static_cast<std::size_t>(at)] = 7;
    compare<T>(model, text, other, std::min(at, 8));
  }
  compare<T>(model, text, {3, 1, 4, 1}, 2);
  compare<T>(model, {3, 1, 4, 1}, text, 4);
  compare<T>(model, text, text, 8);
  compare<T>(model, text, {3}, 0);
}

}  // namespace

TEST_CASE("Reused rows of a text equal those of a pass of the whole text, bit for bit", "[kept]") {
  const Folder folder;
  for (const auto& model : {openedModel(folder, gpt2()), openedModel(folder, llama()), openedModel(folder, qwen3()),
                            openedModel(folder, olmo2()), openedModel(folder, gemma2())}) {
    compareEdits<float>(*model);
    compareEdits<double>(*model);
  }
}

TEST_CASE("Successive edits reuse the rows of the last pass", "[kept]") {
  const Folder folder;
  tiny::Shape shape;
  shape.learned = false;  // allows a text of several query tiles
  const auto model = tiny::tinyModel(shape).open(folder);
  std::vector<std::int32_t> text(150);
  for (std::size_t i = 0; i < text.size(); ++i)
    text[i] = static_cast<std::int32_t>(i * i % 11);
  ReusablePass<float> pass = kept<float>(*model, ids(text));
  for (const std::size_t at : {140U, 70U, 149U, 3U, 64U, 148U}) {
    text[at] = (text[at] + 1) % 11;
    pass = kept<float>(*model, ids(text), &pass);
    CHECK(pass.reused == static_cast<int>(std::min<std::size_t>(at, 148)));
    checkSameBits(pass.run, kept<float>(*model, ids(text)).run);
  }
}

TEST_CASE("A model in which later tokens change earlier rows computes every row", "[kept]") {
  const Folder folder;
  const auto model = openedModel(folder, bert());
  const ReusablePass<float> first = kept<float>(*model, ids({3, 1, 4, 1, 5}));
  const ReusablePass<float> next = kept<float>(*model, ids({3, 1, 4, 1, 6}), &first);
  CHECK(next.reused == 0);
  CHECK(next.run.logits == kept<float>(*model, ids({3, 1, 4, 1, 6})).run.logits);
}

TEST_CASE("A pass that reuses rows refuses the same input as any pass and can be stopped", "[kept]") {
  const Folder folder;
  const auto model = openedModel(folder, gpt2());
  ThreadPool pool(1);
  const ReusablePass<float> first = kept<float>(*model, ids({3, 1, 4, 1, 5}));
  const auto outside = runReusing<float>(*model, ids({3, 1, 4, 99, 5}), &first, pool);
  REQUIRE_FALSE(outside);
  CHECK(outside.error().kind == ErrorKind::Usage);
  CHECK_FALSE(runReusing<float>(*model, ids({}), &first, pool));
  const auto stopped =
      runReusing<float>(*model, ids({3, 1, 4, 2, 5}), &first, pool, [](double share) { return share > 0; });
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::Interrupted);
}
