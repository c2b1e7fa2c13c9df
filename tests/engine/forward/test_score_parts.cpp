// SPDX-License-Identifier: Apache-2.0
// Tests of scores and their parts. The sum of the parts is the score that follows from the probabilities of a pass, for
// every kind of norm, bias and encoding. If no block writes to the stream, the parts are those of a closed form.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "engine/checkpoint/family_rule.h"
#include "engine/forward/score_parts.h"
#include "tests/engine/forward/whole_models.h"
#include "tests/folders.h"

using namespace sepx;
using namespace sepx::forward;
using namespace sepx::forward::made;

namespace {

Request withWrites() {
  Request request;
  request.writes = true;
  return request;
}

template <class T>
Activations<T> passOf(const ForwardModel& model, const Input& input, const Request& request = withWrites()) {
  ThreadPool pool(1);
  auto pass = model.run<T>(input, request, pool);
  INFO((pass ? std::string() : pass.error().message));
  REQUIRE(pass);
  return *std::move(pass);
}

template <class T>
ScoreParts partsOf(const ForwardModel& model, const Input& input, const Activations<T>& pass, int layer, int head,
                   int query, int key) {
  auto parts = scoreParts(model, input, pass, layer, head, query, key);
  INFO((parts ? std::string() : parts.error().message));
  REQUIRE(parts);
  return *std::move(parts);
}

template <class T>
double logOf(const Activations<T>& pass, int layer, int head, int query, int key) {
  const auto n = static_cast<std::size_t>(pass.positions);
  return std::log(
      static_cast<double>(pass.blocks[static_cast<std::size_t>(layer)]
                              .attention[(static_cast<std::size_t>(head) * n + static_cast<std::size_t>(query)) * n +
                                         static_cast<std::size_t>(key)]));
}

double capped(const ScoreParts& parts) {
  return parts.cap > 0 ? parts.cap * std::tanh(parts.score / parts.cap) : parts.score;
}

double sumOf(const ScoreParts& parts) {
  return std::accumulate(parts.pairs.begin(), parts.pairs.end(), parts.distanceBias);
}
double sizeOf(const ScoreParts& parts) {
  double size = std::abs(parts.distanceBias);
  for (const double pair : parts.pairs)
    size += std::abs(pair);
  return size;
}

/// Checks the sums over the parts of one score.
void checkSums(const ScoreParts& parts) {
  REQUIRE(parts.pairs.size() == parts.writers.size() * parts.writers.size());
  const double within = 1e-5 * sizeOf(parts);
  CHECK(std::abs(sumOf(parts) - parts.score) <= within);
  CHECK(std::abs(parts.residue) <= 1e-5);
  double kinds = 0;
  for (const ScoreParts::Named& kind : parts.byKind)
    kinds += kind.value;
  CHECK(std::abs(kinds - sumOf(parts)) <= 1e-12 * sizeOf(parts));
  CHECK(std::abs(parts.symmetric + parts.skew + parts.withBiases + parts.distanceBias - parts.score) <= within);
}

/// Compares the scores of every head for the last query and one in the middle with the probabilities of the same pass.
template <class T>
void checkAgainstProbabilities(const ForwardModel& model, const Input& input, double tolerance) {
  const Activations<T> pass = passOf<T>(model, input);
  const int n = pass.positions;
  for (int layer = 0; layer < static_cast<int>(pass.blocks.size()); ++layer)
    for (int head = 0; head < pass.blocks[static_cast<std::size_t>(layer)].heads; ++head)
      for (const int query : {n - 1, n / 2}) {
        // The keys that every query sees: itself and its neighbour.
        const ScoreParts own = partsOf(model, input, pass, layer, head, query, query);
        const ScoreParts before = partsOf(model, input, pass, layer, head, query, query - 1);
        INFO("layer " << layer << ", head " << head << ", query " << query);
        checkSums(own);
        checkSums(before);
        const double told = logOf(pass, layer, head, query, query) - logOf(pass, layer, head, query, query - 1);
        CHECK(std::abs(capped(own) - capped(before) - told) <= tolerance * (1 + sizeOf(own) + sizeOf(before)));
        CHECK(std::abs(std::exp(logOf(pass, layer, head, query, query)) - own.probability) <= 1e-12);
      }
}

/// The file of vit-mnist does not contain its number of heads, so a rule gives it.
std::shared_ptr<const checkpoint::Model> withHeads(const checkpoint::Model& stored, int heads) {
  checkpoint::FamilyRule rule;
  rule.key = rule.name = "vit-mnist";
  rule.heads = rule.kvHeads = heads;
  checkpoint::StackRule& stack = rule.stacks.emplace_back();
  stack.query = stack.key = "layers.{layer}.0.fn.fn.to_qkv.weight";
  stack.fusion = checkpoint::Fusion::Blocks;
  auto model = std::make_shared<checkpoint::Model>(stored);
  model->map = checkpoint::mapAttention(*model->checkpoint, {rule});
  return model;
}

const Input kSentence{{3, 1, 4, 1, 5, 9}, {}};

}  // namespace

TEST_CASE("The parts of a score add up to the score that follows from the probabilities", "[score_parts]") {
  const Folder folder;
  const std::vector<std::pair<const char*, TinyModel>> models = {{"GPT-2", gpt2()},   {"LLaMA", llama()},
                                                                 {"Qwen 3", qwen3()}, {"OLMo 2", olmo2()},
                                                                 {"BERT", bert()},    {"Gemma 2", gemma2()}};
  for (const auto& [name, made] : models) {
    INFO(name);
    const auto model = openedModel(folder, made);
    checkAgainstProbabilities<double>(*model, kSentence, 1e-10);
    checkAgainstProbabilities<float>(*model, kSentence, 1e-5);
  }
}

TEST_CASE("The parts add up to the score in the reference models of all families", "[score_parts]") {
  const std::filesystem::path reference = tests::sharedFolder() + "/reference/forward";
  if (!std::filesystem::is_directory(reference)) {
    WARN("skipped: there is no " << reference);
    return;
  }
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(reference)) {
    if (!std::filesystem::exists(entry.path() / "expected.json")) continue;
    std::ifstream text(entry.path() / "expected.json");
    std::stringstream all;
    all << text.rdbuf();
    const nlohmann::json expected = nlohmann::json::parse(all.str());
    std::string path = expected["checkpoint"];
    path = path == "." ? entry.path().string() : tests::sharedFolder() + path.substr(std::string("shared").size());
    INFO(path);
    const auto stored = checkpoint::openModel(path);
    REQUIRE(stored);
    const auto model = ForwardModel::open(entry.path().filename() == "vit-mnist" ? withHeads(**stored, 8) : *stored);
    if (!model) continue;  // a family that is not supported
    Input input;
    if (expected.contains("pixels")) {
      for (const auto& row : expected["pixels"])
        for (const auto& value : row)
          input.pixels.push_back(value.get<float>());
    } else {
      input.ids = expected["ids"].get<std::vector<std::int32_t>>();
    }
    checkAgainstProbabilities<double>(**model, input, 1e-10);
    ++compared;
  }
  CHECK(compared >= 14);
}

TEST_CASE("A denominator that differs from that of the pass leaves a residue in the sum", "[score_parts]") {
  const Folder folder;
  for (const TinyModel& made : {gpt2(), bert(), gemma2()}) {
    const auto model = openedModel(folder, made);
    Activations<double> pass = passOf<double>(*model, kSentence);
    CHECK(std::abs(partsOf(*model, kSentence, pass, 1, 0, 4, 3).residue) < 1e-12);
    for (double& value : pass.blocks[0].hidden)
      value *= 1.01;
    CHECK(std::abs(partsOf(*model, kSentence, pass, 1, 0, 4, 3).residue) > 1e-4);
  }
}

TEST_CASE("If no block writes to the stream, the parts are those of embedding and position", "[score_parts]") {
  TinyModel made = gpt2();
  const auto nothing = [](std::size_t, float) { return 0.0F; };
  for (const char* name :
       {"h.0.attn.c_proj.weight", "h.0.attn.c_proj.bias", "h.0.mlp.c_proj.weight", "h.0.mlp.c_proj.bias"})
    alter(made, name, nothing);
  const Folder folder;
  const auto model = openedModel(folder, made);
  const Activations<double> pass = passOf<double>(*model, kSentence);
  const int head = 2, query = 4, key = 1, d = 12, d_h = 4;
  const ScoreParts parts = partsOf(*model, kSentence, pass, 1, head, query, key);

  // q = W_Q (g (x - mean) / sigma) for each writer x, computed with loops.
  const auto projected = [&](int position, bool ofKey, const std::string& table) {
    const int id = kSentence.ids[static_cast<std::size_t>(position)];
    std::vector<double> x(d), own(d), out(d_h, 0.0);
    double mean = 0, variance = 0, ownMean = 0;
    for (int c = 0; c < d; ++c) {
      x[static_cast<std::size_t>(c)] = made["wte.weight"].at(id, c) + made["wpe.weight"].at(position, c);
      own[static_cast<std::size_t>(c)] = made[table].at(table == "wte.weight" ? id : position, c);
      mean += x[static_cast<std::size_t>(c)] / d;
      ownMean += own[static_cast<std::size_t>(c)] / d;
    }
    for (const double value : x)
      variance += (value - mean) * (value - mean) / d;
    for (int a = 0; a < d_h; ++a)
      for (int c = 0; c < d; ++c)
        out[static_cast<std::size_t>(a)] += made["h.1.attn.c_attn.weight"].at(c, (ofKey ? d : 0) + head * d_h + a) *
                                            made["h.1.ln_1.weight"].at(c) *
                                            (own[static_cast<std::size_t>(c)] - ownMean) / std::sqrt(variance + 1e-5);
    return out;
  };
  const auto expected = [&](const std::string& first, const std::string& second) {
    const std::vector<double> q = projected(query, false, first), k = projected(key, true, second);
    return std::inner_product(q.begin(), q.end(), k.begin(), 0.0) / std::sqrt(static_cast<double>(d_h));
  };
  const std::size_t n = parts.writers.size();
  const auto at = [&](Writer::Kind kind) {
    for (std::size_t i = 0; i < n; ++i)
      if (parts.writers[i].kind == kind) return i;
    FAIL("there is no such writer");
    return n;
  };
  const std::size_t E = at(Writer::Kind::Embedding), P = at(Writer::Kind::Position);
  CHECK(parts.pairs[E * n + E] == Approx(expected("wte.weight", "wte.weight")).epsilon(1e-9));
  CHECK(parts.pairs[E * n + P] == Approx(expected("wte.weight", "wpe.weight")).epsilon(1e-9));
  CHECK(parts.pairs[P * n + E] == Approx(expected("wpe.weight", "wte.weight")).epsilon(1e-9));
  CHECK(parts.pairs[P * n + P] == Approx(expected("wpe.weight", "wpe.weight")).epsilon(1e-9));
  for (std::size_t i = 0; i < n; ++i)
    if (parts.writers[i].kind == Writer::Kind::Head || parts.writers[i].kind == Writer::Kind::FeedForward)
      for (std::size_t j = 0; j < n; ++j)
        CHECK(parts.pairs[i * n + j] == 0);
  REQUIRE(parts.byKind.size() == 5);
  CHECK(parts.byKind[1].name == "content to position");
  CHECK(parts.byKind[1].value == Approx(parts.pairs[E * n + P]).epsilon(1e-12));
}

TEST_CASE("The symmetric and the skew part equal the change of the score when a pass removes them", "[score_parts]") {
  const Folder folder;
  for (const TinyModel& made : {gpt2(), llama(), qwen3(), bert()}) {
    const auto model = openedModel(folder, made);
    const Activations<double> whole = passOf<double>(*model, kSentence);
    for (const auto target : {Intervention::Target::Symmetric, Intervention::Target::Skew}) {
      Request request = withWrites();
      Intervention out;
      out.target = target;
      out.layer = 1;
      request.interventions = {out};
      const Activations<double> without = passOf<double>(*model, kSentence, request);
      for (const int head : {0, 2}) {
        const ScoreParts near = partsOf(*model, kSentence, whole, 1, head, 5, 4);
        const ScoreParts far = partsOf(*model, kSentence, whole, 1, head, 5, 1);
        const bool symmetric = target == Intervention::Target::Symmetric;
        const double expected =
            near.score - far.score - (symmetric ? near.symmetric - far.symmetric : near.skew - far.skew);
        CHECK(logOf(without, 1, head, 5, 4) - logOf(without, 1, head, 5, 1) == Approx(expected).margin(1e-9));
      }
    }
  }
}

TEST_CASE("The part of the gain equals the change of the score in a model without gain", "[score_parts]") {
  const Folder folder;
  const auto model = openedModel(folder, llama());
  const Activations<double> pass = passOf<double>(*model, kSentence);
  const ScoreParts parts = partsOf(*model, kSentence, pass, 0, 1, 4, 2);
  CHECK(std::abs(parts.gain) > 1e-3);

  // Neither the stream at the first layer nor its denominators depend on the gain.
  TinyModel plain = llama();
  alter(plain, "model.layers.0.input_layernorm.weight", [](std::size_t, float) { return 1.0F; });
  const auto withUnitGain = openedModel(folder, plain);
  const ScoreParts other = partsOf(*withUnitGain, kSentence, passOf<double>(*withUnitGain, kSentence), 0, 1, 4, 2);
  CHECK(parts.score - parts.gain == Approx(other.score).epsilon(1e-9));
  CHECK(other.gain == Approx(0).margin(1e-12));
}

TEST_CASE("The part of the rotation equals the change of the score with the distance of two equal tokens",
          "[score_parts]") {
  const Folder folder;
  const auto model = openedModel(folder, llama());
  // The stream at the first layer is the embedding alone, so query and key before the rotation are those of distance 0.
  Input input = kSentence;
  input.ids[2] = input.ids[4];
  const Activations<double> pass = passOf<double>(*model, input);
  const ScoreParts same = partsOf(*model, input, pass, 0, 1, 4, 4), distant = partsOf(*model, input, pass, 0, 1, 4, 2);
  CHECK(same.rotation == Approx(0).margin(1e-12));
  CHECK(std::abs(distant.rotation) > 1e-3);
  CHECK(distant.rotation == Approx(distant.score - same.score).epsilon(1e-9));
}

TEST_CASE("Scores that do not exist are refused with a message", "[score_parts]") {
  const Folder folder;
  const auto model = openedModel(folder, gpt2());
  const Activations<double> pass = passOf<double>(*model, kSentence);
  const auto refused = [&](int layer, int head, int query, int key) {
    const auto parts = scoreParts(*model, kSentence, pass, layer, head, query, key);
    REQUIRE_FALSE(parts);
    CHECK(parts.error().kind == ErrorKind::Usage);
    return parts.error().message;
  };
  CHECK(refused(2, 0, 1, 1) == "there is no layer 2: layers 0 to 1 were computed");
  CHECK(refused(0, 3, 1, 1) == "there is no head 3: layer 0 has heads 0 to 2");
  CHECK(refused(0, 0, 6, 1) == "there is no position 6: the input has 0 to 5");
  CHECK(refused(0, 0, 1, 2) == "in layer 0 key 2 is not visible from query 1, so there is no such score");
  Request bare;
  const Activations<double> without = passOf<double>(*model, kSentence, bare);
  const auto parts = scoreParts(*model, kSentence, without, 1, 0, 1, 1);
  REQUIRE_FALSE(parts);
  CHECK(parts.error().message == "the pass kept no writes, which are needed to split a score into parts");
  const auto windowed = openedModel(folder, gemma2());
  const Activations<double> narrow = passOf<double>(*windowed, kSentence);
  CHECK(scoreParts(*windowed, kSentence, narrow, 0, 0, 5, 3).has_value());
  CHECK_FALSE(scoreParts(*windowed, kSentence, narrow, 0, 0, 5, 2).has_value());
  const auto stopped = scoreParts(*model, kSentence, pass, 1, 0, 4, 3, [](double) { return true; });
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::Interrupted);
}
