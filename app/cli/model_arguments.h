// SPDX-License-Identifier: Apache-2.0
// Arguments that flow, trajectory and basin share: the chain (p, q), the canonical model, the initial point. One
// thread.
#pragma once

#include <string>

#include "engine/core/result.h"
#include "engine/markov/canonical_model.h"

namespace CLI {
class App;
}

namespace sepx::app::cli {

struct ModelPoint {
  markov::Chain chain;
  markov::Model model = markov::Model::EW;
  markov::State theta;  ///< [dimension(model)]; a free bias that was not given is b*
};

class ModelArguments {
 public:
  void declareChain(CLI::App& command);
  void declarePoint(CLI::App& command);

  Result<markov::Chain> chain() const;
  Result<ModelPoint> point() const;

 private:
  std::string p_, q_, model_ = "ew", at_;
};

/// Symbols of the components of theta: {"e", "w", "a", "b"} as far as the model has them.
std::vector<std::string> componentNames(markov::Model model);

}  // namespace sepx::app::cli
