// SPDX-License-Identifier: Apache-2.0
#include "engine/data/markov.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "engine/core/try.h"
#include "engine/data/sequence_stream.h"

namespace sepx::data {
namespace {

/// -x log x - (1-x) log(1-x), 0 at both ends.
double coinEntropy(double x) {
  const auto part = [](double y) { return y > 0 ? -y * std::log(y) : 0.0; };
  return part(x) + part(1 - x);
}

int orderOf(std::size_t states) {
  return std::countr_zero(states);
}

/// States that can be reached from `from`, itself included.
std::vector<std::uint8_t> reached(std::span<const double> kernel, std::size_t from) {
  std::vector<std::uint8_t> seen(kernel.size(), 0);
  std::vector<std::size_t> open{from};
  seen[from] = 1;
  while (!open.empty()) {
    const std::size_t s = open.back();
    open.pop_back();
    for (const std::size_t bit : {std::size_t{0}, std::size_t{1}}) {
      const std::size_t next = (2 * s + bit) % kernel.size();
      if ((bit == 1 ? kernel[s] : 1 - kernel[s]) <= 0 || seen[next]) continue;
      seen[next] = 1;
      open.push_back(next);
    }
  }
  return seen;
}

/// The states of the only closed class; empty if there are several. A state that reaches the fewest states reaches only
/// its own class.
std::vector<std::size_t> closedClass(std::span<const double> kernel) {
  std::vector<std::vector<std::uint8_t>> from;
  std::size_t least = 0, fewest = kernel.size() + 1;
  for (std::size_t s = 0; s < kernel.size(); ++s) {
    from.push_back(reached(kernel, s));
    const auto count = static_cast<std::size_t>(std::count(from.back().begin(), from.back().end(), 1));
    if (count < fewest) {
      fewest = count;
      least = s;
    }
  }
  std::vector<std::size_t> states;
  for (std::size_t s = 0; s < kernel.size(); ++s) {
    if (from[s][least] == 0) return {};
    if (from[least][s] != 0) states.push_back(s);
  }
  return states;
}

/// Grassmann, Taksar and Heyman's elimination: no subtraction, so that every entry of pi has full relative accuracy.
/// Overwrites P [n, n].
std::vector<double> eliminate(std::vector<double>& P, std::size_t n) {
  for (std::size_t last = n - 1; last > 0; --last) {
    double out = 0;
    for (std::size_t j = 0; j < last; ++j)
      out += P[last * n + j];
    for (std::size_t i = 0; i < last; ++i) {
      const double share = P[i * n + last] / out;
      P[i * n + last] = share;
      if (share == 0) continue;
      for (std::size_t j = 0; j < last; ++j)
        P[i * n + j] += share * P[last * n + j];
    }
  }
  std::vector<double> pi(n, 0);
  pi[0] = 1;
  double sum = 1;
  for (std::size_t j = 1; j < n; ++j) {
    for (std::size_t i = 0; i < j; ++i)
      pi[j] += pi[i] * P[i * n + j];
    sum += pi[j];
  }
  for (double& x : pi)
    x /= sum;
  return pi;
}

class Markov final : public Source {
 public:
  Markov(std::uint64_t seed, std::vector<double> kernel, std::vector<double> pi)
      : seed_(seed), kernel_(std::move(kernel)), pi_(std::move(pi)), until_(pi_) {
    for (std::size_t s = 1; s < until_.size(); ++s)
      until_[s] += until_[s - 1];
  }

  int vocabulary() const override { return 2; }
  std::int32_t maskToken() const override { return -1; }
  std::string word(std::int32_t token) const override { return token == 0 ? "0" : "1"; }
  std::vector<Bound> bounds() const override { return markovBounds(kernel_, pi_); }

  int sequence(Split split, std::uint64_t index, int length, std::span<std::int32_t> out) const override {
    RandomStream random = sequenceStream(seed_, split, index);
    std::size_t state = first(random.uniform());
    const int order = orderOf(kernel_.size());
    const int known = std::min(order, length);
    for (int n = 0; n < known; ++n)
      out[static_cast<std::size_t>(n)] = static_cast<std::int32_t>(state >> (order - 1 - n) & 1);
    for (int n = known; n < length; ++n) {
      const std::size_t bit = random.uniform() < kernel_[state] ? 1 : 0;
      out[static_cast<std::size_t>(n)] = static_cast<std::int32_t>(bit);
      state = (2 * state + bit) % kernel_.size();
    }
    return length;
  }

 private:
  /// The state whose part of [0, 1) contains u. If rounding leaves u above all parts, the last state of positive
  /// probability.
  std::size_t first(double u) const {
    const auto at = static_cast<std::size_t>(std::upper_bound(until_.begin(), until_.end(), u) - until_.begin());
    if (at < until_.size()) return at;
    std::size_t last = until_.size() - 1;
    while (pi_[last] <= 0)
      --last;
    return last;
  }

  std::uint64_t seed_;
  std::vector<double> kernel_, pi_, until_;
};

}  // namespace

Result<std::vector<std::size_t>> statesForever(std::span<const double> kernel) {
  for (std::size_t s = 0; s < kernel.size(); ++s)
    if (!(kernel[s] >= 0 && kernel[s] <= 1))
      return fail(ErrorKind::Usage, fmt::format("data.kernel: entry {} is {} and must be a probability, from 0 to 1", s,
                                                formatShortest(kernel[s])));
  std::vector<std::size_t> states = closedClass(kernel);
  if (states.empty())
    return fail(ErrorKind::Usage,
                "data.kernel: there are several closed classes of states, so the stationary distribution is not "
                "unique; move entries that are exactly 0 or 1 slightly inside");
  return states;
}

Result<std::vector<double>> stationary(std::span<const double> kernel) {
  SEPX_ASSIGN(const std::vector<std::size_t> closed, statesForever(kernel));
  const std::vector<std::size_t>& states = closed;
  std::vector<std::size_t> place(kernel.size(), states.size());
  for (std::size_t i = 0; i < states.size(); ++i)
    place[states[i]] = i;
  std::vector<double> P(states.size() * states.size(), 0);
  for (std::size_t i = 0; i < states.size(); ++i)
    for (const std::size_t bit : {std::size_t{0}, std::size_t{1}}) {
      const double chance = bit == 1 ? kernel[states[i]] : 1 - kernel[states[i]];
      if (chance > 0) P[i * states.size() + place[(2 * states[i] + bit) % kernel.size()]] += chance;
    }
  const std::vector<double> inside = eliminate(P, states.size());
  std::vector<double> pi(kernel.size(), 0);
  for (std::size_t i = 0; i < states.size(); ++i)
    pi[states[i]] = inside[i];
  return pi;
}

std::vector<Bound> markovBounds(std::span<const double> kernel, std::span<const double> pi) {
  const int order = orderOf(kernel.size());
  double rate = 0;
  double chance[2] = {0, 0}, one[2] = {0, 0};  // P(x_n = a), P(x_n = a, x_{n+1} = 1)
  for (std::size_t s = 0; s < kernel.size(); ++s) {
    rate += pi[s] * coinEntropy(kernel[s]);
    chance[s & 1] += pi[s];
    one[s & 1] += pi[s] * kernel[s];
  }
  double first = 0;
  for (int a = 0; a < 2; ++a)
    if (chance[a] > 0) first += chance[a] * coinEntropy(one[a] / chance[a]);
  std::vector<Bound> bounds{{"H(pi)", coinEntropy(chance[1])}, {"H(x_{n+1} | x_n)", first}};
  if (order > 1) bounds.push_back({fmt::format("H(x_{{n+1}} | the last {} bits)", order), rate});
  return bounds;
}

std::unique_ptr<Source> makeMarkov(std::uint64_t seed, std::vector<double> kernel, std::vector<double> pi) {
  return std::make_unique<Markov>(seed, std::move(kernel), std::move(pi));
}

}  // namespace sepx::data
