// SPDX-License-Identifier: Apache-2.0
#include "engine/train/stored_matrices.h"

#include <algorithm>
#include <array>

namespace sepx::train {

using nn::Parameter;
using nn::ParameterKind;
using nn::ParameterRole;

std::vector<const Parameter*> storedParameters(const nn::ParameterLayout& layout,
                                               const std::vector<std::string>& watch) {
  std::vector<const Parameter*> found;
  constexpr std::array kAlways{ParameterRole::Query, ParameterRole::Key};
  constexpr std::array kOfSmall{ParameterRole::Value, ParameterRole::Projection, ParameterRole::Up,
                                ParameterRole::Gate,  ParameterRole::Down,       ParameterRole::Embedding};
  const auto among = [](const auto& roles, ParameterRole role) {
    return std::ranges::find(roles, role) != roles.end();
  };
  const bool small = layout.size() <= kSmallModel;
  for (const Parameter& parameter : layout.all()) {
    const bool named = std::ranges::find(watch, parameter.name) != watch.end();
    const bool matrix = parameter.kind == ParameterKind::Weight || parameter.kind == ParameterKind::Embedding;
    const bool usual = matrix && watch.empty() && among(kAlways, parameter.role);
    const bool ofSmall = matrix && small && (among(kAlways, parameter.role) || among(kOfSmall, parameter.role));
    if (named || usual || ofSmall) found.push_back(&parameter);
  }
  return found;
}

void addStoredMatrices(const nn::ParameterLayout& layout, std::span<const float> theta,
                       const std::vector<std::string>& watch, std::int64_t step, std::vector<StoredMatrix>& out) {
  for (const Parameter* parameter : storedParameters(layout, watch)) {
    const std::span<const float> values = theta.subspan(parameter->offset, parameter->size());
    out.push_back(
        {step, parameter->name, parameter->rows, parameter->columns, std::vector<float>(values.begin(), values.end())});
  }
}

}  // namespace sepx::train
