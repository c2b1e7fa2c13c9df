// SPDX-License-Identifier: Apache-2.0
// A page of an exhibit: one way to look at what the exhibit is about. A page owns what it alone computes and how it is
// called; what all pages of an exhibit share (`Shared`) belongs to the exhibit and is passed in. Frame thread; long
// work in jobs, on lanes that begin with the exhibit's key.
#pragma once

#include <concepts>
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
#include "ui/page/page_kit.h"
#include "ui/page/readable.h"
#include "ui/properties/tr.h"

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

/// How a page is called.
struct PageLabel {
  std::string word;  ///< in the document and in commands: "plane" of "flow.page-plane"
  const char* name;  ///< N_(), of its tab
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
  virtual PageLabel label() const = 0;
  /// The groups of properties that it declares; by default one, called as the page.
  virtual std::vector<PropertyGroup> groups() const { return {{label().word, label().name}}; }
  /// Those of them that stand above all others while the page is in sight.
  virtual std::vector<std::string> firstGroups() const {
    std::vector<std::string> keys;
    for (const PropertyGroup& group : groups())
      keys.push_back(group.key);
    return keys;
  }
  /// Properties and read-outs of this page alone. What `live` refers to outlives the registry.
  virtual void declare(PropertyRegistry& registry, const Shared& live) = 0;
  /// A new document; also while another page is in sight.
  virtual void read(const Document&, const PropertyRegistry&, const Shared&) {}
  /// Takes over finished results, starts what is stale. Only the page in sight is updated; one that comes into sight is
  /// updated before it is asked for anything, and one that leaves sight hears FocusChanged and PointerLeft.
  virtual void update(const Frame& frame, ExhibitContext& context) = 0;
  /// How data coordinates lie on the page; by default data = (page x, -page y). After scene().
  virtual Camera camera(const Frame& frame) const { return {flipped(frame.area), frame.area}; }
  /// Its layers, bottom first; PageLayers keeps the revision of those that did not change.
  virtual void scene(const Frame& frame, std::vector<render::Layer>& into) = 0;
  /// The layers of its last scene, before anything else is drawn: a page may keep their items instead of copying them.
  virtual void reclaim(std::vector<render::Layer>&) {}
  /// Positions are page coordinates, as `frame.area`.
  virtual Cursor input(const Frame& frame, ExhibitContext& context, const InputEvent& event) = 0;
  /// As things are now; `last`: what input() answered last.
  virtual Cursor cursor(const Frame&, Cursor last) const { return last; }
  /// Order and headings of its rows in the exhibit's column, and sentences. What it leaves out follows by itself
  /// (PagePanel::rest): a page whose rows may stand as they are declared says nothing here.
  virtual void panel(const Frame&, ExhibitContext&, PagePanel&) {}
  virtual bool complete() const = 0;
  virtual bool animating() const { return false; }
  virtual Numbers numbers(const Shared&) const { return {}; }
  virtual std::string caption(const Shared&) const { return {}; }
  /// What of it can be read without seeing it, in reading order.
  virtual std::vector<ReadableView> readable() { return {}; }
  /// What the status bar says of the pointer and of the device that computed.
  virtual std::string status(const Shared&) const { return {}; }
  virtual std::optional<ColorLimits> ownLimits() const { return std::nullopt; }
  /// Commands of this page and what they do: in the menus while it is in sight.
  virtual std::vector<Command> commands(const Shared&, const Document&) { return {}; }
  /// Carries one of them out, as a button of the page does. False: there is none of this key.
  bool run(const Frame& frame, ExhibitContext& context, std::string_view command) {
    for (const Command& one : commands(frame.shared, context.editor.document())) {
      if (one.key != command) continue;
      if (one.act) one.act(frame, context);
      return true;
    }
    return false;
  }
  virtual std::vector<std::pair<std::string, std::string>> gestures() const { return {}; }
  /// How long a play from the beginning takes, seconds at the speed as set; 0: nothing plays.
  virtual double playSeconds() const { return 0; }
  virtual void releaseGpu() {}
};

}  // namespace sepx::ui
