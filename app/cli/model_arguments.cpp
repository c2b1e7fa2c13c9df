// SPDX-License-Identifier: Apache-2.0
// Arguments of the canonical models; see model_arguments.h.
#include "app/cli/model_arguments.h"

#include <cmath>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "engine/core/number.h"
#include "engine/core/try.h"

namespace sepx::app::cli {

void ModelArguments::declareChain(CLI::App& command) {
  addOption(command, "--p", p_, N_("P(1|0) of the chain, between 0 and 1"), "P")->required();
  addOption(command, "--q", q_, N_("P(0|1) of the chain, between 0 and 1"), "Q")->required();
}

void ModelArguments::declarePoint(CLI::App& command) {
  addOption(command, "--model", model_, N_("ew, ewb, ewa or ewab (default: ew)"), "MODEL");
  addOption(command, "--at", at_, N_("the point; if a free bias is left out, the optimal one is used"), "E,W[,A][,B]")
      ->required();
}

Result<markov::Chain> ModelArguments::chain() const {
  SEPX_ASSIGN(const double p, toNumber("--p", p_));
  SEPX_ASSIGN(const double q, toNumber("--q", q_));
  return markov::Chain::make(p, q);
}

std::vector<std::string> componentNames(markov::Model model) {
  std::vector<std::string> names{"e", "w"};
  if (markov::hasAttention(model)) names.emplace_back("a");
  if (markov::hasFreeBias(model)) names.emplace_back("b");
  return names;
}

Result<ModelPoint> ModelArguments::point() const {
  SEPX_ASSIGN(const markov::Chain made, chain());
  const std::optional<markov::Model> model = markov::modelFromName(model_);
  if (!model) return failf(ErrorKind::Usage, N_("--model: '{}' is not one of ew, ewb, ewa, ewab"), model_);
  SEPX_ASSIGN(const std::vector<double> numbers, toNumbers("--at", at_));

  const int wanted = markov::dimension(*model);
  const int given = static_cast<int>(numbers.size());
  const bool biasLeftOut = markov::hasFreeBias(*model) && given == wanted - 1;
  if (given != wanted && !biasLeftOut) {
    const std::string least =
        markov::hasFreeBias(*model) ? fmt::format("{}-{}", wanted - 1, wanted) : fmt::format("{}", wanted);
    return failf(ErrorKind::Usage, N_("--at: the model {} takes {} numbers separated by commas, not {}"), model_, least,
                 given);
  }
  constexpr double kFarthest = 1e9;  // as in the window: S and the bias overflow beyond it
  for (const double number : numbers)
    if (std::abs(number) > kFarthest)
      return failf(ErrorKind::Usage, N_("--at: {} is out of range; give coordinates between -1e9 and 1e9"),
                   formatShortest(number));
  ModelPoint point{made, *model, markov::State::Zero(wanted)};
  for (int i = 0; i < given; ++i)
    point.theta(i) = numbers[static_cast<std::size_t>(i)];
  if (biasLeftOut) point.theta(wanted - 1) = markov::optimalBias(point.chain, *model, point.theta);
  return point;
}

}  // namespace sepx::app::cli
