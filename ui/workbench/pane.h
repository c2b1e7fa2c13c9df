// SPDX-License-Identifier: Apache-2.0
// One pane of the window: its exhibits with their results, its declarations, and its view of the document. It is the
// Editor of its exhibits and uses keys without a pane number. Frame thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ui/page/exhibit.h"
#include "ui/workbench/window_state.h"

namespace sepx::ui {

class Pane final : public Editor {
 public:
  /// `number`: from 1. `declareWindow`: declares what belongs to the window in the registry of the pane.
  Pane(WindowState& window, int number, const std::function<void(PropertyRegistry&)>& declareWindow);

  const Document& document() const override;
  std::uint64_t revision() const override;
  const PropertyRegistry& properties() const override { return registry_; }
  Result<void> set(std::string_view key, const Value& value, std::string group = {}) override;
  void commit(Document next, std::string label, std::string group = {}) override;
  void replace(Document next) override;
  void seal() override { window_.history.seal(); }
  void say(std::string errorSentence) override { window_.error(std::move(errorSentence)); }
  void note(Note note) override {
    window_.say({Message::Level::Note, std::move(note.text), std::move(note.command), std::move(note.action)});
  }

  int number() const { return number_; }
  const std::vector<std::unique_ptr<Exhibit>>& exhibits() const { return exhibits_; }
  /// The exhibit that the document names, or else the first one.
  Exhibit& exhibit() const;
  const Document& withWindow() const;  ///< document() with what belongs to the window
  /// Key of the exhibit that is shown, and the name of its current page: "training library".
  std::string view() const;

  /// The scene of the last draw(); null: none yet, or the pane is not shown.
  const render::Scene* scene() const { return scene_; }
  Cursor cursor() const { return cursor_; }
  void push(InputEvent event) { canvas_.events.push_back(std::move(event)); }
  void update(ExhibitContext& context);
  /// Jobs that the page in view waits for, as of the last update; emptied before each.
  std::vector<JobHandle>& awaited() { return awaited_; }
  void draw(const ExhibitContext& context) { scene_ = &exhibit().scene(context); }
  bool complete() const;
  /// To call when the pane is no longer shown: frees its GPU resources. Its jobs run to their end, so that their
  /// results are there when it is shown again.
  void hide();
  void releaseGpu();

 private:
  void refresh() const;
  bool playing() const;

  WindowState& window_;
  const int number_;
  PropertyRegistry registry_;
  std::vector<std::unique_ptr<Exhibit>> exhibits_;
  const render::Scene* scene_ = nullptr;
  std::vector<JobHandle> awaited_;
  CanvasInput canvas_;  ///< events of this frame
  Cursor cursor_ = Cursor::Arrow;
  mutable Document document_, withWindow_;
  mutable std::uint64_t seen_ = ~0ull, revision_ = 0;
};

}  // namespace sepx::ui
