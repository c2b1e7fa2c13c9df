// SPDX-License-Identifier: Apache-2.0
// sepx reversal scores: the RoPE planes of a checkpoint's heads, and the correlation of forward and reverse scores over
// given prompts. Main thread.
#pragma once

#include <string>

#include "app/cli/checkpoint_arguments.h"
#include "app/cli/verb.h"

namespace CLI {
class App;
}

namespace sepx::app::cli {

class ReversalScores {
 public:
  void declare(CLI::App& command);
  Result<Outcome> run(Console& console, const Options& common, const std::string& model, bool json) const;

 private:
  std::string prompts_, layers_, tokens_, sample_, mask_, distance_;
  RulesArgument rules_;
};

}  // namespace sepx::app::cli
