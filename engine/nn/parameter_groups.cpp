// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/parameter_groups.h"

#include <algorithm>
#include <array>

#include "engine/core/nearest_name.h"

namespace sepx::nn {
namespace {

constexpr std::array<std::string_view, 11> kGroupWords{"embedding", "positions",   "queries",      "keys",
                                                       "values",    "projections", "feed_forward", "norms",
                                                       "output",    "storage",     "routing"};

std::string_view groupOf(const Parameter& parameter) {
  if (parameter.kind == ParameterKind::NormGain || parameter.kind == ParameterKind::NormBias) return "norms";
  switch (parameter.role) {
    case ParameterRole::Embedding:
      return "embedding";
    case ParameterRole::Position:
    case ParameterRole::Segment:
      return "positions";
    case ParameterRole::Query:
      return "queries";
    case ParameterRole::Key:
      return "keys";
    case ParameterRole::Value:
      return "values";
    case ParameterRole::Projection:
      return "projections";
    case ParameterRole::Up:
    case ParameterRole::Gate:
    case ParameterRole::Down:
      return "feed_forward";
    case ParameterRole::Output:
    case ParameterRole::OutputBias:
    case ParameterRole::HeadTransform:
      return "output";
    default:
      return "norms";
  }
}

Result<std::vector<const Parameter*>> named(const ParameterLayout& layout, const std::string& name) {
  if (const Parameter* one = layout.find(name)) return std::vector<const Parameter*>{one};
  std::vector<const Parameter*> found;
  for (const Parameter& parameter : layout.all())
    if (isInGroup(parameter, name)) found.push_back(&parameter);
  if (!found.empty()) return found;
  if (std::ranges::find(kGroupWords, name) != kGroupWords.end())
    return fail(ErrorKind::Usage, "this model has no parameters of the group \"" + name + "\"");
  std::vector<std::string> names(kGroupWords.begin(), kGroupWords.end());
  for (const Parameter& parameter : layout.all())
    names.push_back(parameter.name);
  return fail(ErrorKind::Usage,
              "there is no parameter and no group \"" + name + "\"; the nearest is " + nearestName(name, names));
}

}  // namespace

std::span<const std::string_view> parameterGroupWords() {
  return kGroupWords;
}

bool isInGroup(const Parameter& parameter, std::string_view group) {
  const std::string_view own = groupOf(parameter);
  if (group == "storage") return own == "embedding" || own == "values" || own == "projections" || own == "output";
  if (group == "routing") return own == "queries" || own == "keys";
  return own == group;
}

Result<std::vector<FlatRange>> rangesOf(const ParameterLayout& layout, std::span<const std::string> names) {
  std::vector<FlatRange> all;
  for (const std::string& name : names) {
    const auto found = named(layout, name);
    if (!found) return tl::unexpected(found.error());
    for (const Parameter* parameter : *found)
      all.push_back({parameter->offset, parameter->offset + parameter->size()});
  }
  std::ranges::sort(all, {}, &FlatRange::first);
  std::vector<FlatRange> joined;
  for (const FlatRange& range : all)
    if (!joined.empty() && range.first <= joined.back().last)
      joined.back().last = std::max(joined.back().last, range.last);
    else
      joined.push_back(range);
  return joined;
}

}  // namespace sepx::nn
