// SPDX-License-Identifier: Apache-2.0
// Which parts of a text are symbols; names of files and fields are not.
#include <catch2/catch.hpp>

#include "ui/properties/symbols.h"

using namespace sepx::ui;

namespace {

/// Scripts in brackets after _ or ^, letters of symbols in *…*.
std::string marked(const std::string& text) {
  std::string all;
  for (const SymbolRun& run : symbolRuns(text)) {
    const std::string words = run.slanted ? "*" + run.text + "*" : run.text;
    all += run.script == SymbolRun::Script::Below   ? "_(" + words + ")"
           : run.script == SymbolRun::Script::Above ? "^(" + words + ")"
                                                    : words;
  }
  return all;
}

}  // namespace

TEST_CASE("Symbols in a text are found with their subscripts and superscripts", "[symbols]") {
  CHECK(marked("W_qk of layer 1") == "*W*_(*qk*) of layer 1");
  CHECK(marked("corr(β_ij, β_ji)") == "corr(*β*_(*ij*), *β*_(*ji*))");
  CHECK(marked("Y_{A,B} rises") == "*Y*_(*A,B*) rises");
  CHECK(marked("x_j^T") == "*x*_(*j*)^(*T*)");
  CHECK(marked("σ₁/σ₂ of W_1") == "*σ*_(*1*)/*σ*_(*2*) of *W*_(*1*)");
  CHECK(marked("xₙ₊₁") == "*x*_(*n+1*)");
  CHECK(marked("∂L/∂S_B") == "∂L/∂*S*_(*B*)");
  CHECK(marked("t^(−α_rev/α_fwd)") == "t^(−*α*_(rev)/*α*_(fwd))");
  CHECK(marked("S_star") == "*S*_(*⋆*)");
  CHECK(marked("d_model 16") == "*d*_(model) 16");
  CHECK(marked("m′_B") == "*m′*_(*B*)");
}

TEST_CASE("Names of files and fields are not symbols", "[symbols]") {
  for (const char* const text :
       {"self_attn.q_proj.weight", "model.d_model", "x_scale", "a_1.json", "/tmp/a_1/run", "q_proj", "run-x_1",
        "b_minus_best", "x_", "_x", "W_{}", "W_{open", "a_b_c", "no symbol", "", "10⁻⁹", "x_1y_2z", "step_100"}) {
    INFO(text);
    CHECK(marked(text) == text);
    CHECK_FALSE(containsSymbols(text));
  }
}

TEST_CASE("Malformed symbols give pieces that are not empty and not longer than the text allows", "[symbols]") {
  for (const char* const text :
       {"_", "^", "_^_^", "W_^2", "W^", "β_ij^", "\xCE", "W_\xFF", "{}_{}", "x_{{}}", "₁₂", "a₁b₂"}) {
    std::string all;
    for (const SymbolRun& run : symbolRuns(text)) {
      CHECK_FALSE(run.text.empty());
      all += run.text;
    }
    INFO(text << " → " << all);
    CHECK(all.size() <= 3 * std::string(text).size());  // an invalid byte becomes U+FFFD, which has three bytes
  }
  for (const char* const text : {"_", "^", "_^_^", "W_^2", "W^", "{}_{}", "₁₂"}) {
    INFO(text);
    CHECK(marked(text) == text);
  }
  CHECK(marked("β_ij^") == "*β*_(*ij*)^");
  CHECK(marked("W_\xFF") == "W_\uFFFD");
}

TEST_CASE("A name that is a symbol is italic, and a name with words is not", "[symbols]") {
  CHECK(slantedName("e") == "\U0001D452");
  CHECK(slantedName("h") == "\u210E");
  CHECK(slantedName("loss (nats)") == "loss (nats)");
  CHECK(slantedName("|cos(v₁, e)|") == "|cos(v₁, \U0001D452)|");
  CHECK(slantedName("H(π)") == "\U0001D43B(\U0001D70B)");
  CHECK(slantedName("W_qk") == "W_qk");  // symbolRuns() typesets it
  CHECK(slantedName("step") == "step");
  CHECK(slantedName("") == "");
}
