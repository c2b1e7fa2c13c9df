// SPDX-License-Identifier: Apache-2.0
// A page of an exhibit: one way to look at the subject of the exhibit. A page describes what is shown as data: it
// requests its results in ask() and makes its views from state and results in views(), which is pure. Layout, drawing,
// pointer input, the numbers to export, the gestures and the text for assistive tools follow from the views. The data
// that all pages of an exhibit share (`SharedType`) belongs to the exhibit and is passed in. Beside it a digest of the
// shared data that pages show must be defined, `std::uint64_t contentDigest(const SharedType&)`. Frame thread; long
// work runs in jobs, on lanes whose names begin with the exhibit's key.
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

/// What a command of a page does: a function of frame and context, of only the context, or of nothing. It is called
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

/// A command of a page, like ExhibitCommand.
template <class Frame>
struct PageCommand {
  std::string key, label, shortcut, menu;
  bool enabled = true;
  PageAction<Frame> act{};
};

/// The names of a page, and the groups of its properties.
struct PageLabel {
  std::string key;       ///< in the document and in commands: "plane" of "flow.page-plane"
  const char* name;      ///< N_(), of its tab
  std::string layers{};  ///< prefix of its layer names: "flow.bias."; empty: layers have the names of views
  /// The groups of properties that it declares; empty: one with the key and name of the page.
  std::vector<PropertyGroup> groups{};
  bool groupsFirst = true;  ///< they are above all others while the page is in sight
  /// For a page that positions its views itself: the name of all of them together as a panel of a figure, as a word for
  /// `--views` and as N_(). Empty: each view is a panel of its own.
  std::string picture{};
  const char* pictureName = "";
};

using Gestures = std::vector<std::pair<std::string, std::string>>;

/// The current state of a page.
struct PageFacts {
  bool complete = true;    ///< all results belong to the present document and nothing is pending
  bool animating = false;  ///< something moves by itself
  bool playing = false;    ///< a playback is running
  bool moving = false;     ///< the content is expected to change soon
  double playSeconds = 0;  ///< duration of a playback from the beginning at the current speed; 0: nothing plays
  std::optional<ColorLimits> ownLimits{};
  bool pictured = true;  ///< a first picture of the current choice exists, so further work on it may begin
  std::optional<std::string> title{};  ///< translated; absent: that of the exhibit
  /// Status bar text about the pointer and the device that computed the results.
  std::function<std::string()> status{};
  std::function<std::string()> caption{};  ///< under a figure
  std::vector<std::string> leftOut{};  ///< names of parts other than views that a figure has no room for; translated
  std::function<Numbers()> numbers{};  ///< to export; empty: those of its views
  /// For the "Keys and pointer" sheet: gestures and their effects, translated; empty: those of its views.
  std::function<Gestures()> gestures{};
};

/// The area in which a page draws, and the data that it shares with the other pages.
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
  /// Declares the properties and read-outs of this page only. What `live` refers to must outlive the registry.
  virtual void declare(PropertyRegistry&, const Shared& /*live*/) {}
  /// Adds rows in its own order, headings and sentences to the exhibit's column. The rows that it leaves out are added
  /// after them (PagePanel::rest), so a page whose rows can be in the order of declaration need not override this.
  virtual void panel(const Frame&, ExhibitContext&, PagePanel&) {}
  virtual PageFacts facts(const Shared&) const { return {}; }
  /// Commands of this page; they are in the menus while it is in sight.
  virtual std::vector<Command> commands(const Shared&, const Document&) { return {}; }

  /// Called for every new document, also while another page is in sight.
  void follow(const Document& document, const PropertyRegistry& registry, const Shared& shared) {
    ++documents_;
    read(document, registry, shared);
  }
  /// Called once per frame. Only the page in sight is updated. A page that comes into sight is updated before anything
  /// else is called, and a page that leaves sight receives FocusChanged and PointerLeft.
  void update(const Frame& frame, ExhibitContext& context) {
    ask(framed(frame), context);
    moving_ = facts(frame.shared).moving;
    document_ = context.editor.revision();
    place(frame);
  }
  /// Adds its layers, bottom first.
  void scene(const Frame& frame, std::vector<render::Layer>& into) {
    place(frame);
    board_.scene(frame, into);
  }
  /// Maps data coordinates to the page; data = (page x, -page y) if the views do not define it. Call after scene().
  Camera camera(const Frame& frame) const {
    const auto& camera = board_.views().camera;
    return camera ? camera(framed(frame)) : Camera{flipped(frame.area), frame.area};
  }
  /// Handles an event; positions are in page coordinates, as `frame.area`.
  virtual Cursor input(const Frame& frame, ExhibitContext& context, const InputEvent& event) {
    return inputViews(frame, context, event);
  }
  /// Runs a command, as a button of the page does. False: there is none with this key.
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
  /// Reads the state of a new document, also while another page is in sight.
  virtual void read(const Document&, const PropertyRegistry&, const Shared&) {}
  /// Called once per frame: takes over finished results and requests stale ones. A change of anything that views()
  /// reads besides the document, the shared data and the frame must be counted in results_.
  virtual void ask(const Frame&, ExhibitContext&) {}
  /// The views that are shown now. What their functions refer to must outlive the frame.
  virtual Views views(const Frame& frame) const = 0;

  /// Passes an event to the views.
  Cursor inputViews(const Frame& frame, ExhibitContext& context, const InputEvent& event) {
    // Before update() has seen a new document, the views of the previous document are still on screen and handle
    // events.
    if (document_ == context.editor.revision()) place(frame);
    const Cursor cursor = board_.input(frame, context, event);
    if (const std::string command = board_.takeCommand(); !command.empty()) run(frame, context, command);
    if (const std::optional<ViewPress> press = board_.takePress(); press && pressed_) pressed_(frame, context, *press);
    return cursor;
  }
  /// Makes the views of the present state and places them.
  void place(const Frame& frame) {
    const Frame own = framed(frame);
    const std::uint64_t now =
        Digest().add(frameKey(own), documents_, contentDigest(frame.shared), results_.revision()).value();
    const bool apart = board_.divided() && !board_.pictureRoom();
    if (std::exchange(made_, now) != now) board_.show(views(apart ? roomy(own) : own));
    board_.place(frame, moving_);
  }
  std::uint64_t documents() const { return documents_; }  ///< number of documents read

  ResultSet results_;
  /// Handles a press on a row, a card or a column head that the view leaves to the page.
  std::function<void(const Frame&, ExhibitContext&, const ViewPress&)> pressed_;

 private:
  /// The frame for the page's functions. If the page's own picture is a panel of a figure, its area is the room that
  /// the board gives it.
  Frame framed(Frame frame) const {
    frame.panels = board_.divided();
    if (const std::optional<render::Rect>& room = board_.pictureRoom()) frame.area = *room;
    return frame;
  }
  /// A frame of at least a large size. A small page leaves parts out, but as panels of a figure they have room of their
  /// own.
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
