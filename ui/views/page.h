// SPDX-License-Identifier: Apache-2.0
// A page of an exhibit: one way to look at what the exhibit is about. A page says what is shown as data: it asks for
// its results in ask() and makes its views from state and results in views(), which is pure. Where they stand, how they
// are drawn, what the pointer does there, the numbers to export, the gestures and what can be read without seeing it
// follow from the views. What all pages of an exhibit share (`SharedType`) belongs to the exhibit and is passed in;
// beside it stands a function `std::uint64_t madeOf(const SharedType&)`, a digest of what pages show of it.
// Frame thread; long work in jobs, on lanes that begin with the exhibit's key.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/camera.h"
#include "ui/page/capabilities.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane_result.h"
#include "ui/page/readable.h"
#include "ui/properties/tr.h"
#include "ui/views/board.h"
#include "ui/views/digest.h"
#include "ui/views/page_kit.h"

namespace sepx::ui {

/// What a command of a page does: a function of frame and context, of the context alone, or of nothing. It is called
/// with the frame of the present document.
template <class Frame>
class PageAction {
 public:
  PageAction() = default;
  template <class Act>
  requires(!std::same_as<Act, PageAction>) PageAction(Act act) {
    if constexpr (std::is_invocable_v<Act&, const Frame&, ExhibitContext&>)
      act_ = std::move(act);
    else if constexpr (std::is_invocable_v<Act&, ExhibitContext&>)
      act_ = [act = std::move(act)](const Frame&, ExhibitContext& context) mutable { act(context); };
    else
      act_ = [act = std::move(act)](const Frame&, ExhibitContext&) mutable { act(); };
  }
  explicit operator bool() const { return static_cast<bool>(act_); }
  void operator()(const Frame& frame, ExhibitContext& context) const { act_(frame, context); }

 private:
  std::function<void(const Frame&, ExhibitContext&)> act_;
};

/// A command of a page, as ExhibitCommand.
template <class Frame>
struct PageCommand {
  std::string key, label, shortcut, menu;
  bool enabled = true;
  PageAction<Frame> act{};
};

/// How a page is called, and where its properties stand.
struct PageLabel {
  std::string key;       ///< in the document and in commands: "plane" of "flow.page-plane"
  const char* name;      ///< N_(), of its tab
  std::string layers{};  ///< before the names of its layers: "flow.bias."; empty: they are called as the views
  /// The groups of properties that it declares; empty: one, called as the page.
  std::vector<PropertyGroup> groups{};
  bool groupsFirst = true;  ///< they stand above all others while the page is in sight
  /// Of a page whose views stand where it says: what all of them together are called as a panel of a figure, the word
  /// of `--views` and N_(). Empty: its views are panels one by one.
  std::string picture{};
  const char* pictureName = "";
};

using Gestures = std::vector<std::pair<std::string, std::string>>;

/// How things are with a page now.
struct PageFacts {
  bool complete = true;    ///< all results belong to the present document and nothing is pending
  bool animating = false;  ///< something moves by itself
  bool playing = false;    ///< a play goes on
  bool moving = false;     ///< the content is expected to change soon
  double playSeconds = 0;  ///< how long a play from the beginning takes at the speed as set; 0: nothing plays
  std::optional<ColorLimits> ownLimits{};
  bool pictured = true;                ///< there is a first picture of what was chosen: further work on it may begin
  std::optional<std::string> title{};  ///< translated; absent: that of the exhibit
  /// What the status bar says of the pointer and of the device that computed.
  std::function<std::string()> status{};
  std::function<std::string()> caption{};  ///< under a figure
  std::vector<std::string> leftOut{};      ///< what a figure lacks for want of room, beside its views; translated
  std::function<Numbers()> numbers{};      ///< to export; empty: those of its views
  /// For the sheet of keys: gesture and what it does, translated; empty: those of its views.
  std::function<Gestures()> gestures{};
};

/// Where a page draws, and what it shares with the others.
template <class SharedType>
struct FrameOf : PageArea {
  FrameOf(const SharedType& all, const Theme& look, const render::Rect& at,
          std::optional<render::Point> under = std::nullopt, bool forFile = false, bool small = false)
      : PageArea{look, at, under, forFile, small}, shared(all) {}
  const SharedType& shared;
  const auto& state() const { return shared.state; }
};

template <class SharedType>
class Page {
 public:
  using Shared = SharedType;
  using Frame = FrameOf<Shared>;
  using Command = PageCommand<Frame>;

  virtual ~Page() = default;
  const PageLabel& label() const { return label_; }
  /// Properties and read-outs of this page alone. What `live` refers to outlives the registry.
  virtual void declare(PropertyRegistry&, const Shared& /*live*/) {}
  /// Order and headings of its rows in the exhibit's column, and sentences. What it leaves out follows by itself
  /// (PagePanel::rest): a page whose rows may stand as they are declared says nothing here.
  virtual void panel(const Frame&, ExhibitContext&, PagePanel&) {}
  virtual PageFacts facts(const Shared&) const { return {}; }
  /// Commands of this page and what they do: in the menus while it is in sight.
  virtual std::vector<Command> commands(const Shared&, const Document&) { return {}; }

  /// A new document; also while another page is in sight.
  void follow(const Document& document, const PropertyRegistry& registry, const Shared& shared) {
    ++documents_;
    read(document, registry, shared);
  }
  /// Once a frame. Only the page in sight is updated; one that comes into sight is updated before it is asked for
  /// anything, and one that leaves sight hears FocusChanged and PointerLeft.
  void update(const Frame& frame, ExhibitContext& context) {
    ask(framed(frame), context);
    moving_ = facts(frame.shared).moving;
    document_ = context.editor.revision();
    place(frame);
  }
  /// Its layers, bottom first.
  void scene(const Frame& frame, std::vector<render::Layer>& into) {
    place(frame);
    board_.scene(frame, into);
  }
  /// How data coordinates lie on the page; data = (page x, -page y) where the views do not say. After scene().
  Camera camera(const Frame& frame) const {
    const auto& camera = board_.views().camera;
    return camera ? camera(framed(frame)) : Camera{flipped(frame.area), frame.area};
  }
  /// An event for the page; positions are page coordinates, as `frame.area`.
  virtual Cursor input(const Frame& frame, ExhibitContext& context, const InputEvent& event) {
    return inputViews(frame, context, event);
  }
  /// Carries a command out, as a button of the page does. False: there is none of this key.
  bool run(const Frame& frame, ExhibitContext& context, std::string_view command) {
    for (const Command& one : commands(frame.shared, context.editor.document())) {
      if (one.key != command) continue;
      if (one.act) one.act(frame, context);
      return true;
    }
    return false;
  }
  const ViewBoard& board() const { return board_; }
  ViewBoard& board() { return board_; }

 protected:
  explicit Page(PageLabel label) : label_(std::move(label)), board_(label_.layers, label_.picture, label_.pictureName) {
    if (label_.groups.empty()) label_.groups = {{label_.key, label_.name}};
  }
  /// State of a new document; also while another page is in sight.
  virtual void read(const Document&, const PropertyRegistry&, const Shared&) {}
  /// Once a frame: takes over finished results and asks for what is stale. What views() reads beside the document, what
  /// the pages share and where it stands counts in results_.
  virtual void ask(const Frame&, ExhibitContext&) {}
  /// What is shown now. What its functions refer to outlives the frame.
  virtual Views views(const Frame& frame) const = 0;

  /// What the views do with an event.
  Cursor inputViews(const Frame& frame, ExhibitContext& context, const InputEvent& event) {
    // Of a document that results are not of yet, what is seen still answers: that of before.
    if (document_ == context.editor.revision()) place(frame);
    const Cursor cursor = board_.input(frame, context, event);
    if (const std::string command = board_.takeCommand(); !command.empty()) run(frame, context, command);
    if (const std::optional<ViewPress> press = board_.takePress(); press && pressed_) pressed_(frame, context, *press);
    return cursor;
  }
  /// The views of the present state at their places.
  void place(const Frame& frame) {
    const Frame own = framed(frame);
    const std::uint64_t now =
        Digest().add(frameKey(own), documents_, madeOf(frame.shared), results_.revision()).value();
    const bool apart = board_.divided() && !board_.pictureRoom();
    if (std::exchange(made_, now) != now) board_.show(views(apart ? roomy(own) : own));
    board_.place(frame, moving_);
  }
  std::uint64_t documents() const { return documents_; }  ///< how many were read

  ResultSet results_;
  /// What a press on a row, a card or a head does that the view leaves to the page.
  std::function<void(const Frame&, ExhibitContext&, const ViewPress&)> pressed_;

 private:
  /// As a panel of a figure the page's own picture has the room that the board gives it.
  Frame framed(Frame frame) const {
    frame.panels = board_.divided();
    if (const std::optional<render::Rect>& room = board_.pictureRoom()) frame.area = *room;
    return frame;
  }
  /// A page leaves parts out where it is small; those that are panels of a figure have room of their own.
  static Frame roomy(Frame frame) {
    constexpr double kWidth = 1600, kHeight = 1000;  // points
    frame.area.max = {std::max(frame.area.max.x, frame.area.min.x + kWidth),
                      std::max(frame.area.max.y, frame.area.min.y + kHeight)};
    frame.compact = false;
    return frame;
  }

  PageLabel label_;
  ViewBoard board_;
  std::uint64_t documents_ = 0;
  std::uint64_t made_ = 0;      ///< digest of what the views were made of
  std::uint64_t document_ = 0;  ///< the revision of the last update
  bool moving_ = false;         ///< in the last update
};

}  // namespace sepx::ui
