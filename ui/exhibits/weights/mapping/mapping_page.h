// SPDX-License-Identifier: Apache-2.0
// The mapping page: the tensors that were taken for queries and keys and the reason, the list of all tensors with the
// statistics of a selected one, and the assistant in which the user maps an unknown family once and saves the rule.
// Frame thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/weights/mapping/mapping_rule.h"
#include "ui/exhibits/weights/mapping/mapping_statistics.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"

namespace sepx::ui {

class MappingPage final : public WeightsPage {
 public:
  MappingPage()
      : WeightsPage(
            {"mapping",
             N_("Mapping"),
             "mapping.",
             {{"mapping", N_("Mapping")}, {"rule", N_("Mapping by hand")}, {"tensor", N_("Selected tensor")}}}) {}
  void declare(PropertyRegistry& registry, const WeightsShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const WeightsShared& live) override;
  void panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const WeightsShared& shared) const override {
    PageFacts now = WeightsPage::facts(shared);
    now.complete = rule_.complete() && statistics_.complete();
    now.caption = [this, &shared] { return caption(shared); };
    now.numbers = [this, &shared] { return numbers(shared); };
    return now;
  }
  std::vector<Command> commands(const WeightsShared& shared, const Document& document) override;

  std::size_t tensorsShown() const { return shown_.size(); }
  const MappingRule& rule() const { return rule_; }

 protected:
  void ask(const PageFrame& frame, ExhibitContext& context) override;
  Views views(const PageFrame& frame) const override;

 private:
  Numbers numbers(const WeightsShared& shared) const;
  std::string caption(const WeightsShared& shared) const;
  TextContent head(const PageFrame& frame) const;
  /// The instructions of the assistant and the result of its rule.
  TextContent ruleText(const WeightsShared& shared) const;
  /// The tensors that W_Q and W_K are taken from.
  TextContent rows(const WeightsShared& shared) const;
  ChoicesContent buttons(const WeightsShared& shared) const;
  TableContent tensors(const checkpoint::Checkpoint& checkpoint) const;
  TextContent statisticsText() const;
  std::optional<ChartContent> distribution(const Theme& theme) const;
  void filter(const WeightsShared& shared, const std::string& text);
  bool byHand(const WeightsShared& shared) const;
  void takeEmbedding(ExhibitContext& context) const;
  static void guess(const WeightsShared& shared, ExhibitContext& context);
  void saveRule(const WeightsShared& shared, ExhibitContext& context) const;
  static checkpoint::FamilyRule ruleFor(const WeightsShared& shared, const ExhibitContext& context);

  MappingRule rule_;
  LaneResult<TensorRequest, std::shared_ptr<const TensorStatistics>> statistics_{results_, "weights.tensor"};
  std::string filter_, tensor_;
  bool ruleShown_ = false, ruleNamed_ = false;
  std::vector<std::uint32_t> shown_;  ///< indices of the tensors that pass the filter
  std::uint64_t shownOf_ = 0;         ///< revision of their model
};

/// True if the page is selected, or if no family fits the open model, which is then mapped first.
Condition onMapping(const WeightsShared& live);
/// "[768, 2304]"; a scalar is "[]".
std::string shapeText(const std::vector<std::int64_t>& shape);
/// "3.4 MB"
std::string bytesText(double bytes);

}  // namespace sepx::ui
