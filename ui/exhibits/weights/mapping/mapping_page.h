// SPDX-License-Identifier: Apache-2.0
// The mapping page: which tensors were taken for queries and keys and why, the list of all tensors with the statistics
// of a chosen one, and the assistant in which a person maps an unknown family once and saves the rule. Frame thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/weights/mapping/mapping_rule.h"
#include "ui/exhibits/weights/mapping/mapping_statistics.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/plots/table.h"

namespace sepx::ui {

class MappingPage final : public WeightsPage {
 public:
  PageLabel label() const override { return {"mapping", N_("Mapping")}; }
  std::vector<PropertyGroup> groups() const override {
    return {{"mapping", N_("Mapping")}, {"rule", N_("Mapping by hand")}, {"tensor", N_("Selected tensor")}};
  }
  void declare(PropertyRegistry& registry, const WeightsShared& live) override;
  void update(const PageFrame& frame, ExhibitContext& context) override;
  void scene(const PageFrame& frame, std::vector<render::Layer>& into) override;
  Cursor input(const PageFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  void panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  bool complete() const override { return rule_.complete() && statistics_.complete(); }
  Numbers numbers(const WeightsShared& shared) const override;
  std::string caption(const WeightsShared& shared) const override;
  std::vector<Command> commands(const WeightsShared& shared, const Document& document) override;

  /// A line of text in a column of the page.
  struct TextLine {
    std::string text;
    enum class Kind { Title, Heading, Text, Muted, Gap, Button } kind = Kind::Text;
    std::string command{};  ///< of a button; empty where it cannot be pressed now
    render::Rect box{};     ///< page
  };

  std::size_t tensorsShown() const { return shown_.size(); }
  const MappingRule& rule() const { return rule_; }
  const MappingStatistics& statistics() const { return statistics_; }

 private:
  struct Layout {
    render::Rect head, mapping, tensors, statistics;
  };
  Layout layoutOf(const PageFrame& frame) const;
  std::vector<TextLine> headLines(const PageFrame& frame, const render::Rect& box) const;
  /// The left column, scrolled: what was taken from where, or what the assistant finds.
  std::vector<TextLine> mappingLines(const PageFrame& frame, const render::Rect& box, double scroll = 0) const;
  /// The command of the button under a point; empty: none.
  std::string buttonAt(const PageFrame& frame, const render::Rect& box, render::Point page) const;
  double mostMappingScroll(const PageFrame& frame, const render::Rect& box) const;
  static std::vector<render::Item> lineItems(const std::vector<TextLine>& lines, const render::Rect& box,
                                             const Theme& theme);
  TableView tensorTable(const PageFrame& frame) const;
  TableView::Look look(const PageFrame& frame, const render::Rect& box) const;
  std::vector<render::Item> statisticsItems(const PageFrame& frame, const render::Rect& box) const;
  void filter(const PageFrame& frame, const std::string& text);
  void findChosen(const PageFrame& frame);
  bool byHand(const PageFrame& frame) const;
  void takeEmbedding(ExhibitContext& context) const;
  static void guess(const PageFrame& frame, ExhibitContext& context);
  void saveRule(const PageFrame& frame, ExhibitContext& context) const;
  static checkpoint::FamilyRule ruleFor(const PageFrame& frame, const ExhibitContext& context);

  PageLayers layers_;
  MappingRule rule_;
  MappingStatistics statistics_;
  std::string filter_, tensor_;
  bool ruleShown_ = false, ruleNamed_ = false;
  std::vector<std::uint32_t> shown_;      ///< tensors that the filter lets through
  std::uint64_t shownOf_ = 0;             ///< revision of the model they are of
  std::optional<std::size_t> chosenRow_;  ///< of tensor_ among shown_
  LayerKey chosenOf_;
  double mappingScroll_ = 0, tensorScroll_ = 0;
};

/// Whether the page is shown: it is chosen, or no family fits and it comes first.
Condition onMapping(const WeightsShared& live);
/// "[768, 2304]"; a scalar is "[]".
std::string shapeText(const std::vector<std::int64_t>& shape);
/// "3.4 MB"
std::string bytesText(double bytes);

}  // namespace sepx::ui
