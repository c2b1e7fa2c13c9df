// SPDX-License-Identifier: Apache-2.0
// The charts of the Weights exhibit: scores by layer, of one model or of several, and models against their number of
// parameters. Owns the published table and the further checkpoints with their scores; the scores of the open model come
// with WeightsShared.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/weights/shared/charts_plot.h"
#include "ui/exhibits/weights/shared/score_board.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/page/lane.h"

namespace sepx::ui {

/// Choices of `weights.charts.show`.
enum class ChartsShown { Layers, Several, Models };  // as the choices of the parameter

/// A further checkpoint with its scores by layer: opened and computed in jobs.
class OtherScores {
 public:
  /// `number`: distinguishes its lanes from those of the others.
  explicit OtherScores(int number)
      : opening_("weights.charts.open" + std::to_string(number)),
        board_("weights.charts.other" + std::to_string(number), false) {}
  /// Takes over finished results and starts work for stale ones. An empty path: there is no checkpoint.
  void update(const std::string& path, const WeightsState& state, ExhibitContext& context);
  std::shared_ptr<const checkpoint::Model> model() const { return opened() && *opened() ? **opened() : nullptr; }
  const std::vector<LayerScores>& board() const { return board_.layers(); }
  std::string failure() const { return opened() && !*opened() ? opened()->error().message : std::string(); }
  std::uint64_t revision() const { return revision_; }
  bool complete() const { return opening_.complete() && board_.complete(); }

 private:
  using Opened = Result<std::shared_ptr<const checkpoint::Model>>;
  struct Request {
    std::string path, rules;
    bool operator==(const Request&) const = default;
  };
  const Opened* opened() const { return opening_.result(); }

  Lane<Request, Opened> opening_;
  ScoreBoard board_;
  std::uint64_t revision_ = 1;
};

class ChartsPage final : public WeightsPage {
 public:
  ChartsPage() : WeightsPage({"charts", N_("Charts"), "charts."}) {}
  void declare(PropertyRegistry& registry, const WeightsShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const WeightsShared& live) override;
  void panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const WeightsShared& shared) const override {
    PageFacts now = WeightsPage::facts(shared);
    now.complete = complete();
    now.caption = [this, &shared] { return caption(shared); };
    now.numbers = [this, &shared] { return numbers(shared); };
    return now;
  }
  std::vector<Command> commands(const WeightsShared& shared, const Document& document) override;

  /// Why further checkpoints cannot be opened; empty: they can.
  std::string failures() const;
  const std::vector<ModelDot>& dots(ChartScore which) const { return dots_[static_cast<std::size_t>(which)]; }

 protected:
  void ask(const PageFrame& frame, ExhibitContext& context) override;
  Views views(const PageFrame& frame) const override;

 private:
  Numbers numbers(const WeightsShared& shared) const;
  std::string caption(const WeightsShared& shared) const;
  bool complete() const;
  ChartContent chart(const PageFrame& frame, ChartScore which, double width) const;
  void loadTable(ExhibitContext& context);
  const attention::Published* table() const {
    return table_.result() && *table_.result() ? &**table_.result() : nullptr;
  }
  void refresh(const PageFrame& frame);
  std::string sentence(const WeightsShared& shared) const;
  std::vector<LegendEntry> legend(const PageFrame& frame) const;

  ChartsShown shown_ = ChartsShown::Layers;
  bool heads_ = true, published_ = true;
  Lane<std::string, Result<attention::Published>> table_{"weights.charts.published"};  ///< requested by its path
  const attention::PublishedModel* same_ = nullptr;  ///< the published row of this checkpoint; null: none
  /// The second checkpoint, which the page Compare shows too, and further ones.
  std::array<OtherScores, kOthers> others_{OtherScores(0), OtherScores(1), OtherScores(2), OtherScores(3),
                                           OtherScores(4)};
  std::string failed_;    ///< failures() as last shown to the user
  bool relative_ = true;  ///< depth as a share
  std::vector<OverlayModel> overlaid_;
  std::array<std::vector<StackSeries>, 2> series_;
  std::array<std::vector<ModelDot>, 2> dots_;
  std::uint64_t made_ = 0;  ///< digest of the input of series_ and dots_
};

}  // namespace sepx::ui
