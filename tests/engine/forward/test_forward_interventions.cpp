// SPDX-License-Identifier: Apache-2.0
// Interventions that change nothing, interventions that equal a change of weights, and interventions that are refused.
#include <functional>

#include <catch2/catch.hpp>

#include "tests/engine/forward/tiny_plan.h"

namespace sepx::forward::tiny {

using Target = Intervention::Target;
using How = Intervention::How;

namespace {

constexpr Target kAllTargets[] = {Target::Head,   Target::FeedForward, Target::Attention,
                                  Target::Stream, Target::Symmetric,   Target::Skew};

Request with(std::vector<Intervention> interventions) {
  Request request;
  request.interventions = std::move(interventions);
  request.writes = true;
  return request;
}
Intervention scaled(Target target, double factor, int layer = -1, int head = -1, int position = -1) {
  Intervention one;
  one.target = target;
  one.factor = factor;
  one.layer = layer;
  one.head = head;
  one.position = position;
  return one;
}
template <class T>
Intervention replaced(Target target, const std::vector<T>& values, int layer, int head = -1, int position = -1) {
  Intervention one = scaled(target, 0, layer, head, position);
  one.how = How::Replace;
  one.values = std::make_shared<const std::vector<float>>(values.begin(), values.end());
  return one;
}

Shape sharedKeys() {
  Shape shape;
  shape.kvHeads = 2;
  return shape;
}
PlannedModel rotated() {
  PlannedModel small = tinyModel(sharedKeys());
  for (BlockPlan& block : small.plan.blocks) {
    block.attention.rope = checkpoint::RopeSource{200, 4, false};
    block.attention.q_norm = small.norm("q_norm", 6, NormSource::Kind::Rms);
    block.attention.k_norm = small.norm("k_norm", 6, NormSource::Kind::Layer);
  }
  return small;
}

/// Sets the columns [first, last) of a table [rows, columns] to 0.
void zeroColumns(Table& table, std::size_t first, std::size_t last) {
  const auto columns = static_cast<std::size_t>(table.shape[1]);
  for (std::size_t i = 0; i < table.values.size(); ++i)
    if (i % columns >= first && i % columns < last) table.values[i] = 0;
}
void zero(Table& table) {
  table.values.assign(table.values.size(), 0);
}

/// The output of a head before W_O.
std::vector<float> contextOf(const Activations<float>& pass, int layer, int head, int d_v = 6) {
  const auto& block = pass.blocks[static_cast<std::size_t>(layer)];
  const auto width = static_cast<std::size_t>(d_v), heads = static_cast<std::size_t>(block.heads);
  std::vector<float> out;
  for (std::size_t n = 0; n < static_cast<std::size_t>(pass.positions); ++n)
    for (std::size_t a = 0; a < width; ++a)
      out.push_back(block.context[(n * heads + static_cast<std::size_t>(head)) * width + a]);
  return out;
}

/// Checks that the first model with interventions gives the results of the second model, whose file is changed.
void checkSame(const PlannedModel& with, const Request& request, const PlannedModel& other, double tolerance = 1e-12) {
  const files::Folder folder, second;
  const auto changed = passOf<double>(*with.open(folder), tokens(11), request);
  const auto expected = passOf<double>(*other.open(second), tokens(11));
  CHECK(worstDifference(changed.logits, expected.logits) < tolerance);
  CHECK(worstDifference(changed.logits, passOf<double>(*with.open(folder), tokens(11)).logits) > 1e-3);
}

}  // namespace

TEST_CASE("A factor of 1 changes no bit", "[forward][interventions]") {
  const files::Folder folder;
  const auto model = rotated().open(folder);
  const auto whole = passOf<float>(*model, tokens(11));
  for (const Target target : kAllTargets) {
    INFO("target " << static_cast<int>(target));
    const auto pass = passOf<float>(*model, tokens(11), with({scaled(target, 1)}));
    CHECK(pass.logits == whole.logits);
    CHECK(pass.blocks[1].attention == whole.blocks[1].attention);
  }
  CHECK(passOf<float>(*model, tokens(11), with({scaled(Target::Symmetric, 1), scaled(Target::Skew, 1)})).logits ==
        whole.logits);
}

TEST_CASE("A pass that starts at the first changed block has the bits of a whole pass", "[forward][interventions]") {
  const files::Folder folder;
  const auto model = rotated().open(folder);
  Request kept;
  kept.writes = true;
  const auto whole = passOf<float>(*model, tokens(11), kept);
  ThreadPool pool(2);
  const auto compare = [&](Request request) {
    request.writes = true;
    const auto changed = model->runChanged<float>(tokens(11), request, whole, pool);
    REQUIRE(changed);
    const auto expected = passOf<float>(*model, tokens(11), request);
    CHECK(changed->logits == expected.logits);
    CHECK(changed->embedding == expected.embedding);
    CHECK(changed->nonfinite == expected.nonfinite);
    REQUIRE(changed->blocks.size() == expected.blocks.size());
    for (std::size_t layer = 0; layer < expected.blocks.size(); ++layer) {
      CHECK(changed->blocks[layer].heads == expected.blocks[layer].heads);
      CHECK(changed->blocks[layer].attention == expected.blocks[layer].attention);
      CHECK(changed->blocks[layer].hidden == expected.blocks[layer].hidden);
      CHECK(changed->blocks[layer].middle == expected.blocks[layer].middle);
      CHECK(changed->blocks[layer].context == expected.blocks[layer].context);
    }
  };
  for (const Target target : kAllTargets)
    for (const int layer : {-1, 0, 1}) {
      INFO("target " << static_cast<int>(target) << " layer " << layer);
      compare(with({scaled(target, 0.5, layer)}));
    }
  compare(with({scaled(Target::Stream, 0.5, 2)}));
  compare(with({scaled(Target::Head, 0, 1), scaled(Target::FeedForward, 0, 0)}));
  compare({});
  // Without the kept stream the pass begins at the first block.
  Request none;
  none.hidden = false;
  const auto thin = passOf<float>(*model, tokens(11), none);
  const auto changed = model->runChanged<float>(tokens(11), with({scaled(Target::Head, 0, 1)}), thin, pool);
  REQUIRE(changed);
  CHECK(changed->logits == passOf<float>(*model, tokens(11), with({scaled(Target::Head, 0, 1)})).logits);
}

TEST_CASE("Removing a part equals setting its weights to 0", "[forward][interventions]") {
  const PlannedModel small = tinyModel(sharedKeys());
  PlannedModel other = small;
  zeroColumns(other.tables.at("h.1.o.weight"), 12, 18);
  checkSame(small, with({scaled(Target::Head, 0, 1, 2)}), other);

  other = small;
  zero(other.tables.at("h.0.o.weight"));
  zero(other.tables.at("h.0.o.bias"));
  checkSame(small, with({scaled(Target::Attention, 0, 0)}), other);

  other = small;
  for (const char* name : {"h.0.mlp.down.weight", "h.0.mlp.down.bias", "h.1.mlp.down.weight", "h.1.mlp.down.bias"})
    zero(other.tables.at(name));
  checkSame(small, with({scaled(Target::FeedForward, 0)}), other);
}

TEST_CASE("Removing a part removes its non-finite numbers", "[forward][interventions]") {
  PlannedModel small = tinyModel();
  small.tables.at("h.0.mlp.down.bias").values[3] = NAN;
  const files::Folder folder;
  const auto model = small.open(folder);
  CHECK(passOf<float>(*model, tokens(5)).nonfinite > 0);
  CHECK(passOf<float>(*model, tokens(5), with({scaled(Target::FeedForward, 0, 0)})).nonfinite == 0);
}

TEST_CASE("Replacing a part by itself changes no bit, and a part of another text has the effect of that text",
          "[forward][interventions]") {
  const files::Folder folder;
  const auto model = rotated().open(folder);
  const Input first = tokens(11), second = tokens(11, 19, 2);
  const auto whole = passOf<float>(*model, first, with({})), other = passOf<float>(*model, second, with({}));
  const auto logits = [&](Intervention one) { return passOf<float>(*model, first, with({std::move(one)})).logits; };
  CHECK(logits(replaced(Target::Head, contextOf(whole, 1, 3), 1, 3)) == whole.logits);
  CHECK(logits(replaced(Target::Attention, whole.blocks[0].attentionWrite, 0)) == whole.logits);
  CHECK(logits(replaced(Target::FeedForward, whole.blocks[1].feedForwardWrite, 1)) == whole.logits);
  CHECK(logits(replaced(Target::Stream, whole.embedding, 0)) == whole.logits);
  CHECK(logits(replaced(Target::Stream, whole.blocks[0].hidden, 1, -1, 4)) == whole.logits);

  CHECK(logits(replaced(Target::Stream, other.embedding, 0)) == other.logits);
  CHECK(logits(replaced(Target::Stream, other.blocks[0].hidden, 1)) == other.logits);
  CHECK(logits(replaced(Target::Stream, other.blocks[1].hidden, 2)) == other.logits);
  // A replacement only at the last position does not affect the positions before it.
  const auto patched = passOf<float>(*model, first, with({replaced(Target::Stream, other.embedding, 0, -1, 10)}));
  const std::ptrdiff_t before = std::ptrdiff_t{10} * 19;
  CHECK(std::vector<float>(patched.logits.begin(), patched.logits.begin() + before) ==
        std::vector<float>(whole.logits.begin(), whole.logits.begin() + before));
  CHECK(worstDifference(patched.logits, whole.logits) > 1e-3);
}

TEST_CASE("A mean is taken over all positions, and a single row replaces every position", "[forward][interventions]") {
  const files::Folder folder;
  const auto model = tinyModel().open(folder);
  const auto whole = passOf<double>(*model, tokens(11), with({}));
  std::vector<double> mean(24);
  for (std::size_t i = 0; i < whole.blocks[0].feedForwardWrite.size(); ++i)
    mean[i % 24] += whole.blocks[0].feedForwardWrite[i] / 11;
  Intervention averaged = scaled(Target::FeedForward, 0, 0);
  averaged.how = How::Mean;
  const auto pass = passOf<double>(*model, tokens(11), with({averaged}));
  const auto same = passOf<double>(*model, tokens(11), with({replaced(Target::FeedForward, mean, 0)}));
  CHECK(worstDifference(pass.logits, same.logits) < 1e-5);  // replacement values are floats
  CHECK(worstDifference(pass.logits, whole.logits) > 1e-3);
  for (std::size_t i = 0; i < 11 * 24; ++i)
    REQUIRE(pass.blocks[0].feedForwardWrite[i] == Approx(mean[i % 24]).margin(1e-12));
  // With a mean at one position the other positions are unchanged.
  averaged.position = 3;
  const auto one = passOf<double>(*model, tokens(11), with({averaged}));
  for (std::size_t i = 0; i < 11 * 24; ++i)
    REQUIRE(one.blocks[0].feedForwardWrite[i] ==
            Approx(i / 24 == 3 ? mean[i % 24] : whole.blocks[0].feedForwardWrite[i]).margin(1e-12));
}

namespace {

/// One layer without biases of queries and keys. If requested, it is rotated by the same angle in all planes (base 1).
PlannedModel oneLayer(bool rotated) {
  Shape shape;
  shape.layers = 1;
  PlannedModel small = tinyModel(shape);
  BlockPlan& block = small.plan.blocks[0];
  block.attention.b_Q = block.attention.b_K = std::nullopt;
  if (rotated) block.attention.rope = checkpoint::RopeSource{1, 6, true};
  return small;
}

/// The same attention with only the skew (sign -1) or the symmetric part (sign 1) of the scores, written as heads of
/// twice the width: x_i^T (W_Q R W_K^T +- (its transpose)) x_j / 2. R^T is the inverse rotation, which equals R with
/// the two numbers of each pair exchanged.
PlannedModel partOf(const PlannedModel& small, double sign) {
  PlannedModel part = small;
  BlockPlan& block = part.plan.blocks[0];
  const bool rotated = block.attention.rope.has_value();
  const std::vector<double> W_Q = small.tables.at("h.0.q.weight").values, W_K = small.tables.at("h.0.k.weight").values;
  std::vector<double> queries, keys;
  const auto row = [](const std::vector<double>& from, int head, int a, double factor, std::vector<double>& to) {
    for (int i = 0; i < 24; ++i)
      to.push_back(factor * from[static_cast<std::size_t>((head * 6 + a) * 24 + i)]);
  };
  for (int head = 0; head < 4; ++head) {
    for (int a = 0; a < 6; ++a)
      row(W_Q, head, a, 1, queries), row(W_K, head, a, 1, keys);
    for (int a = 0; a < 6; ++a) {
      const int from = rotated ? a ^ 1 : a;
      row(W_K, head, from, sign, queries), row(W_Q, head, from, 1, keys);
    }
  }
  part.tables["h.0.q.weight"] = {{48, 24}, queries};
  part.tables["h.0.k.weight"] = {{48, 24}, keys};
  block.attention.W_Q.headStride = block.attention.W_K.headStride = 12;
  block.attention.d_h = 12;
  block.attention.scale /= 2;
  if (rotated) block.attention.rope->dimensions = 12;
  return part;
}

}  // namespace

TEST_CASE("The symmetric and the skew part of scores are those of W_qk between the same vectors",
          "[forward][interventions]") {
  for (const bool rotated : {false, true}) {
    INFO((rotated ? "rotated" : "not rotated"));
    const PlannedModel small = oneLayer(rotated);
    checkSame(small, with({scaled(Target::Symmetric, 0)}), partOf(small, -1));
    checkSame(small, with({scaled(Target::Skew, 0)}), partOf(small, 1));
    // Scaling both parts by 1/2 scales all scores by 1/2.
    PlannedModel half = small;
    half.plan.blocks[0].attention.scale /= 2;
    checkSame(small, with({scaled(Target::Symmetric, 0.5), scaled(Target::Skew, 0.5)}), half);
  }
}

TEST_CASE("Norms of queries and keys keep their denominators when a part of the scores is removed",
          "[forward][interventions]") {
  PlannedModel small = oneLayer(false);
  BlockPlan& block = small.plan.blocks[0];
  block.attention.q_norm = small.norm("q_norm", 6, NormSource::Kind::Rms);
  block.attention.k_norm = small.norm("k_norm", 6, NormSource::Kind::Rms);
  block.attention.norm = std::nullopt;  // the stream itself is projected
  const files::Folder folder;
  const auto model = small.open(folder);
  const auto pass = passOf<double>(*model, tokens(3), with({scaled(Target::Skew, 0, 0, 2)}));
  const auto at = [&](const char* name, int index) {
    return small.tables.at(name).values[static_cast<std::size_t>(index)];
  };
  // For head 2: g o (W x_n), and the reciprocal of the denominator of its norm.
  const auto side = [&](const char* weight, const char* gain, int n, std::vector<double>& out) {
    double square = 0;
    for (int a = 0; a < 6; ++a) {
      double sum = 0;
      for (int i = 0; i < 24; ++i)
        sum += at(weight, (12 + a) * 24 + i) * pass.embedding[static_cast<std::size_t>(n * 24 + i)];
      square += sum * sum / 6;
      out.push_back(sum * at(gain, a));
    }
    return 1 / std::sqrt(square + 1e-5);
  };
  std::vector<std::vector<double>> q(3), k(3);
  std::vector<double> ofQ, ofK;
  for (int n = 0; n < 3; ++n) {
    ofQ.push_back(side("h.0.q.weight", "q_norm.weight", n, q[static_cast<std::size_t>(n)]));
    ofK.push_back(side("h.0.k.weight", "k_norm.weight", n, k[static_cast<std::size_t>(n)]));
  }
  const std::size_t i = 2;
  std::vector<double> weights;
  double sum = 0;
  for (std::size_t j = 0; j < 3; ++j) {
    double own = 0, turned = 0;
    for (std::size_t a = 0; a < 6; ++a)
      own += q[i][a] * k[j][a], turned += q[j][a] * k[i][a];
    weights.push_back(std::exp(block.attention.scale * (own + turned) / 2 * ofQ[i] * ofK[j]));
    sum += weights.back();
  }
  for (std::size_t j = 0; j < 3; ++j)
    CHECK(pass.blocks[0].attention[(2 * 3 + i) * 3 + j] == Approx(weights[j] / sum).epsilon(1e-10));
}

TEST_CASE("Parts of scores are scaled only at the given head and query", "[forward][interventions]") {
  const files::Folder folder;
  const auto model = rotated().open(folder);
  const auto whole = passOf<double>(*model, tokens(7), with({}));
  const auto pass = passOf<double>(*model, tokens(7), with({scaled(Target::Skew, 3, 0, 1, 5)}));
  for (std::size_t head = 0; head < 4; ++head)
    for (std::size_t i = 0; i < 7; ++i) {
      double difference = 0;
      for (std::size_t j = 0; j < 7; ++j)
        difference += std::abs(pass.blocks[0].attention[(head * 7 + i) * 7 + j] -
                               whole.blocks[0].attention[(head * 7 + i) * 7 + j]);
      CHECK((difference > 1e-6) == (head == 1 && i == 5));
    }
}

TEST_CASE("An intervention at a part that the model does not have is refused with a message",
          "[forward][interventions]") {
  const files::Folder folder;
  PlannedModel small = tinyModel();
  small.plan.blocks[1].feedForward = std::nullopt;
  const auto model = small.open(folder);
  ThreadPool pool(1);
  const auto refused = [&](Intervention one, const std::string& words) {
    const auto pass = model->run<float>(tokens(5), with({std::move(one)}), pool);
    REQUIRE_FALSE(pass);
    CHECK(pass.error().kind == ErrorKind::Usage);
    CHECK(pass.error().message.find(words) != std::string::npos);
  };
  refused(scaled(Target::Head, 0, 2), "no layer 2");
  refused(scaled(Target::Stream, 0, 3), "no layer 3");
  refused(scaled(Target::Head, 0, -2), "no layer -2");
  refused(scaled(Target::Head, 0, 0, 4), "no head 4");
  refused(scaled(Target::Skew, 0, 0, -2), "no head -2");
  refused(scaled(Target::Head, 0, 0, 0, 5), "no position 5");
  refused(scaled(Target::FeedForward, 0, 1), "layer 1 has no feed-forward part");
  refused(replaced(Target::Head, std::vector<float>(7), 0, 0), "7 numbers");
  refused(replaced(Target::Stream, std::vector<float>(), 0), "0 numbers");
  Intervention one = scaled(Target::Stream, 0, 0);
  one.how = How::Replace;
  refused(one, "0 numbers");
  one = scaled(Target::Symmetric, 0, 0);
  one.how = How::Mean;
  refused(one, "can only be scaled");
}

}  // namespace sepx::forward::tiny
