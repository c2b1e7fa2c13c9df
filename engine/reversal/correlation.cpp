// SPDX-License-Identifier: Apache-2.0
#include "engine/reversal/correlation.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace sepx::reversal {
namespace {

constexpr double kFlat = 1e-14;  // relative to the largest modulus; less is rounding, not variation

/// Subtracts the mean and scales to norm 1, so that a correlation is a scalar product. NaN if the values do not vary.
void standardise(std::span<double> values) {
  double most = 0;
  for (const double value : values)
    most = std::max(most, std::abs(value));
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  double squares = 0;
  for (double& value : values) {
    value -= mean;
    squares += value * value;
  }
  const double norm = std::sqrt(squares), floor = kFlat * most * std::sqrt(static_cast<double>(values.size()));
  for (double& value : values)
    value = norm > floor ? value / norm : std::nan("");
}

double product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Mean correlation over all places of [M] and of the capital with these distances.
double meanOverPlaces(const LetterScores& unit, int forward, int reverse) {
  if (unit.relative) return product(unit.at(0, forward), unit.at(reverse, 0));
  double sum = 0;
  for (int mask = 0; mask + forward < unit.length; ++mask)
    for (int capital = 0; capital + reverse < unit.length; ++capital)
      sum += product(unit.at(mask, mask + forward), unit.at(capital + reverse, capital));
  return sum / (static_cast<double>(unit.length - forward) * (unit.length - reverse));
}

void averageBySum(ScoreCorrelation& out) {
  const int most = out.length - 1;
  double all = 0;
  for (int sum = 2; sum <= 2 * most; ++sum) {
    double mean = 0, least = std::numeric_limits<double>::infinity(), largest = -least;
    int count = 0;
    for (int forward = std::max(1, sum - most); forward <= std::min(most, sum - 1); ++forward, ++count) {
      const double value = out.at(forward, sum - forward);
      mean += value;
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
    all += mean;
    out.mean.push_back(mean / count);
    out.least.push_back(least);
    out.largest.push_back(largest);
  }
  out.whole = all / (static_cast<double>(most) * most);
}

}  // namespace

double correlation(std::span<const double> a, std::span<const double> b) {
  std::vector<double> x(a.begin(), a.end()), y(b.begin(), b.end());
  standardise(x);
  standardise(y);
  return product(x, y);
}

ScoreCorrelation scoreCorrelation(const LetterScores& scores) {
  ScoreCorrelation out;
  out.length = scores.length;
  if (scores.length < 2) return out;
  LetterScores unit = scores;
  for (std::size_t at = 0; at < unit.values.size(); at += data::kPairLetters)
    standardise(std::span(unit.values).subspan(at, data::kPairLetters));
  for (int forward = 1; forward < out.length; ++forward)
    for (int reverse = 1; reverse < out.length; ++reverse)
      out.pairs.push_back(meanOverPlaces(unit, forward, reverse));
  averageBySum(out);
  return out;
}

}  // namespace sepx::reversal
