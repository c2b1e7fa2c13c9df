// SPDX-License-Identifier: Apache-2.0
// Effects of changes of a model on its predictions: heads that write nothing, streams patched from another prompt, the
// lens, continuations, and the story of stories260K.
#include <cmath>
#include <filesystem>

#include <catch2/catch.hpp>

#include "engine/forward/effects.h"
#include "engine/tokenizer/tokenizer.h"
#include "tests/engine/forward/whole_models.h"
#include "tests/folders.h"

using namespace sepx;
using namespace sepx::forward;
using namespace sepx::forward::made;

namespace {

const Input kPrompt{{3, 1, 4, 1, 5, 9}, {}};

template <class T>
T required(Result<T> result) {
  INFO((result ? std::string() : result.error().message));
  REQUIRE(result);
  return *std::move(result);
}

Activations<float> wholePass(const ForwardModel& model, const Input& input) {
  ThreadPool pool(1);
  return required(model.run<float>(input, Request{}, pool));
}

std::int32_t likeliest(const Activations<float>& pass, std::size_t row) {
  return rank({pass.logitsOf(row), static_cast<std::size_t>(pass.vocabulary)}, 1).front().id;
}

}  // namespace

TEST_CASE("A head that writes nothing has no effect, and the other heads have effects", "[effects]") {
  TinyModel made = gpt2();
  // The weights are stored as Conv1D: inputs 4 to 7 are those of head 1.
  alter(made, "h.0.attn.c_proj.weight", [](std::size_t i, float value) { return i / 12 / 4 == 1 ? 0.0F : value; });
  const Folder folder;
  const auto model = openedModel(folder, made);
  ThreadPool pool(2);
  int published = 0, last = 0;
  const Effects effects =
      required(effectsOfHeads(*model, kPrompt, -1, Intervention::How::Scale, pool, {}, [&](const Effects& so) {
        ++published;
        CHECK(so.done == last + 1);
        last = so.done;
      }));
  REQUIRE(effects.layers == 2);
  REQUIRE(effects.heads == 3);
  CHECK(effects.all == 8);
  CHECK(effects.done == 8);
  CHECK(published == 8);
  CHECK(std::abs(effects.head[1]) < 1e-9);
  for (const std::size_t at : {0, 2, 3, 4, 5})
    CHECK(effects.head[at] > 1e-5);
  for (const double effect : effects.feedForward)
    CHECK(effect > 1e-5);

  // Compare with a model whose last head has no part in W_O.
  TinyModel without = made;
  alter(without, "h.1.attn.c_proj.weight", [](std::size_t i, float value) { return i / 12 / 4 == 2 ? 0.0F : value; });
  const auto other = openedModel(folder, without);
  const Activations<float> p = wholePass(*model, kPrompt), q = wholePass(*other, kPrompt);
  const auto vocabulary = static_cast<std::size_t>(p.vocabulary);
  CHECK(effects.head[5] == Approx(divergence({p.logitsOf(5), vocabulary}, {q.logitsOf(5), vocabulary})).epsilon(1e-4));
}

TEST_CASE("Effects are measured at any position and with the mean, and can be stopped", "[effects]") {
  const Folder folder;
  const auto model = openedModel(folder, gpt2());
  ThreadPool pool(1);
  const Effects first = required(effectsOfHeads(*model, kPrompt, 0, Intervention::How::Mean, pool, {}, {}));
  const Effects shorter = required(effectsOfHeads(*model, Input{{3}, {}}, 0, Intervention::How::Scale, pool, {}, {}));
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(std::isfinite(first.head[i]));
    CHECK(std::isfinite(shorter.head[i]));
  }
  // The mean over a single position is its own value.
  for (const double none :
       required(effectsOfHeads(*model, Input{{3}, {}}, 0, Intervention::How::Mean, pool, {}, {})).head)
    CHECK(none == Approx(0).margin(1e-9));
  const auto stopped =
      effectsOfHeads(*model, kPrompt, -1, Intervention::How::Scale, pool, [](double) { return true; }, {});
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::Interrupted);
  CHECK(effectsOfHeads(*model, kPrompt, -1, Intervention::How::Replace, pool, {}, {}).error().kind == ErrorKind::Usage);
  CHECK_FALSE(effectsOfHeads(*model, kPrompt, 6, Intervention::How::Scale, pool, {}, {}));
}

TEST_CASE("A stream patched at the position where the sentences differ has the whole effect", "[effects]") {
  const Folder folder;
  const auto model = openedModel(folder, gpt2());
  ThreadPool pool(1);
  Input other = kPrompt;
  other.ids[2] = 7;
  const Patching patching = required(patchStream(*model, kPrompt, other, 2, 5, pool, {}, {}));
  REQUIRE(patching.layers == 3);
  REQUIRE(patching.positions == 6);
  CHECK(patching.done == 18);
  const auto effect = [&](int layer, int position) {
    return patching.effect[static_cast<std::size_t>(layer * 6 + position)];
  };
  // Before the first block only the changed token differs. After the last block only the last position is read.
  for (int position = 0; position < 6; ++position) {
    CHECK(effect(0, position) == Approx(position == 2 ? 1 : 0).margin(1e-4));
    CHECK(effect(2, position) == Approx(position == 5 ? 1 : 0).margin(1e-4));
  }
  const auto difference = [&](const Input& input) {
    const Activations<float> pass = wholePass(*model, input);
    return static_cast<double>(pass.logitsOf(5)[2]) - static_cast<double>(pass.logitsOf(5)[5]);
  };
  CHECK(patching.whole == Approx(difference(other)).epsilon(1e-5));
  CHECK(patching.other == Approx(difference(kPrompt)).epsilon(1e-5));

  const Patching same = required(patchStream(*model, other, other, 2, 5, pool, {}, {}));
  CHECK(same.done == 18);
  for (const double none : same.effect)
    CHECK(std::isnan(none));

  CHECK(patchStream(*model, Input{{1, 2}, {}}, other, 2, 5, pool, {}, {}).error().message ==
        "the two sentences must have the same number of tokens: they have 2 and 6");
  CHECK(patchStream(*model, kPrompt, other, 2, 11, pool, {}, {}).error().kind == ErrorKind::Usage);
}

TEST_CASE("The lens of the last block is the model's own prediction", "[effects]") {
  const Folder folder;
  for (const TinyModel& made : {gpt2(), gemma2(), bert()}) {
    const auto model = openedModel(folder, made);
    const Activations<float> pass = wholePass(*model, kPrompt);
    ThreadPool pool(1);
    const Lens seen = required(lens(*model, pass, 4, pool));
    REQUIRE(seen.layers == 3);
    REQUIRE(seen.positions == 6);
    bool earlierDiffers = false;
    for (std::size_t position = 0; position < 6; ++position) {
      double entropy = 0;
      const std::vector<Prediction> own =
          rank({pass.logitsOf(position), static_cast<std::size_t>(pass.vocabulary)}, 4, &entropy);
      const std::vector<Prediction>& last = seen.predictions[2 * 6 + position];
      REQUIRE(last.size() == 4);
      for (std::size_t i = 0; i < 4; ++i) {
        CHECK(last[i].id == own[i].id);
        CHECK(last[i].probability == Approx(own[i].probability).epsilon(1e-5));
      }
      CHECK(seen.entropy[2 * 6 + position] == Approx(entropy).epsilon(1e-5));
      CHECK(seen.rankOfAnswer[2 * 6 + position] == 1);
      earlierDiffers = earlierDiffers || seen.rankOfAnswer[position] != 1;
    }
    CHECK(earlierDiffers);
  }
}

TEST_CASE("A continuation takes the most likely token of each full pass or a seeded draw", "[effects]") {
  const Folder folder;
  const auto model = openedModel(folder, gpt2());
  ThreadPool pool(1);
  Continuation how;
  how.tokens = 5;
  std::vector<std::int32_t> published;
  const auto greedy =
      required(continueText(*model, kPrompt.ids, how, pool, {}, [&](std::int32_t id) { published.push_back(id); }));
  REQUIRE(greedy.size() == 5);
  CHECK(published == greedy);
  Input so = kPrompt;
  for (const std::int32_t id : greedy) {
    CHECK(likeliest(wholePass(*model, so), so.ids.size() - 1) == id);
    so.ids.push_back(id);
  }
  how.end = greedy[1];
  CHECK(required(continueText(*model, kPrompt.ids, how, pool, {}, {})).size() <= 2);
  how.end = -1;
  // The model has 16 positions and the prompt 6. The continuation ends where the model can read no more tokens.
  how.tokens = 50;
  const auto longest = required(continueText(*model, kPrompt.ids, how, pool, {}, {}));
  CHECK(longest.size() == 10);
  std::vector<std::int32_t> full = kPrompt.ids;
  full.insert(full.end(), longest.begin(), longest.end());
  const auto beyond = continueText(*model, full, how, pool, {}, {});
  REQUIRE_FALSE(beyond);
  CHECK(beyond.error().kind == ErrorKind::Usage);
  how.temperature = 2;
  how.seed = 3;
  const auto drawn = required(continueText(*model, kPrompt.ids, how, pool, {}, {}));
  CHECK(drawn == required(continueText(*model, kPrompt.ids, how, pool, {}, {})));
  how.seed = 4;
  CHECK(drawn != required(continueText(*model, kPrompt.ids, how, pool, {}, {})));
  how.temperature = 1e-6;
  how.tokens = 5;
  CHECK(required(continueText(*model, kPrompt.ids, how, pool, {}, {})) == greedy);

  const auto masked = continueText(*openedModel(folder, bert()), kPrompt.ids, how, pool, {}, {});
  REQUIRE_FALSE(masked);
  CHECK(masked.error().kind == ErrorKind::Usage);
}

namespace {

/// The largest difference of `part` from `all` starting at `from`, relative to the largest number in `part`.
template <class T>
double unlike(const std::vector<T>& all, std::size_t from, const T* part, std::size_t count) {
  REQUIRE(from + count <= all.size());
  double worst = 0, size = 1;
  for (std::size_t i = 0; i < count; ++i) {
    worst = std::max(worst, static_cast<double>(std::abs(all[from + i] - part[i])));
    size = std::max(size, static_cast<double>(std::abs(part[i])));
  }
  return worst / size;
}

/// Compares a pass in pieces that end at each of `ends` with the whole pass.
template <class T>
void compareInPieces(const ForwardModel& model, const Input& whole, std::initializer_list<std::size_t> ends,
                     double most) {
  ThreadPool pool(2);
  const auto all = required(model.run<T>(whole, {}, pool));
  const auto d = static_cast<std::size_t>(all.d_model), columns = static_cast<std::size_t>(all.vocabulary);
  const std::size_t n = whole.ids.size();
  KeyValueCache<T> past;
  std::size_t done = 0;
  for (const std::size_t end : ends) {
    const Input so{{whole.ids.begin(), whole.ids.begin() + static_cast<std::ptrdiff_t>(end)}, {}};
    const auto next = required(model.goOn<T>(so, {}, past, pool));
    REQUIRE(next.first == static_cast<int>(done));
    REQUIRE(next.positions == static_cast<int>(end - done));
    REQUIRE(next.logitsAt.front() == static_cast<int>(done));
    CHECK(unlike(all.logits, done * columns, next.logits.data(), next.logits.size()) < most);
    for (std::size_t block = 0; block < all.blocks.size(); ++block) {
      const BlockActivations<T>&own = next.blocks[block], &of = all.blocks[block];
      CHECK(unlike(of.hidden, done * d, own.hidden.data(), own.hidden.size()) < most);
      for (std::size_t head = 0; head < static_cast<std::size_t>(own.heads); ++head)
        for (std::size_t row = 0; row < end - done; ++row)
          CHECK(unlike(of.attention, (head * n + done + row) * n,
                       own.attention.data() + (head * (end - done) + row) * end, end) < most);
    }
    done = end;
  }
  CHECK(past.positions == static_cast<int>(n));
  const auto again = model.goOn<T>(whole, {}, past, pool);
  REQUIRE_FALSE(again);
  CHECK(again.error().kind == ErrorKind::Usage);
}

}  // namespace

TEST_CASE("A continued pass has the numbers of the whole pass for every kind of attention", "[effects]") {
  const Folder folder;
  const Input whole{{3, 1, 4, 1, 5, 9, 2, 6, 5, 3}, {}};
  for (const auto& model : {openedModel(folder, gpt2()), openedModel(folder, llama()), openedModel(folder, qwen3()),
                            openedModel(folder, olmo2()), openedModel(folder, gemma2())}) {
    INFO(model->checkpoint().path());
    compareInPieces<float>(*model, whole, {4, 5, 6, 9, 10}, 1e-6);
    compareInPieces<double>(*model, whole, {1, 2, 3, 10}, 1e-13);
  }
}

TEST_CASE("A pass continues only from the positions it has computed, and a stopped pass keeps its state", "[effects]") {
  const Folder folder;
  const auto model = openedModel(folder, gpt2());
  ThreadPool pool(1);
  KeyValueCache<float> none;
  CHECK_FALSE(model->goOn<float>(kPrompt, {.interventions = {Intervention{}}}, none, pool));
  Request early;
  early.logitsAt = {1};
  KeyValueCache<float> past;
  (void)required(model->goOn<float>(Input{{kPrompt.ids[0], kPrompt.ids[1], kPrompt.ids[2]}, {}}, {}, past, pool));
  CHECK_FALSE(model->goOn<float>(kPrompt, early, past, pool));
  CHECK_FALSE(model->goOn<float>(kPrompt, {}, past, pool, [](double share) { return share > 0; }));
  CHECK(past.positions == 3);
  const auto after = required(model->goOn<float>(kPrompt, {}, past, pool));
  const auto all = wholePass(*model, kPrompt);
  CHECK(unlike(all.logits, 3 * static_cast<std::size_t>(all.vocabulary), after.logits.data(), after.logits.size()) <
        1e-6);
  const auto masked = openedModel(folder, bert())->goOn<float>(kPrompt, {}, none, pool);
  REQUIRE_FALSE(masked);
  CHECK(masked.error().kind == ErrorKind::Usage);
}

TEST_CASE("Draws follow the probabilities", "[effects]") {
  const Folder folder;
  const auto model = openedModel(folder, gpt2());
  const Activations<float> pass = wholePass(*model, kPrompt);
  const auto ranked = rank({pass.logitsOf(5), static_cast<std::size_t>(pass.vocabulary)}, 3);
  ThreadPool pool(1);
  Continuation how;
  how.temperature = 1;
  int hits = 0;
  constexpr int kDraws = 400;
  for (int seed = 0; seed < kDraws; ++seed) {
    how.seed = static_cast<std::uint64_t>(seed);
    hits += required(continueText(*model, kPrompt.ids, how, pool, {}, {})).front() == ranked.front().id ? 1 : 0;
  }
  const double p = ranked.front().probability, deviation = std::sqrt(kDraws * p * (1 - p));
  CHECK(std::abs(hits - kDraws * p) < 4.5 * deviation);
}

TEST_CASE("stories260K continues with its known story", "[effects]") {
  const std::string folder = tests::sharedFolder() + "/checkpoints/stories260K";
  if (!std::filesystem::exists(folder + "/stories260K.bin")) {
    WARN("skipped: there is no " << folder);
    return;
  }
  const auto model = openedModel(folder + "/stories260K.bin");
  const auto tokenizer = required(tokenizer::openTokenizer(folder + "/tok512.bin"));
  ThreadPool pool(2);
  Continuation how;
  how.tokens = 60;
  const auto story = required(continueText(*model, {1}, how, pool, {}, {}));
  std::vector<std::uint32_t> ids(story.begin(), story.end());
  const std::string text = required(tokenizer->decode(ids));
  INFO(text);
  CHECK(text.find("Once upon a time") < 2);
  Input so{{1}, {}};
  for (std::size_t i = 0; i < 20; ++i) {
    CHECK(likeliest(wholePass(*model, so), i) == story[i]);
    so.ids.push_back(story[i]);
  }
}
