// SPDX-License-Identifier: Apache-2.0
// Benchmark of forward passes of GPT-2's shape (124 million random weights) from files in F32 and in F16:
// - the first pass after the file is opened, and the passes that follow, with the probabilities of all heads and the
//   logits of every position, as the page Sentence needs them;
// - one more token after 64 tokens, by a pass over the whole text and by a pass that continues from its keys and
// values;
// - the work of the page Sentence for a text: the first time, after a change of the last token or of a token in the
//   middle, and without one head of the last layer.
// The peer is tests/bench/peers/forward_torch.py, with the same shapes.
#include <memory>
#include <string>
#include <utility>

#include "app/cli/text.h"
#include "engine/checkpoint/model_cache.h"
#include "engine/core/random.h"
#include "engine/core/thread_pool.h"
#include "engine/core/try.h"
#include "engine/forward/forward_pass.h"
#include "tests/bench/cases/bench.h"
#include "tests/bench/cases/bench_checkpoints.h"
#include "ui/sentence/sentence_pass.h"

namespace sepx::app::cli {
namespace {

forward::Input someTokens(int count) {
  forward::Input input;
  RandomStream random(1);
  for (int i = 0; i < count; ++i)
    input.ids.push_back(static_cast<std::int32_t>(random.below(50257)));
  return input;
}

Result<void> passOnce(const forward::ForwardModel& model, const forward::Input& input, ThreadPool& pool) {
  SEPX_TRY(model.run<float>(input, {}, pool));
  return {};
}

ui::SentenceTokensPointer sentenceOf(const forward::Input& input) {
  auto made = std::make_shared<ui::SentenceTokens>();
  for (const std::int32_t id : input.ids)
    made->tokens.push_back({.id = id, .original = id});
  return made;
}

/// Measures the work of the page Sentence.
Result<void> measurePage(const std::shared_ptr<const forward::ForwardModel>& model, const std::string& word,
                         const forward::Input& text, ThreadPool& pool, std::vector<Measurement>& into) {
  const auto pass = [&](const forward::Input& input, const ui::SentencePassPointer& before) {
    return ui::runSentence(model, sentenceOf(input), before, pool, {}, [](double) {});
  };
  SEPX_ASSIGN(const ui::SentencePassPointer first, pass(text, nullptr));
  const auto add = [&](const char* name, std::string what, const auto& body) -> Result<void> {
    Measurement one{word + "-page-" + name, std::move(what), {}};
    SEPX_TRY(measure(one, {9, 1}, [&]() -> Result<void> {
      SEPX_TRY(body());
      return {};
    }));
    into.push_back(std::move(one));
    return {};
  };
  SEPX_TRY(add("whole", trf(N_("page Sentence, 64 tokens, file in {}"), word), [&] { return pass(text, nullptr); }));
  for (const auto& [name, at] : {std::pair{"last", std::size_t{63}}, std::pair{"middle", std::size_t{32}}}) {
    forward::Input other = text;
    other.ids[at] = (other.ids[at] + 1) % 50257;
    SEPX_TRY(add(name, trf(N_("the same after token {} was changed"), at + 1), [&] { return pass(other, first); }));
  }
  forward::Intervention out;
  out.layer = static_cast<int>(model->plan().blocks.size()) - 1;
  out.head = 0;
  return add("without", trf(N_("the same without a head of the last layer")),
             [&] { return ui::runChanged(first, {out}, pool, {}); });
}

}  // namespace

Result<BenchResult> benchForward(const Options& common) {
  const BenchFolder folder;
  ThreadPool pool(common.threads);
  BenchResult result{"forward"};
  for (const auto& [numbers, word] : {std::pair{BenchNumbers::F32, "f32"}, std::pair{BenchNumbers::F16, "f16"}}) {
    SEPX_ASSIGN(const std::string path, writeGpt2Shape(folder.file(word), numbers, true));
    const forward::Input few = someTokens(64), many = someTokens(512);
    Measurement opened{std::string(word) + "-open-64",
                       trf(N_("file in {} to the logits of 64 tokens, {} threads"), word, pool.size()),
                       {}};
    // No object keeps the file open between the rounds, so each round opens it again.
    SEPX_TRY(measure(opened, {3, 0}, [&]() -> Result<void> {
      SEPX_ASSIGN(auto found, checkpoint::openModel(path));
      SEPX_ASSIGN(const auto model, forward::ForwardModel::open(std::move(found)));
      return passOnce(*model, few, pool);
    }));
    SEPX_ASSIGN(auto found, checkpoint::openModel(path));
    SEPX_ASSIGN(const auto model, forward::ForwardModel::open(std::move(found)));
    Measurement again{std::string(word) + "-64", trf(N_("64 tokens again, file in {}"), word), {}};
    SEPX_TRY(measure(again, {15, 1}, [&] { return passOnce(*model, few, pool); }));
    Measurement longer{std::string(word) + "-512", trf(N_("512 tokens again, file in {}"), word), {}};
    SEPX_TRY(measure(longer, {5, 1}, [&] { return passOnce(*model, many, pool); }));
    forward::Input next = few;
    next.ids.push_back(5);
    forward::Request last;
    last.attention = last.hidden = false;
    last.logitsAt = {64};
    Measurement whole{
        std::string(word) + "-next-whole", trf(N_("the next token by a whole pass, file in {}"), word), {}};
    SEPX_TRY(measure(whole, {9, 1}, [&]() -> Result<void> {
      SEPX_TRY(model->run<float>(next, last, pool));
      return {};
    }));
    forward::KeyValueCache<float> past;
    SEPX_TRY(model->goOn<float>(few, {}, past, pool));
    Measurement kept{std::string(word) + "-next-kept", trf(N_("the next token from kept keys, file in {}"), word), {}};
    SEPX_TRY(measure(kept, {15, 1}, [&]() -> Result<void> {
      past.positions = 64;  // repeats the same token
      SEPX_TRY(model->goOn<float>(next, last, past, pool));
      return {};
    }));
    for (Measurement* one : {&opened, &again, &longer, &whole, &kept})
      result.measurements.push_back(std::move(*one));
    SEPX_TRY(measurePage(model, word, few, pool, result.measurements));
  }
  return result;
}

}  // namespace sepx::app::cli
