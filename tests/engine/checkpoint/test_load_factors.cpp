// SPDX-License-Identifier: Apache-2.0
// Tests the cancellation of reading, between pieces of a layer's factors and while an archive is unpacked. The tests of
// the families check the values of the factors.
#include "engine/checkpoint/load_factors.h"

#include <algorithm>

#include <catch2/catch.hpp>

#include "engine/checkpoint/model_cache.h"
#include "tests/engine/checkpoint/tiny_models.h"
#include "tests/engine/checkpoint/torch_makers.h"

using namespace sepx;
using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;

namespace {

/// A cancellation callback that returns true from the `last` call on and records the progress.
struct Asked {
  std::size_t last;
  std::vector<double> shares;
  Cancelled cancelled() {
    return [this](double share) {
      shares.push_back(share);
      return shares.size() >= last;
    };
  }
};

void checkShares(const std::vector<double>& shares) {
  CHECK(shares.front() >= 0);
  CHECK(shares.back() <= 1);
  CHECK(std::is_sorted(shares.begin(), shares.end()));
}

}  // namespace

TEST_CASE("A cancelled load of factors ends between two pieces") {
  const Folder folder;
  TinyModel tiny;
  tiny.config = R"({"model_type":"bert","hidden_size":512,"num_attention_heads":8,"num_hidden_layers":1})";
  tiny.add("encoder.layer.0.attention.self.query.weight", {512, 512});
  tiny.add("encoder.layer.0.attention.self.key.weight", {512, 512});
  const auto model = openModel(tiny.write(folder));
  REQUIRE(model);
  const AttentionLayer& layer = (*model)->map.layers.at(0);
  Asked never{1000, {}};
  const auto whole = loadFactors(*(*model)->checkpoint, layer, {}, never.cancelled());
  REQUIRE(whole);
  CHECK(whole->W_Q == loadFactors(*(*model)->checkpoint, layer)->W_Q);
  CHECK(never.shares.size() >= 8);
  checkShares(never.shares);
  CHECK(never.shares.back() > 0.5);
  for (const std::size_t last : {std::size_t{1}, std::size_t{3}, never.shares.size()}) {
    Asked once{last, {}};
    const auto stopped = loadFactors(*(*model)->checkpoint, layer, {}, once.cancelled());
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().kind == ErrorKind::Interrupted);
    CHECK(once.shares.size() == last);
  }
}

TEST_CASE("Unpacking of a compressed archive can be cancelled and started again") {
  const Folder folder;
  std::string data(std::size_t{4} << 20, '\0');
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<char>((i * 2654435761u) >> 13);
  const std::string value =
      py::dict({{"q.weight", py::tensor({.held = 1 << 20, .shape = {1024, 1024}, .strides = {1024, 1}})}});
  const std::string path = folder.write("packed.pt", torchZip(value, {{"0", data}}, true));
  Asked first{3, {}};
  const auto stopped = openModel(path, {}, first.cancelled());
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::Interrupted);
  CHECK(first.shares.size() == 3);
  Asked never{1000, {}};
  REQUIRE(openModel(path, {}, never.cancelled()));
  CHECK(never.shares.size() >= 4);
  checkShares(never.shares);
}

TEST_CASE("An archive entry with a wrong checksum is refused by name when its numbers are requested") {
  const Folder folder;
  const std::string attention = "encoder.layer.0.attention.self.";
  const auto tensorIn = [](const std::string& key) {
    return py::tensor({.key = key, .held = 64 * 64, .shape = {64, 64}, .strides = {64, 1}});
  };
  const std::string value =
      py::dict({{attention + "query.weight", tensorIn("0")}, {attention + "key.weight", tensorIn("1")}});
  std::string query, key;
  for (int i = 0; i < 64 * 64; ++i) {
    query += raw(0.01f * static_cast<float>(i % 37));
    key += raw(0.02f * static_cast<float>(i % 29));
  }
  const std::string whole = torchZip(value, {{"0", query}, {"1", key}});
  REQUIRE(openModel(folder.write("whole.pt", whole)));
  {
    const auto model = openModel(folder.write("fine.pt", whole));
    REQUIRE(model);
    CHECK(loadFactors(*(*model)->checkpoint, (*model)->map.layers.at(0)));
  }
  std::string damaged = whole;
  damaged[whole.find(key) + 1000] ^= 1;
  const auto model = openModel(folder.write("damaged.pt", damaged));
  REQUIRE(model);  // only the headers are read here
  const AttentionLayer& layer = (*model)->map.layers.at(0);
  const auto refused = loadFactors(*(*model)->checkpoint, layer);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::BadInput);
  INFO(refused.error().message);
  CHECK(refused.error().message.find("\"model/data/1\" is broken: its checksum does not agree") != std::string::npos);
  Asked once{1, {}};
  const auto stopped = loadFactors(*(*model)->checkpoint, layer, {}, once.cancelled());
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::Interrupted);
  std::string pickle = whole;
  pickle[whole.find("query.weight")] = 'Q';
  const auto unread = openModel(folder.write("pickle.pt", pickle));
  REQUIRE_FALSE(unread);
  CHECK(unread.error().message.find("data.pkl") != std::string::npos);
}
