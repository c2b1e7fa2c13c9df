// SPDX-License-Identifier: Apache-2.0
// Base class of exhibits whose pages show runs that train side by side. It provides the race that the document names,
// the commands of the transport, the slider with its replay, and commands about single runs. Training and Reversal add
// pages, experiments and texts. It changes the document only through the Editor. Frame thread only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/race/race_page.h"
#include "ui/race/race_store.h"
#include "ui/race/transport.h"
#include "ui/views/paged_exhibit.h"

namespace sepx::ui {

class RaceExhibit : public PagedExhibit<RacePage> {
 public:
  std::string title() const override;
  std::vector<std::pair<std::string, std::string>> gestures() const override;
  std::vector<std::string> pictureCommands() const override;
  std::optional<bool> playing() const override;
  double playSeconds() const override;

 protected:
  /// `kind` outlives the exhibit.
  explicit RaceExhibit(const RaceKind& kind);
  /// What the pages share. Derived classes add their pages in their constructors.
  const RaceShared& shared() const override { return store_.shared(); }
  void declareShared(PropertyRegistry& registry, Property page) override;
  void readShared(const Document& document, const PropertyRegistry& registry) override;
  void refreshShared() override;
  void updateShared(ExhibitContext& context) override;
  void updateAfterPage(ExhibitContext& context) override { store_.updateMatrices(context); }
  bool sharedComplete() const override { return store_.complete(); }
  std::vector<PropertyGroup> sharedGroups() const override;
  void drawPanel(const Frame& frame, ExhibitContext& context, bool inspectorShown) override;
  render::Rect layOutAround(const Frame& whole) override;
  void addAround(const Frame& whole, std::vector<render::Layer>& into) override;
  std::optional<Cursor> inputAround(const Frame& whole, ExhibitContext& context, const InputEvent& event) override;
  std::optional<Cursor> cursorAround(const Frame& whole) const override { return transport_.cursor(whole); }
  void reportAround(const Frame& whole, const ExhibitContext& context) override { transport_.report(whole, context); }
  std::vector<Command> sharedCommands(const Document& document) override;
  Strip layOutStrip(const std::vector<StripButton>& tabs, double width, double height,
                    const Theme& theme) const override;

  /// Whether the column begins with the numbers of each run, on pages with RaceTraits::runs.
  virtual bool listsRuns() const { return true; }
  /// Read-outs of each run in the column, without the prefix "KEY.runs[i].".
  virtual std::vector<std::string> columnReadOuts() const { return {"state", "step", "loss", "validation"}; }

 private:
  void walk(ExhibitContext& context, int layers, int heads);
  void show(ExhibitContext& context, std::int64_t step);
  void toggleReplay(ExhibitContext& context);
  void advanceReplay(ExhibitContext& context);
  std::int64_t neighbour(bool forward) const;
  void drawRuns(PagePanel& panel) const;
  std::string of(std::string_view name) const { return kind_.key(name); }

  const RaceKind& kind_;
  RaceState state_;  ///< as shown: layer and head are limited to those of the runs
  RaceState read_;   ///< as in the document
  RaceStore store_;
  Transport transport_;          ///< below the page
  PageLayers failures_;          ///< above the page
  double head_ = 0, since_ = 0;  ///< of the replay: step; host time of the last frame, s
};

}  // namespace sepx::ui
