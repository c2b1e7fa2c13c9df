// SPDX-License-Identifier: Apache-2.0
// The bilinear form of two tokens: parts that add up to the model's score, words, ranking, and messages if there is no
// embedding.
#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/engine/checkpoint/tiny_models.h"
#include "tests/folders.h"
#include "tests/ui/exhibits/weights/weights_pages_rig.h"
#include "ui/exhibits/weights/form/form_page.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

const std::string kModels = tests::sourceFolder() + "/tests/models/";

struct FormRig : PageRig {
  explicit FormRig(const std::string& path) : PageRig(makeFormPage()) {
    editor.registry.declare(Property{.key = "weights.mapping.embedding",
                                     .into = &WeightsState::embedding,
                                     .label = "of the page Mapping",
                                     .kind = Kind::Text,
                                     .fallback = std::string()});
    open(path);
    set("weights.page", std::string("form"));
    settle();
  }
  FormPage& form() { return dynamic_cast<FormPage&>(*page); }
};

}  // namespace

TEST_CASE("The form is summed head by head, and its parts end at the model's score", "[weights][form]") {
  FormRig rig(kModels + "encoder");
  rig.set("weights.form.query", 4.0);
  rig.set("weights.form.key", 5.0);
  rig.settle();
  rig.look("form");
  const checkpoint::Model& model = *rig.shared.model;
  const auto x = checkpoint::loadEmbedding(*model.checkpoint, model.map, 4);
  const auto y = checkpoint::loadEmbedding(*model.checkpoint, model.map, 5);
  const auto factors = checkpoint::loadFactors(*model.checkpoint, model.map.layers[0]);
  REQUIRE((x && y && factors));
  const attention::Matrix M = factors->W_Q * attention::keysOfHeads(*factors).transpose();
  CHECK(rig.number("weights.form.sum") == Approx(x->dot(M * *y)).epsilon(1e-10));
  const std::vector<FormBar> heads = rig.form().headBars(rig.shared);
  REQUIRE(heads.size() == 5);
  CHECK(heads[0].from == 0);
  for (std::size_t h = 1; h < 4; ++h)
    CHECK(heads[h].from == heads[h - 1].to);
  CHECK(heads[4].to == Approx(heads[3].to));
  CHECK(heads[4].to == Approx(rig.number("weights.form.sum")));
  const std::vector<FormBar> rest = rig.form().restBars(rig.shared);
  CHECK(rest.front().to == Approx(rig.number("weights.form.sum")));
  CHECK(rest[rest.size() - 2].to == Approx(rest.back().to).epsilon(1e-9));
  CHECK(rig.number("weights.form.check") < 1e-9);
  CHECK(rig.text("weights.form.same_order") == "none");  // a truth value, not a text
  CHECK(isTrue(rig.read("weights.form.same_order")));

  rig.set("weights.head", 2.0);
  rig.settle();
  CHECK(rig.number("weights.form.sum") == Approx(heads[2].to - heads[2].from).epsilon(1e-10));
}

TEST_CASE("The rotation depends on the offset and changes nothing at offset 0", "[weights][form]") {
  checkpoint::made::Folder folder;
  FormRig rig(checkpoint::made::tinyLlama().write(folder));
  REQUIRE(rig.form().data().result());
  CHECK(rig.number("weights.form.rope") == Approx(0).margin(1e-12));
  rig.set("weights.form.offset", 3.0);
  rig.settle();
  CHECK(std::abs(rig.number("weights.form.rope")) > 1e-6);
  CHECK(std::abs(rig.number("weights.form.norm")) > 0);
  CHECK(rig.number("weights.form.check") < 1e-9);
  // The form itself does not depend on the offset.
  const double form = rig.number("weights.form.sum");
  rig.set("weights.form.offset", -7.0);
  rig.settle();
  CHECK(rig.number("weights.form.sum") == form);
}

TEST_CASE("Tokens can be chosen by words", "[weights][form]") {
  FormRig rig(kModels + "encoder");
  REQUIRE(rig.form().data().vocabularyKnown());
  rig.set("weights.form.queryText", std::string("king"));
  CHECK(rig.number("weights.form.query") == 4);
  rig.settle();
  CHECK(rig.text("weights.form.queryToken") == "“king” (4)");
  const Result<void> refused = rig.editor.set("weights.form.keyText", std::string("kin"), {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("king") != std::string::npos);
  rig.set("weights.form.query", 6.0);
  CHECK(rig.text("weights.form.queryText").empty());
  rig.set("weights.form.keyText", std::string("dog"));
  rig.settle();
  REQUIRE(rig.run("weights.form-swap"));
  CHECK(rig.number("weights.form.query") == 8);
  CHECK(rig.number("weights.form.key") == 6);
}

TEST_CASE("Other keys may be separated by commas, and unknown words are reported", "[weights][form]") {
  FormRig rig(kModels + "encoder");
  rig.set("weights.form.others", std::string("man, woman,dog; nobody 99999"));
  rig.settle();
  CHECK(rig.form().data().result()->keys.size() == 4);  // the key and three words
  CHECK(rig.form().data().unknown() == std::vector<std::string>{"nobody", "99999"});
  CHECK(rig.text("weights.form.unknown").find("“nobody”") != std::string::npos);
  CHECK(rig.texts("form.ranking.notes").find("“nobody”") != std::string::npos);
  rig.set("weights.form.others", std::string("nobody, nobody"));
  rig.settle();
  const std::string told = rig.text("weights.form.unknown");
  CHECK(told.find("“nobody”") == told.rfind("“nobody”"));  // reported once
  rig.set("weights.form.others", std::string("man"));
  rig.settle();
  CHECK(rig.text("weights.form.unknown") == "none");
}

TEST_CASE("A word that is not a token is kept in its field and reported", "[weights][form]") {
  FormRig rig(kModels + "encoder");
  rig.scripted = false;
  rig.set("weights.form.key", 6.0);
  rig.settle();
  rig.set("weights.form.keyText", std::string("kin"));
  rig.settle();
  CHECK(rig.text("weights.form.keyText") == "kin");
  CHECK(rig.number("weights.form.key") == 6);
  CHECK(rig.text("weights.form.unknown").find("“kin”; tokens that begin the same way: king") != std::string::npos);
  rig.set("weights.form.keyText", std::string("king"));
  rig.settle();
  CHECK(rig.number("weights.form.key") == 4);
  CHECK(rig.text("weights.form.unknown") == "none");
}

TEST_CASE("A word that was set before the vocabulary was read becomes its token", "[weights][form]") {
  PageRig rig(makeFormPage());
  rig.open(kModels + "encoder");
  rig.set("weights.form.queryText", std::string("queen"));
  rig.settle();
  CHECK(rig.number("weights.form.query") == 5);
}

TEST_CASE("A word that was set before the vocabulary was read and is not a token leaves the document valid",
          "[weights][form]") {
  PageRig rig(makeFormPage());
  rig.open(kModels + "encoder");
  rig.set("weights.form.queryText", std::string("kin"));
  rig.settle();
  CHECK(rig.editor.registry.check(rig.editor.document()).has_value());
  CHECK_FALSE(rig.editor.set("weights.form.queryText", std::string("kinn"), {}));
}

TEST_CASE("The ranking of keys is the same before and after the softmax", "[weights][form]") {
  FormRig rig(kModels + "encoder");
  rig.set("weights.form.others", std::string("man woman 9 dog nobody"));
  rig.settle();
  const FormResult& result = *rig.form().data().result();
  CHECK(result.keys.size() == 5);  // the key, three words and an index
  double sum = 0;
  for (const double share : result.ranking.softmax)
    sum += share;
  CHECK(sum == Approx(1));
  CHECK(isTrue(rig.read("weights.form.same_order")));
  const auto order = result.ranking.order;
  for (std::size_t k = 1; k < order.size(); ++k)
    CHECK(result.ranking.raw[static_cast<std::size_t>(order[k - 1])] >=
          result.ranking.raw[static_cast<std::size_t>(order[k])]);
  CHECK(rig.texts("form.ranking").find("1. ") != std::string::npos);
}

TEST_CASE("The softmax sum of keys is in their hull, the raw sum is not, and idempotence is that of the operators",
          "[weights][form]") {
  FormRig rig(kModels + "encoder");
  rig.set("weights.form.query", 4.0);
  rig.set("weights.form.key", 5.0);
  rig.set("weights.form.others", std::string("man woman 9"));
  for (const int head : {-1, 2}) {
    INFO(head);
    rig.set("weights.head", static_cast<double>(head));
    rig.settle();
    const checkpoint::Model& model = *rig.shared.model;
    const auto factors = *checkpoint::loadFactors(*model.checkpoint, model.map.layers[0]);
    const attention::LayerFactors of = head < 0 ? factors : attention::headOf(factors, head);
    const attention::Matrix M = of.W_Q * attention::keysOfHeads(of).transpose();
    const auto embedding = [&](std::int64_t token) {
      return *checkpoint::loadEmbedding(*model.checkpoint, model.map, token);
    };
    const Eigen::VectorXd query = embedding(4), key = embedding(5);
    // Operators as matrices: P x = (x . M x_j) x_j.
    const attention::Matrix P = key * key.transpose() * M.transpose();
    CHECK(rig.number("weights.form.idempotence") == Approx((P * P - P).norm() / P.norm()).epsilon(1e-8));
    CHECK(rig.number("weights.form.own") == Approx(P.trace()).epsilon(1e-8));
    attention::Matrix S = attention::Matrix::Zero(M.rows(), M.cols());
    for (const std::int64_t token : rig.form().data().result()->keys)
      S += embedding(token) * embedding(token).transpose() * M.transpose();
    const Eigen::VectorXd once = S * query;
    CHECK(rig.number("weights.form.twice") == Approx((S * once - once).norm() / once.norm()).epsilon(1e-8));
    CHECK(rig.number("weights.form.hull") < 1e-6);
    CHECK(rig.number("weights.form.hull_raw") > 0.01);
  }
  rig.look("form");
  CHECK(rig.sentences("form.reading").find("outside of the hull by") != std::string::npos);
  const Numbers numbers = rig.page->facts(rig.shared).numbers();
  REQUIRE(numbers.tables.size() == 3);
  CHECK(std::get<std::vector<double>>(numbers.tables[2].find("sum")->values)[0] == Approx(1));
  CHECK(numbers.tables[1].find("own") != nullptr);
}

TEST_CASE("A click on a bar selects its head", "[weights][form]") {
  FormRig rig(kModels + "encoder");
  const auto fills = rig.items<render::Fill>("form.heads");
  REQUIRE(fills.size() >= 5);
  const auto middle = [](const render::Fill& fill) {
    return render::Point{(fill.points[0].x + fill.points[2].x) / 2, (fill.points[0].y + fill.points[2].y) / 2};
  };
  rig.click(middle(fills[1]));
  CHECK(rig.number("weights.head") == 1);
}

TEST_CASE("A file without an embedding is reported", "[weights][form]") {
  checkpoint::made::Folder folder;
  checkpoint::made::TinyModel model;
  model.config = R"({"model_type":"gpt2","n_head":2,"n_embd":8,"n_layer":1})";
  model.add("h.0.attn.c_attn.weight", {8, 24});
  model.add("h.0.attn.c_attn.bias", {24});
  FormRig rig(model.write(folder));
  REQUIRE(rig.shared.model);
  REQUIRE(rig.shared.model->map.layers.size() == 1);
  std::string said = rig.texts("form.sentence");
  std::replace(said.begin(), said.end(), '\n', ' ');
  CHECK(said.find("No token embedding was recognised") != std::string::npos);
  CHECK(said.find("page Mapping") != std::string::npos);
  CHECK(rig.page->facts(rig.shared).complete);
}

TEST_CASE("An embedding that was not recognised can be named by the user", "[weights][form]") {
  checkpoint::made::Folder folder;
  checkpoint::made::TinyModel model;
  model.config = R"({"model_type":"gpt2","n_head":2,"n_embd":8,"n_layer":1})";
  model.add("h.0.attn.c_attn.weight", {8, 24});
  model.add("h.0.attn.c_attn.bias", {24});
  model.add("src_embed.weight", {5, 8});
  FormRig rig(model.write(folder));
  REQUIRE(rig.shared.model);
  CHECK(rig.texts("form.sentence").find("was recognised") != std::string::npos);
  rig.set("weights.mapping.embedding", std::string("src_embed.weight"));
  rig.settle();
  CHECK_FALSE(rig.layer("form.sentence"));
  CHECK(rig.layer("form.heads"));
  rig.set("weights.mapping.embedding", std::string("h.0.attn.c_attn.bias"));
  rig.settle();
  std::string said = rig.texts("form.sentence");
  std::replace(said.begin(), said.end(), '\n', ' ');
  INFO(said);
  CHECK(said.find("There is no table called h.0.attn.c_attn.bias") != std::string::npos);
}
