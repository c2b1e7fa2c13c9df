// SPDX-License-Identifier: Apache-2.0
// The page Routing: storage and routing [Reversal, 3]. It shows the forward and the reverse query of one pair side by
// side, as the model of a run answers them at the step shown. The places can be dragged along the sequence; attention,
// the column of Y and the logit follow in the same frame. Switches replace parts of the trained model, and the page
// tells how this changes its answers to all pairs. Frame thread.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/reversal/routing/routing_result.h"
#include "ui/exhibits/reversal/shared/reversal_page.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

class RoutingPage final : public RacePage {
 public:
  RoutingPage() : RacePage({"routing", N_("Routing"), "reversal.routing."}, {.watches = true}) {}
  void declare(PropertyRegistry& registry, const ReversalShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const ReversalShared& live) override;
  void panel(const ReversalFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const ReversalShared& shared) const override {
    PageFacts now = RacePage::facts(shared);
    now.complete = opening_.complete() && answering_.complete();
    now.caption = [this, &shared] { return caption(shared); };
    now.numbers = [this, &shared] { return numbers(shared); };
    now.gestures = [this] { return gestures(); };
    return now;
  }
  std::vector<Command> commands(const ReversalShared& shared, const Document& document) override;

 protected:
  void ask(const ReversalFrame& frame, ExhibitContext& context) override;
  Views views(const ReversalFrame& frame) const override;

 private:
  std::vector<std::pair<std::string, std::string>> gestures() const;
  Numbers numbers(const ReversalShared& shared) const;
  std::string caption(const ReversalShared& shared) const;
  /// Positions of the parts of one query.
  struct Half {
    render::Rect title, strip, alpha, product, column, parts;
    double cell = 0;  ///< width of a place
    render::Rect cellOf(const render::Rect& row, int place) const {
      const double left = row.min.x + place * cell;
      return {{left, row.min.y}, {left + cell, row.max.y}};
    }
  };
  /// The item under the pointer.
  struct Hit {
    reversal::Direction direction = reversal::Direction::Forward;
    std::optional<int> place;   ///< of the sequence
    std::optional<int> output;  ///< of the column of Y
    bool strip = false;         ///< over the tokens themselves
  };
  /// Smallest and largest value of bars around a line at 0.
  struct Range {
    double low = 0, high = 1e-9;
    void reach(const reversal::Vector& values, Eigen::Index count) {
      low = std::min(low, values.head(count).minCoeff());
      high = std::max(high, values.head(count).maxCoeff());
    }
    double share(double value) const { return (high - value) / (high - low); }  ///< position from the top, 0 to 1
  };
  /// Scales that both halves share, so that they can be compared.
  struct Limits {
    Range product, column;
    double parts = 1e-9;
  };
  enum class End { First, Second };  ///< of the pair: its first and its second place

  void open(const ReversalFrame& frame, ExhibitContext& context);
  void answer(ExhibitContext& context);
  void compute();
  Result<void> placesFit(const Document& with) const;
  reversal::Pair pairOf(const Document& document) const;
  std::int64_t branchStep(const ReversalShared& shared) const;
  void branch(const ReversalFrame& frame, ExhibitContext& context, const std::string& group) const;

  ChoicesContent choices() const;
  PictureContent query(reversal::Direction direction) const;
  Half halfOf(const render::Rect& box, const Theme& theme) const;
  std::optional<Hit> hitAt(const ViewPlace& place, reversal::Direction direction, render::Point page) const;
  std::vector<std::string> linesOf(const Hit& hit) const;
  ReadableView readQuery(const ViewPlace& place, reversal::Direction direction) const;
  std::optional<End> endAt(const Hit& hit) const;
  std::optional<PictureGrip> gripAt(const ViewPlace& place, reversal::Direction direction, render::Point page) const;
  Limits limits() const;
  std::string factsOf() const;
  std::string answersSentence() const;
  void addHalf(std::vector<render::Item>& items, const ViewPlace& place, reversal::Direction direction) const;
  void addTitle(std::vector<render::Item>& items, const Theme& theme, const Half& half,
                reversal::Direction direction) const;
  void addTokens(std::vector<render::Item>& items, const Theme& theme, const Half& half, const RoutedQuery& of) const;
  void addPlaceBars(std::vector<render::Item>& items, const Theme& theme, const Half& half, const RoutedQuery& of,
                    const Range& range) const;
  void addColumn(std::vector<render::Item>& items, const Theme& theme, const Half& half, const RoutedQuery& of,
                 const Range& range) const;
  void addParts(std::vector<render::Item>& items, const Theme& theme, const Half& half, const RoutedQuery& of,
                double most) const;
  std::vector<render::Item> tip(const ViewPlace& place, reversal::Direction direction, render::Point at,
                                const render::Rect& area) const;

  static constexpr int kFirst = 2, kSecond = 5;  ///< places if the document names none
  std::int32_t letter_ = 3;
  int first_ = kFirst, second_ = kSecond;
  reversal::Switches switches_;

  LaneResult<OpenModelRequest, OpenedPointer> opening_{results_, "reversal.routing.open"};
  LaneResult<AnswersRequest, AnswersPointer> answering_{results_, "reversal.routing.answers"};
  std::shared_ptr<RunData> data_ = std::make_shared<RunData>();
  const OpenedModel* opened() const { return opening_.value().get(); }
  std::string sentence() const;          ///< why there is no result
  std::optional<RoutingResult> result_;  ///< empty: there is none
  std::string mismatch_;                 ///< why the pair does not fit the model
  std::string shownFolder_;
  OpenedPointer viewOf_;
  std::optional<reversal::Pair> viewPair_;
  reversal::Switches viewSwitches_;
};

}  // namespace sepx::ui
