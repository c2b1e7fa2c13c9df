// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/plan_names.h"

#include <algorithm>

namespace sepx::checkpoint {

namespace {

constexpr std::string_view kWeightWord = ".weight";
constexpr std::string_view kGainWord = ".gain";  // of norms of this program's runs
constexpr std::string_view kBiasWord = ".bias";

// The prefix before the pattern and the layer's number if `name` matches `pattern`; empty if it does not.
std::optional<PlanNames::Place> placed(std::string_view name, std::string_view pattern) {
  const std::size_t mark = pattern.find(kLayerMark);
  if (mark == std::string_view::npos) return std::nullopt;
  const std::string_view before = pattern.substr(0, mark), after = pattern.substr(mark + kLayerMark.size());
  if (!name.ends_with(after)) return std::nullopt;
  name.remove_suffix(after.size());
  constexpr std::size_t kMostDigits = 6;
  std::size_t digits = 0;
  std::int64_t number = 0, unit = 1;
  while (!name.empty() && name.back() >= '0' && name.back() <= '9') {
    if (++digits > kMostDigits) return std::nullopt;
    number += unit * (name.back() - '0');
    unit *= 10;
    name.remove_suffix(1);
  }
  if (digits == 0 || !name.ends_with(before)) return std::nullopt;
  name.remove_suffix(before.size());
  return PlanNames::Place{std::string(name), number, nullptr};
}

}  // namespace

std::optional<std::array<std::int64_t, 2>> matrixShape(const TensorInfo& tensor) {
  std::vector<std::int64_t> shape = tensor.shape;
  while (shape.size() > 2 && shape.back() == 1)
    shape.pop_back();
  if (shape.size() == 1) shape.push_back(1);
  if (shape.size() != 2) return std::nullopt;
  for (const std::int64_t length : shape)
    if (length < 1 || length > kWidestLayer) return std::nullopt;
  return std::array{shape[0], shape[1]};
}

PlanNames::PlanNames(const Checkpoint& checkpoint, const FamilyRule& rule) : checkpoint_(checkpoint), rule_(rule) {}

PlanNames::Place PlanNames::placeOf(const AttentionLayer& layer) const {
  for (const StackRule& stack : rule_.stacks)
    if (std::optional<Place> place = placed(layer.W_Q.tensor, stack.query)) {
      place->stack = &stack;
      return *std::move(place);
    }
  return {};
}

const TensorInfo* PlanNames::find(const Place& place, std::string_view pattern) const {
  if (pattern.empty()) return nullptr;
  const std::string name = filled(pattern, std::to_string(place.number));
  constexpr int kMostSteps = 16;  // a prefix may be thousands of dots
  std::string prefix = place.prefix;
  for (int step = 0;; ++step) {
    if (const TensorInfo* found = checkpoint_.find(prefix + name)) return found;
    if (prefix.empty()) return nullptr;
    if (step == kMostSteps) return checkpoint_.find(name);
    prefix.pop_back();  // the dot that ends it
    const std::size_t dot = prefix.rfind('.');
    prefix.resize(dot == std::string::npos ? 0 : dot + 1);
  }
}

const TensorInfo* PlanNames::weight(const Place& place, const std::string& pattern) const {
  if (pattern.empty()) return nullptr;
  for (const std::string_view word : {kWeightWord, kGainWord})
    if (const TensorInfo* found = find(place, pattern + std::string(word))) return found;
  return find(place, pattern);
}

std::string PlanNames::biasName(const std::string& weight, std::int64_t outputs) const {
  std::string name = weight;
  for (const std::string_view word : {kWeightWord, kGainWord})
    if (name.ends_with(word)) name.resize(name.size() - word.size());
  const TensorInfo* bias = checkpoint_.find(name + std::string(kBiasWord));
  return bias != nullptr && bias->values() == static_cast<std::uint64_t>(outputs) ? bias->name : std::string();
}

std::optional<LinearSource> PlanNames::linear(const Place& place, const std::string& pattern, bool transposed) const {
  const TensorInfo* tensor = weight(place, pattern);
  if (tensor == nullptr) return std::nullopt;
  const auto shape = matrixShape(*tensor);
  if (!shape) return std::nullopt;
  LinearSource source;
  source.tensor = tensor->name;
  source.transposed = transposed;
  source.out = (*shape)[transposed ? 1 : 0];
  source.in = (*shape)[transposed ? 0 : 1];
  source.bias = biasName(tensor->name, source.out);
  return source;
}

std::optional<NormSource> PlanNames::norm(const Place& place, const std::string& pattern, std::int64_t width,
                                          const NormKind& kind) const {
  const TensorInfo* gain = weight(place, pattern);
  if (gain == nullptr || gain->values() != static_cast<std::uint64_t>(width)) return std::nullopt;
  return NormSource{kind.kind, gain->name, biasName(gain->name, width), kind.epsilon, kind.onePlusGain};
}

}  // namespace sepx::checkpoint
