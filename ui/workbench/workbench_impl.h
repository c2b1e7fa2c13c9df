// SPDX-License-Identifier: Apache-2.0
// The insides of the Workbench, shared by its own .cpp files and nobody else. Members stand in the order of dependency:
// what is destroyed last stands first; jobs end before what they publish into goes away. Frame thread only, but for
// `published`.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/exhibit.h"
#include "ui/properties/widgets.h"
#include "ui/workbench/chrome.h"
#include "ui/workbench/imgui_context.h"
#include "ui/workbench/imgui_input.h"
#include "ui/workbench/imgui_painter.h"
#include "ui/workbench/layout.h"
#include "ui/workbench/lesson_panel.h"
#include "ui/workbench/lesson_player.h"
#include "ui/workbench/workbench.h"

namespace sepx::ui {

struct Workbench::Impl final : Editor {
  Impl(Workbench& owner, WorkbenchOptions wishes);
  ~Impl() override;

  // Editor: how exhibits change the document (workbench_document.cpp).
  const Document& document() const override { return history.present(); }
  std::uint64_t revision() const override { return history.revision(); }
  const PropertyRegistry& properties() const override { return registry; }
  Result<void> set(std::string_view key, const Value& value, std::string group) override;
  void commit(Document next, std::string label, std::string group) override;
  void replace(Document next) override;
  void seal() override { history.seal(); }
  void say(std::string errorSentence) override;

  // workbench.cpp: one frame.
  void advance(gpu::Extent extent, HostFrame& host);
  float pixelsPerPoint(gpu::Extent extent, float hostScale) const;
  void arrange(const HostFrame& host);
  void beginImgui(gpu::Extent extent, const HostFrame& host);
  CanvasInput route(std::vector<InputEvent> events);
  void drawPanels(ExhibitContext& context, const HostFrame& host);
  void answer(HostFrame& host, Cursor canvasCursor);
  gpu::TargetStatus paint(gpu::FrameTarget& target);
  ExhibitContext context();
  Exhibit& exhibit() const;
  bool settledWithoutLesson() const;

  // workbench_document.cpp: files and read-outs.
  void declare();
  void startAnew();
  Result<void> openSession(const std::string& file);
  Result<void> openLesson(const std::string& file);
  Document withoutCarried(const Document& document) const;

  // workbench_commands.cpp: commands and the keys that mean them.
  std::vector<Command> commands() const;
  Result<void> run(std::string_view command);
  bool runShortcut(const KeyPressed& press, bool textActive);

  Workbench& self;
  WorkbenchOptions options;
  History history;
  PropertyRegistry registry;
  std::vector<std::string> carried;  ///< keys that undo leaves alone
  std::vector<std::unique_ptr<Exhibit>> exhibits;
  std::atomic<bool> published{false};  ///< set by worker threads
  ThreadPool pool;
  Jobs jobs;

  ImguiContext imgui;
  ImguiInput input;
  ControlMap controls;
  Chrome chrome;
  LessonPlayer lesson;
  LessonPanel lessonPanel;
  std::unique_ptr<ImguiPainter> painter;
  gpu::Context* gpu = nullptr;  ///< of the last target

  const Theme* theme;
  bool chromeShown = true;
  bool figure = false;
  Layout layout;
  render::Point window;  ///< points
  float scale = 1;       ///< pixels per point, as the interface uses it
  double seconds = 0;
  bool framed = false;  ///< there was a frame: positions on the canvas mean something
  const render::Scene* scene = nullptr;
  const render::Scene empty;         ///< before the first frame
  std::optional<Button> canvasOwns;  ///< the button that went down on the canvas and is still down
  bool pointerOnCanvas = false;
  int fontGeneration = 0;

  int settling = 3;  ///< frames that ImGui still needs
  std::uint64_t drawnRevision = ~0ull;
  HostFrame::Wish wish = HostFrame::Wish::None;
  std::vector<Message> messages;
  std::string file;  ///< of the open session
  Document saved;    ///< as last opened or saved, without carried keys
  FrameTimes times;
};

}  // namespace sepx::ui
