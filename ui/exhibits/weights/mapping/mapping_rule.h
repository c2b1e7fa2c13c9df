// SPDX-License-Identifier: Apache-2.0
// The assistant for a checkpoint that no family fits. It tries a rule from the document in a job and gives the number
// of tensors that each pattern finds, and the map or a sentence that says what does not fit. Frame thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/checkpoint/family_rule.h"
#include "engine/checkpoint/model_cache.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"
#include "ui/properties/declarations.h"

namespace sepx::ui {

struct RuleTrial {
  std::size_t query = 0, key = 0;  ///< numbers of tensors that the patterns find
  std::optional<checkpoint::AttentionMap> map;
  std::string failure;  ///< why there is no map
};

/// The rule in the document. Its key is derived from its name.
checkpoint::FamilyRule ruleOf(const Document& document, const PropertyRegistry& registry);
/// The document with this rule. The name in the document stays.
Document withRule(const Document& document, const checkpoint::FamilyRule& rule);
/// "My model 2" -> "my-model-2": a file name.
std::string ruleKeyOf(const std::string& name);
/// "4 layers of self-attention, 8 heads of 16, d_model 128".
std::string mapWords(const checkpoint::AttentionMap& map);

class MappingRule {
 public:
  void update(const std::shared_ptr<const checkpoint::Model>& model, const checkpoint::FamilyRule& rule,
              ExhibitContext& context);
  const RuleTrial& trial() const { return lane_.value(); }  ///< empty before the first one
  bool fits() const { return trial().map && !trial().map->layers.empty(); }
  bool complete() const { return lane_.complete(); }
  std::uint64_t revision() const { return lane_.revision(); }

 private:
  struct Request {
    std::shared_ptr<const checkpoint::Model> model;
    checkpoint::FamilyRule rule;
    /// Compares only what the trial depends on.
    bool operator==(const Request& other) const;
  };
  Lane<Request, RuleTrial> lane_{"weights.rule"};
};

/// Declares weights.rule.*: the parameters and the results of the trial. `rule` must outlive the registry; `applies` as
/// in Property.
void declareRule(PropertyRegistry& registry, const MappingRule& rule, const Condition& applies);

}  // namespace sepx::ui
