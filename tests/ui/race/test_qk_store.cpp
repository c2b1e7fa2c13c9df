// SPDX-License-Identifier: Apache-2.0
// W_qk of stored matrices with shapes other than those of the model, and of a W_qk that does not fit into memory.
#include <catch2/catch.hpp>

#include "engine/train/run_store.h"
#include "tests/temporary_folder.h"
#include "ui/race/qk_store.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

nn::ModelConfig tinyModel() {
  return {.vocabulary = 5, .length = 4, .layers = 1, .d_model = 4, .heads = 2};
}

/// A run that stores W_Q and W_K of [4, columns] at step 1.
void storeMatrices(const std::string& folder, int columns) {
  const auto writer = train::RunWriter::create(folder, {});
  REQUIRE(writer);
  std::vector<train::StoredMatrix> stored;
  for (const char which : {'Q', 'K'})
    stored.push_back({1, std::string("layers.0.attention.W_") + which + ".weight", 4, columns,
                      std::vector<float>(static_cast<std::size_t>(4 * columns), 0.5F)});
  REQUIRE((*writer)->append(1, {}, stored));
}

}  // namespace

TEST_CASE("Stored matrices give W_qk if their shapes are those of the model", "[race]") {
  const tests::TemporaryFolder folder;
  for (const int columns : {4, 7}) {
    const std::string run = folder / std::to_string(columns);
    storeMatrices(run, columns);
    const auto made = makeQkMatrix({.run = run, .model = tinyModel(), .step = 1});
    if (columns == 4) {
      REQUIRE(made);
      CHECK(made->rows == 4);
      CHECK(made->columns == 4);
    } else {
      CHECK_FALSE(made);
    }
  }
}

TEST_CASE("A W_qk that does not fit into memory is refused before it is computed", "[race]") {
  auto factors = std::make_shared<attention::LayerFactors>();
  factors->heads = factors->d_h = 1;
  factors->W_Q = factors->W_K = attention::Matrix::Zero(1 << 16, 1);
  factors->keyHead = {0};
  const auto made = makeQkMatrix({.step = 1, .live = factors});
  REQUIRE_FALSE(made);
  CHECK(made.error().message.find("65536") != std::string::npos);
}
