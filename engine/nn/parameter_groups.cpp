// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/parameter_groups.h"

#include <algorithm>
#include <array>

#include "engine/core/nearest_name.h"
#include "engine/core/terminal_text.h"

namespace sepx::nn {
namespace {

constexpr std::array<std::string_view, kParameterGroups> kGroupWords{
    "embedding", "positions", "queries", "keys", "values", "projections", "feed_forward", "norms", "output"};
constexpr std::array<std::string_view, 2> kUnionWords{"storage", "routing"};

bool isGroupWord(std::string_view name) {
  return std::ranges::find(kGroupWords, name) != kGroupWords.end() ||
         std::ranges::find(kUnionWords, name) != kUnionWords.end();
}

Result<std::vector<const Parameter*>> named(const ParameterLayout& layout, const std::string& name) {
  if (const Parameter* one = layout.find(name)) return std::vector<const Parameter*>{one};
  std::vector<const Parameter*> found;
  for (const Parameter& parameter : layout.all())
    if (isInGroup(parameter, name)) found.push_back(&parameter);
  if (!found.empty()) return found;
  if (isGroupWord(name)) return fail(ErrorKind::Usage, "this model has no parameters of the group \"" + name + "\"");
  std::vector<std::string> names(kGroupWords.begin(), kGroupWords.end());
  names.insert(names.end(), kUnionWords.begin(), kUnionWords.end());
  for (const Parameter& parameter : layout.all())
    names.push_back(parameter.name);
  return fail(ErrorKind::Usage, "there is no parameter and no group \"" + excerpt(name, 60) + "\"; the nearest is " +
                                    nearestName(name, names));
}

}  // namespace

std::string_view groupWord(ParameterGroup group) {
  return kGroupWords[static_cast<std::size_t>(group)];
}

ParameterGroup groupOf(const Parameter& parameter) {
  if (parameter.kind == ParameterKind::NormGain || parameter.kind == ParameterKind::NormBias)
    return ParameterGroup::Norms;
  switch (parameter.role) {
    case ParameterRole::Embedding:
    case ParameterRole::ClassToken:
    case ParameterRole::PatchProjection:
      return ParameterGroup::Embedding;
    case ParameterRole::Position:
    case ParameterRole::Segment:
      return ParameterGroup::Positions;
    case ParameterRole::Query:
      return ParameterGroup::Queries;
    case ParameterRole::Key:
      return ParameterGroup::Keys;
    case ParameterRole::Value:
      return ParameterGroup::Values;
    case ParameterRole::Projection:
      return ParameterGroup::Projections;
    case ParameterRole::Up:
    case ParameterRole::Gate:
    case ParameterRole::Down:
      return ParameterGroup::FeedForward;
    case ParameterRole::Output:
    case ParameterRole::OutputBias:
    case ParameterRole::HeadTransform:
      return ParameterGroup::Output;
    default:
      return ParameterGroup::Norms;
  }
}

bool isInGroup(const Parameter& parameter, std::string_view name) {
  using enum ParameterGroup;
  const ParameterGroup own = groupOf(parameter);
  if (name == "storage") return own == Embedding || own == Values || own == Projections || own == Output;
  if (name == "routing") return own == Queries || own == Keys;
  return name == groupWord(own);
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
