// SPDX-License-Identifier: Apache-2.0
// A sequence that a person types, as the runs of the race read it side by side: the attention of a layer, one head or
// all of them, and what is predicted for every place with the token that really stands there. Frame thread.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/training/sequence/sequence_side.h"
#include "ui/plots/matrix_view.h"
#include "ui/race/timed_page.h"

namespace sepx::ui {

class SequencePage final : public TimedPage {
 public:
  SequencePage();
  PageLabel label() const override { return {"sequence", N_("Sequence")}; }
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  bool complete() const override;
  Numbers numbers(const RaceShared& shared) const override;
  std::string caption(const RaceShared& shared) const override;
  std::vector<Command> commands(const RaceShared& shared, const Document& document) override;
  std::vector<std::pair<std::string, std::string>> gestures() const override;

 protected:
  void updateContent(const RaceFrame& frame, ExhibitContext& context) override;
  void drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) override;
  Cursor inputContent(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) override;

 private:
  struct HeadPlace {
    int head = 0;
    render::Rect box;
  };
  /// A column of the page: one run.
  struct Column {
    render::Rect title, note, table;
    std::vector<HeadPlace> heads;
  };
  /// What is under the pointer.
  struct Hit {
    std::size_t run = 0;
    std::optional<HeadPlace> head;
    MatrixCell cell;
    std::optional<int> place;  ///< of a row of the table
    bool token = false;        ///< over its token
  };
  std::size_t shown(const RaceShared& shared) const { return std::min(kMostRuns, shared.runs.size()); }
  std::vector<Column> columnsOf(const RaceFrame& frame) const;
  double rowHeight(const Theme& theme) const { return 1.75 * static_cast<double>(theme.smallSize); }
  double mostScroll(const Theme& theme, const Column& column, std::size_t run) const;
  std::optional<Hit> hitAt(const RaceFrame& frame, render::Point page) const;
  void addColumn(std::vector<render::Item>& items, const RaceFrame& frame, std::size_t run, const Column& column) const;
  void addHead(std::vector<render::Item>& items, const RaceFrame& frame, const SequenceView& view,
               const HeadPlace& place) const;
  void addTable(std::vector<render::Item>& items, const RaceFrame& frame, std::size_t run, const Column& column) const;
  void addRow(std::vector<render::Item>& items, const RaceFrame& frame, const SequenceView& view, int place,
              const render::Rect& box) const;
  std::vector<render::Item> tip(const RaceFrame& frame, const Hit& hit) const;
  void choose(ExhibitContext& context, int place) const;
  /// "3, 7": the whole numbers of it, rising, each once.
  static std::vector<int> placesOf(const std::string& text);
  void toggleHidden(ExhibitContext& context, int place) const;

  std::vector<std::unique_ptr<SequenceSide>> sides_;  ///< kMostRuns
  std::string text_;
  std::vector<int> hidden_;
  int place_ = -1, top_ = 5;
  std::array<double, kMostRuns> scroll_{};
  std::uint64_t changes_ = 0;
  PageLayers layers_;
};

}  // namespace sepx::ui
