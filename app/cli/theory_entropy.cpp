// SPDX-License-Identifier: Apache-2.0
#include "app/cli/theory_entropy.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "app/cli/text.h"
#include "app/cli/values.h"
#include "engine/core/try.h"
#include "engine/data/markov.h"

namespace sepx::app::cli {
namespace {

constexpr long long kMostBlocks = 1000;

double coinEntropy(double one) {
  const auto part = [](double x) { return x > 0 ? -x * std::log(x) : 0; };
  return part(one) + part(1 - one);
}

/// H(next bit | the last j bits).
double conditional(std::span<const double> kernel, std::span<const double> pi, int j) {
  const std::size_t pasts = std::size_t{1} << j;
  std::vector<double> chance(pasts, 0), one(pasts, 0);
  for (std::size_t s = 0; s < kernel.size(); ++s) {
    chance[s & (pasts - 1)] += pi[s];
    one[s & (pasts - 1)] += pi[s] * kernel[s];
  }
  double sum = 0;
  for (std::size_t past = 0; past < pasts; ++past)
    if (chance[past] > 0) sum += chance[past] * coinEntropy(one[past] / chance[past]);
  return sum;
}

}  // namespace

std::vector<double> blockEntropies(std::span<const double> kernel, std::span<const double> pi, int N) {
  const int order = std::countr_zero(kernel.size());
  std::vector<double> entropies;
  double sum = 0, added = 0;
  for (int n = 1; n <= N; ++n) {
    if (n <= order + 1) added = conditional(kernel, pi, n - 1);
    entropies.push_back(sum += added);
  }
  return entropies;
}

Result<TheoryAnswer> entropyTheory(const std::string& kernel, const std::string& blocks) {
  if (kernel.empty())
    return fail(ErrorKind::Usage, tr(N_("entropy needs --kernel P1,P2,…: P(1 after the last k bits), 2^k numbers; the "
                                        "oldest bit is the most significant")));
  SEPX_ASSIGN(const auto chances, toNumbers("--kernel", kernel));
  const int order = std::countr_zero(chances.size());
  if (order < 1 || order > data::kMostOrder || chances.size() != std::size_t{1} << order)
    return failf(ErrorKind::Usage, N_("--kernel: {} numbers are not 2^k for an order k from 1 to {}"), chances.size(),
                 data::kMostOrder);
  SEPX_ASSIGN(const auto pi, data::stationary(chances));
  SEPX_ASSIGN(const long long longest,
              toInteger("--blocks", blocks.empty() ? std::to_string(order + 2) : blocks, 1, kMostBlocks));
  const std::vector<double> entropies = blockEntropies(chances, pi, std::max(static_cast<int>(longest), order + 1));
  const auto at = [&entropies](int n) { return n > 0 ? entropies[static_cast<std::size_t>(n) - 1] : 0.0; };
  const double unigram = at(1), rate = at(order + 1) - at(order);
  TheoryAnswer answer;
  Json& json = answer.json = beginDocument("entropy");
  json["order"] = order;
  json["kernel"] = chances;
  json["stationary"] = pi;
  json["unigram"] = unigram;
  json["rate"] = rate;
  json["gap"] = unigram - rate;
  json["blocks"] = Json::array();
  std::string& text = answer.text;
  text =
      trf(N_("Entropies of the chain of order {} in nats: unigram {}, rate {}, their difference {} is the information "
             "that the past gives about a bit. No theory is claimed beyond order 1."),
          order, fmt::format("{:.6f}", unigram), fmt::format("{:.6f}", rate), fmt::format("{:.6f}", unigram - rate)) +
      "\n\n" + fmt::format("{:>6}  {:>10}  {:>12}\n", tr(N_("bits")), tr(N_("block")), tr(N_("the last bit")));
  for (int n = 1; n <= longest; ++n) {
    json["blocks"].push_back(Json::object({{"bits", n}, {"entropy", at(n)}, {"last", at(n) - at(n - 1)}}));
    text += fmt::format("{:>6}  {:>10.6f}  {:>12.6f}\n", n, at(n), at(n) - at(n - 1));
  }
  text +=
      "\n" +
      trf(N_("block: the entropy of this many bits. the last bit: its entropy given the bits before it; from {} bits on, this is the rate."),
          order + 1) +
      "\n";
  return answer;
}

}  // namespace sepx::app::cli
