// SPDX-License-Identifier: Apache-2.0
#include "engine/forward/interventions.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/core/try.h"

namespace sepx::forward {

namespace {

using checkpoint::BlockPlan;
using checkpoint::ModelPlan;
using Target = Intervention::Target;
using How = Intervention::How;

bool ofScores(Target target) {
  return target == Target::Symmetric || target == Target::Skew;
}
bool ofHeads(Target target) {
  return target == Target::Head || ofScores(target);
}
bool meant(int named, int one) {
  return named < 0 || named == one;
}

/// The layers [first, last) that an intervention names. The stream has one layer more than there are blocks.
struct NamedLayers {
  int first = 0, last = 0;
};

Result<NamedLayers> namedLayers(const Intervention& one, const ModelPlan& plan) {
  const int all = static_cast<int>(plan.blocks.size()) + (one.target == Target::Stream ? 1 : 0);
  if (one.layer < -1 || one.layer >= all)
    return fail(ErrorKind::Usage,
                fmt::format("there is no layer {} to change: there are layers 0 to {}", one.layer, all - 1));
  return one.layer < 0 ? NamedLayers{0, all} : NamedLayers{one.layer, one.layer + 1};
}

Result<void> checkHead(const Intervention& one, const NamedLayers& layers, const ModelPlan& plan) {
  if (!ofHeads(one.target)) return {};
  int heads = 0;
  for (int layer = layers.first; layer < layers.last; ++layer)
    heads = std::max(heads, plan.blocks[static_cast<std::size_t>(layer)].attention.heads);
  if (one.head >= -1 && one.head < heads) return {};
  return fail(ErrorKind::Usage,
              fmt::format("there is no head {} to change: there are heads 0 to {}", one.head, heads - 1));
}

Result<void> checkValues(const Intervention& one, const NamedLayers& layers, const ModelPlan& plan, int positions) {
  if (one.how != How::Replace) return {};
  const std::size_t size = one.values == nullptr ? 0 : one.values->size();
  for (int layer = layers.first; layer < layers.last; ++layer) {
    const std::size_t width = static_cast<std::size_t>(
        one.target == Target::Head ? plan.blocks[static_cast<std::size_t>(layer)].d_v : plan.d_model);
    if (size != width && size != width * static_cast<std::size_t>(positions))
      return fail(ErrorKind::Usage, fmt::format("{} numbers cannot replace what layer {} has: {} numbers at each of {} "
                                                "positions",
                                                size, layer, width, positions));
  }
  return {};
}

Result<void> checkOne(const Intervention& one, const ModelPlan& plan, int positions) {
  SEPX_ASSIGN(const NamedLayers layers, namedLayers(one, plan));
  SEPX_TRY(checkHead(one, layers, plan));
  if (one.position < -1 || one.position >= positions)
    return fail(ErrorKind::Usage, fmt::format("there is no position {} to change: there are positions 0 to {}",
                                              one.position, positions - 1));
  if (ofScores(one.target) && one.how != How::Scale)
    return fail(ErrorKind::Usage, "the symmetric and the skew part of scores can only be scaled");
  if (one.target == Target::FeedForward && one.layer >= 0 &&
      !plan.blocks[static_cast<std::size_t>(one.layer)].feedForward)
    return fail(ErrorKind::Usage, fmt::format("layer {} has no feed-forward part to change", one.layer));
  return checkValues(one, layers, plan, positions);
}

template <class T>
void toMean(std::size_t first, std::size_t last, std::size_t rows, std::size_t width, T* x, std::size_t ld) {
  for (std::size_t j = 0; j < width; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < rows; ++i)
      sum += static_cast<double>(x[i * ld + j]);
    for (std::size_t i = first; i < last; ++i)
      x[i * ld + j] = static_cast<T>(sum / static_cast<double>(rows));
  }
}

}  // namespace

Result<void> checkInterventions(const std::vector<Intervention>& interventions, const ModelPlan& plan, int positions) {
  for (const Intervention& one : interventions)
    SEPX_TRY(checkOne(one, plan, positions));
  return {};
}

template <class T>
void intervene(const std::vector<Intervention>& interventions, Target target, int layer, int head, int positions,
               std::size_t width, T* x, std::size_t ld) {
  const auto rows = static_cast<std::size_t>(positions);
  for (const Intervention& one : interventions) {
    if (one.target != target || !meant(one.layer, layer) || (ofHeads(target) && !meant(one.head, head))) continue;
    const std::size_t first = one.position < 0 ? 0 : static_cast<std::size_t>(one.position);
    const std::size_t last = one.position < 0 ? rows : first + 1;
    if (one.how == How::Mean) {
      toMean(first, last, rows, width, x, ld);
      continue;
    }
    const bool everywhere = one.how == How::Replace && one.values->size() == width;
    for (std::size_t i = first; i < last; ++i)
      for (std::size_t j = 0; j < width; ++j) {
        T& value = x[i * ld + j];
        if (one.how == How::Replace)
          value = static_cast<T>((*one.values)[(everywhere ? 0 : i * width) + j]);
        else  // a factor of 0 removes the value, even NaN or infinity
          value = one.factor == 0 ? T(0) : value * static_cast<T>(one.factor);
      }
  }
}

std::vector<double> partFactors(const std::vector<Intervention>& interventions, Target part, int layer, int heads,
                                int positions) {
  std::vector<double> factors;
  const auto n = static_cast<std::size_t>(positions);
  for (const Intervention& one : interventions) {
    if (one.target != part || !meant(one.layer, layer) || one.head >= heads) continue;
    factors.resize(static_cast<std::size_t>(heads) * n, 1);
    for (int head = 0; head < heads; ++head)
      for (int i = 0; i < positions; ++i)
        if (meant(one.head, head) && meant(one.position, i))
          factors[static_cast<std::size_t>(head) * n + static_cast<std::size_t>(i)] *= one.factor;
  }
  return factors;
}

template void intervene(const std::vector<Intervention>&, Target, int, int, int, std::size_t, float*, std::size_t);
template void intervene(const std::vector<Intervention>&, Target, int, int, int, std::size_t, double*, std::size_t);

}  // namespace sepx::forward
