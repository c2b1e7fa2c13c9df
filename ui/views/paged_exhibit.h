// SPDX-License-Identifier: Apache-2.0
// An exhibit that consists of pages below a strip with tabs. It selects the page in sight (the choice "KEY.page", and
// the commands "KEY.page-WORD" with the shortcuts 1 to 9 and 0 in the order of the tabs), passes pointer events to the
// strip or to the page, and forwards everything else to the page in sight. A derived exhibit adds what its pages share.
// It changes the document only through the Editor. Frame thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "ui/page/exhibit.h"
#include "ui/page/page_key.h"
#include "ui/page/page_panel.h"
#include "ui/properties/tr.h"
#include "ui/views/page.h"
#include "ui/views/strip.h"

namespace sepx::ui {

/// `PageType`: a Page, or a class that an exhibit derives from it.
template <class PageType>
class PagedExhibit : public Exhibit {
 public:
  using Shared = typename PageType::Shared;
  using Frame = typename PageType::Frame;
  using Pages = std::vector<std::unique_ptr<PageType>>;

  std::string key() const final { return key_; }
  void declare(PropertyRegistry& registry) final;
  Cursor input(ExhibitContext& context, const CanvasInput& input) final;
  void update(ExhibitContext& context) final;
  const render::Scene& scene(const ExhibitContext& context) final;
  void panel(ExhibitContext& context, bool inspectorShown) final;
  void reportControls(const ExhibitContext& context) final;
  bool animating() const final {
    const PageFacts now = facts();
    return now.animating || now.playing;
  }
  bool complete() const final { return sharedComplete() && facts().complete; }
  std::string status() const final {
    const PageFacts now = facts();
    return now.status ? now.status() : std::string();
  }
  void releaseGpu() override {}
  std::vector<Command> commands(const Document& document) final;
  std::vector<std::pair<std::string, std::string>> gestures() const override {
    const PageFacts now = facts();
    return now.gestures ? now.gestures() : page().board().gestures();
  }
  std::vector<ReadableView> readable() override { return page().board().readable(); }
  std::optional<ColorLimits> ownLimits() const override { return facts().ownLimits; }
  Numbers numbers() const override {
    const PageFacts now = facts();
    return now.numbers ? now.numbers() : page().board().numbers();
  }
  std::vector<FigurePanel> panels() const override { return page().board().panels(); }
  ChartParts chartParts() const override { return page().board().chartParts(); }
  std::vector<std::string> leftOut() const override {
    std::vector<std::string> all = facts().leftOut;
    const std::vector<std::string>& views = page().board().leftOut();
    all.insert(all.end(), views.begin(), views.end());
    return all;
  }
  std::string caption() const override {
    const PageFacts now = facts();
    return now.caption ? now.caption() : std::string();
  }
  double playSeconds() const override { return facts().playSeconds; }
  std::vector<PropertyGroup> groups() const final;
  std::vector<std::string> groupsInSight(const Document& document) const final {
    const PageLabel& label = pages_[pageOf(document)]->label();
    std::vector<std::string> keys;
    if (label.groupsFirst)
      for (const PropertyGroup& group : label.groups)
        keys.push_back(group.key);
    return keys;
  }

 protected:
  explicit PagedExhibit(std::string key) : key_(std::move(key)) {}
  /// Call in the constructor of the exhibit, with at least one page, in the order of the tabs. The first one is in
  /// sight if the document names none.
  void setPages(Pages pages) { pages_ = std::move(pages); }

  virtual const Shared& shared() const = 0;
  /// Declares what does not belong to a single page. `page`: the choice of the page, which this function declares too.
  virtual void declareShared(PropertyRegistry& registry, Property page) { registry.declare(std::move(page)); }
  /// Called when the document has changed.
  virtual void readShared(const Document&, const PropertyRegistry&) {}
  /// Called every time before the page is used, because what is shown may depend on results as well.
  virtual void refreshShared() {}
  /// Called before and after the page in sight is updated.
  virtual void updateShared(ExhibitContext&) {}
  virtual void updateAfterPage(ExhibitContext&) {}
  virtual bool sharedComplete() const { return true; }
  /// Groups of properties that do not belong to a single page.
  virtual std::vector<PropertyGroup> sharedGroups() const { return {}; }
  /// Draws the exhibit's column; by default the rows of the page in sight.
  virtual void drawPanel(const Frame& frame, ExhibitContext& context, bool inspectorShown) {
    if (inspectorShown) return;
    PagePanel panel(context, ("##" + key_ + ".panel").c_str());
    pagePanel(frame, context, panel);
  }
  /// Draws the rows of the page in sight.
  void pagePanel(const Frame& frame, ExhibitContext& context, PagePanel& panel) {
    const std::size_t before = panel.asked();
    page().panel(frame, context, panel);
    panel.rest(key_, page().label().groups, panel.asked() == before);
  }
  // What an exhibit draws around the page. `whole`: a frame with the area of both.
  /// Lays it out and returns the area that is left for the page.
  virtual render::Rect layOutAround(const Frame& whole) { return whole.area; }
  virtual void addAround(const Frame&, std::vector<render::Layer>&) {}
  /// Empty optional: the event is for the page.
  virtual std::optional<Cursor> inputAround(const Frame&, ExhibitContext&, const InputEvent&) { return std::nullopt; }
  /// Empty optional: the pointer is elsewhere.
  virtual std::optional<Cursor> cursorAround(const Frame&) const { return std::nullopt; }
  /// Reports its buttons with reportStrip().
  virtual void reportAround(const Frame&, const ExhibitContext&) {}
  /// Commands that every page has.
  virtual std::vector<Command> sharedCommands(const Document&) { return {}; }
  /// Whether the page can be shown for the present document; the first one always can.
  virtual bool offers(const PageType&) const { return true; }
  /// The strip of a picture of this size, by default title and tabs; its height is 0 if there is no room for one. In
  /// front of an audience (ExhibitView::audience) there are no tabs, and the strip may be empty.
  virtual Strip layOutStrip(const std::vector<StripButton>& tabs, double width, double height,
                            const Theme& theme) const {
    return tabs.empty() ? Strip{} : titleStrip(title(), tabs, width, height, theme);
  }
  /// The menu of the commands that choose a page.
  virtual std::string pagesMenu() const { return tr("Exhibit"); }

  PageType& page() const { return *pages_[page_]; }
  PageFacts facts() const { return page().facts(shared()); }
  /// The page that a document shows.
  PageType& pageIn(const Document& document) const {
    PageType& chosen = *pages_[pageOf(document)];
    return offers(chosen) ? chosen : *pages_.front();
  }
  const Pages& pages() const { return pages_; }
  Frame frame(const ExhibitContext& context) const { return frameIn(inner_, context, held_); }
  /// Converts the action of a page's command to one of the exhibit.
  std::function<void(ExhibitContext&)> withFrame(PageAction<Frame> act) const {
    if (!act) return {};
    return [this, act = std::move(act)](ExhibitContext& context) { act(frame(context), context); };
  }
  /// Reads the document if it has changed, and repeats the layout around the page if document, size or theme have
  /// changed.
  void refresh(const ExhibitContext& context);

 private:
  using LayoutKey = std::tuple<std::uint64_t, double, double, std::string, float>;
  LayoutKey layoutKey(const ExhibitContext& context) const {
    return {context.editor.revision(), context.area.width(), context.area.height(), context.theme.key,
            context.theme.textSize};
  }
  void updateLayout(const ExhibitContext& context);
  render::Rect outer() const { return {{0, strip_.height}, {width_, std::max(height_, strip_.height + 1)}}; }
  /// `held`: the pointer belongs to the page wherever it is.
  Frame frameIn(const render::Rect& area, const ExhibitContext& context, bool held) const;
  Frame whole(const ExhibitContext& context) const { return frameIn(outer(), context, gesture_); }
  /// Reads the document when it has changed.
  void follow(const ExhibitContext& context);
  void enter(ExhibitContext& context);
  void leave(ExhibitContext& context);
  std::size_t find(std::string_view word) const;
  std::size_t pageOf(const Document& document) const;
  std::string commandOf(const PageType& page) const { return key_ + ".page-" + page.label().key; }
  std::vector<StripButton> tabs() const;
  bool overStrip() const { return pointer_ && pointer_->y < strip_.height && !gesture_; }
  bool toPage(InputEvent& event, ExhibitContext& context);
  Cursor pressed(ExhibitContext& context, const StripButton& button);

  const std::string key_;
  Pages pages_;
  std::size_t page_ = 0;
  std::optional<std::uint64_t> revision_;
  Strip strip_;
  PageLayers stripLayers_;
  render::Scene scene_;
  PageType* drawn_ = nullptr;             ///< the page whose layers are in scene_
  PageType* entered_ = nullptr;           ///< the page that was updated last; null before the first update
  std::optional<render::Point> pointer_;  ///< page
  bool gesture_ = false;                  ///< a mouse button that was pressed below the strip is still down
  bool held_ = false;                     ///< the page handles that gesture
  render::Rect inner_;                    ///< area of the page
  Cursor cursor_ = Cursor::Arrow;
  double width_ = 1, height_ = 1;
  std::optional<LayoutKey> laidOutFor_;  ///< what the layout of the strip and of all else around the page was made for
};

template <class PageType>
void PagedExhibit<PageType>::declare(PropertyRegistry& registry) {
  Property choice;
  choice.key = pageKey(key_);
  choice.label = N_("Page");
  choice.kind = Kind::Choice;
  choice.fallback = pages_.front()->label().key;
  for (const auto& page : pages_)
    choice.choices.push_back(page->label().key);
  choice.choiceLabel = [this](const std::string& word) {
    const std::size_t at = find(word);
    return at < pages_.size() ? tr(pages_[at]->label().name) : word;
  };
  declareShared(registry, std::move(choice));
  for (const auto& page : pages_)
    page->declare(registry, shared());
}

template <class PageType>
std::size_t PagedExhibit<PageType>::find(std::string_view word) const {
  const auto found =
      std::find_if(pages_.begin(), pages_.end(), [word](const auto& page) { return page->label().key == word; });
  return static_cast<std::size_t>(found - pages_.begin());
}

/// Index of the page that the document names; the first page if it names none.
template <class PageType>
std::size_t PagedExhibit<PageType>::pageOf(const Document& document) const {
  const Json& word = document.at(pageKey(key_));
  const std::size_t at = word.is_string() ? find(word.get_ref<const std::string&>()) : 0;
  return at < pages_.size() ? at : 0;
}

template <class PageType>
std::vector<PropertyGroup> PagedExhibit<PageType>::groups() const {
  std::vector<PropertyGroup> all = sharedGroups();
  for (const auto& page : pages_)
    all.insert(all.end(), page->label().groups.begin(), page->label().groups.end());
  return all;
}

template <class PageType>
std::vector<StripButton> PagedExhibit<PageType>::tabs() const {
  std::vector<StripButton> tabs;
  for (const auto& one : pages_) {
    StripButton& tab = tabs.emplace_back();
    tab.key = commandOf(*one);
    tab.label = tr(one->label().name);
    tab.on = one.get() == &page();
    tab.enabled = one == pages_.front() || offers(*one);
  }
  return tabs;
}

template <class PageType>
void PagedExhibit<PageType>::follow(const ExhibitContext& context) {
  if (revision_ != context.editor.revision()) {
    revision_ = context.editor.revision();
    const Document& document = context.editor.document();
    readShared(document, context.editor.properties());
    page_ = pageOf(document);
    if (!offers(page())) page_ = 0;
    for (const auto& page : pages_)
      page->follow(document, context.editor.properties(), shared());
  }
  refreshShared();
}

template <class PageType>
void PagedExhibit<PageType>::refresh(const ExhibitContext& context) {
  follow(context);
  if (laidOutFor_ != layoutKey(context)) updateLayout(context);
}

template <class PageType>
void PagedExhibit<PageType>::updateLayout(const ExhibitContext& context) {
  laidOutFor_ = layoutKey(context);
  width_ = std::max(1.0, context.area.width());
  height_ = std::max(1.0, context.area.height());
  strip_ = {};
  if (!context.figure)
    strip_ = layOutStrip(context.audience ? std::vector<StripButton>{} : tabs(), width_, height_, context.theme);
  inner_ = layOutAround(whole(context));
  if (context.figure) page().board().choose(context.choice);
}

template <class PageType>
typename PageType::Frame PagedExhibit<PageType>::frameIn(const render::Rect& area, const ExhibitContext& context,
                                                         bool held) const {
  constexpr double kCompactWidth = 44, kCompactHeight = 26;  // below the strip, multiples of the text size
  const render::Rect room = outer();
  const double unit = context.theme.textSize;
  Frame frame(shared(), context.theme, area);
  if (pointer_ && !context.figure && (area.contains(*pointer_) || held)) frame.pointer = pointer_;
  frame.figure = context.figure;
  frame.audience = context.audience;
  frame.compact = room.width() < kCompactWidth * unit || room.height() < kCompactHeight * unit;
  return frame;
}

template <class PageType>
Cursor PagedExhibit<PageType>::pressed(ExhibitContext& context, const StripButton& button) {
  if (button.act)
    button.act(context);
  else if (!button.value.empty())
    setAsStep(context.editor, button.key, button.value);
  else if (const Result<void> done = run(context, button.key); !done)
    context.editor.say(done.error().message);
  return Cursor::Hand;
}

/// Converts the positions of an event to those of the page. False: the event was for the strip and has been handled.
template <class PageType>
bool PagedExhibit<PageType>::toPage(InputEvent& event, ExhibitContext& context) {
  const auto local = [this, &context](double& x, double& y) {
    x -= context.area.min.x;
    y -= context.area.min.y;
    pointer_ = render::Point{x, y};
  };
  if (auto* move = std::get_if<PointerMoved>(&event)) {
    local(move->x, move->y);
  } else if (auto* press = std::get_if<PointerPressed>(&event)) {
    local(press->x, press->y);
    if (overStrip()) {
      const StripButton* const button = press->down ? strip_.at(*pointer_) : nullptr;
      if (button && press->button == Button::Left) cursor_ = pressed(context, StripButton(*button));
      return false;
    }
    gesture_ = press->down;
  } else if (std::holds_alternative<PointerLeft>(event)) {
    if (!gesture_) pointer_.reset();
  } else if (std::holds_alternative<Scrolled>(event)) {
    return !overStrip();
  } else if (const auto* focus = std::get_if<FocusChanged>(&event)) {
    if (!focus->focused) gesture_ = held_ = false;
  }
  return true;
}

/// Makes the page that left sight release what the pointer held there, because the release of the button goes to
/// another page.
template <class PageType>
void PagedExhibit<PageType>::leave(ExhibitContext& context) {
  PageType* const left = std::exchange(entered_, &page());
  if (!left || left == entered_) return;
  gesture_ = held_ = false;
  Frame without = frame(context);
  without.pointer.reset();
  static_cast<void>(inputAround(without, context, FocusChanged{false}));
  static_cast<void>(left->input(without, context, FocusChanged{false}));
  static_cast<void>(left->input(without, context, PointerLeft{}));
  refresh(context);
}

/// What a page keeps (a layout, results, a selection) may belong to a model or run that was replaced while another page
/// was in sight. So a page that comes into sight is updated before anything else is called.
template <class PageType>
void PagedExhibit<PageType>::enter(ExhibitContext& context) {
  refresh(context);
  if (!entered_ || entered_ == &page()) return;
  leave(context);
  page().update(frame(context), context);
}

template <class PageType>
Cursor PagedExhibit<PageType>::input(ExhibitContext& context, const CanvasInput& input) {
  if (!input.events.empty()) enter(context);
  for (InputEvent event : input.events) {
    if (toPage(event, context)) {
      const std::optional<Cursor> around = inputAround(whole(context), context, event);
      if (std::holds_alternative<PointerPressed>(event)) held_ = gesture_ && !around;
      cursor_ = around ? *around : page().input(frame(context), context, event);
    }
    enter(context);
  }
  if (overStrip()) return strip_.at(*pointer_) ? Cursor::Hand : Cursor::Arrow;
  return cursorAround(whole(context)).value_or(cursor_);
}

template <class PageType>
void PagedExhibit<PageType>::update(ExhibitContext& context) {
  follow(context);
  updateShared(context);
  follow(context);
  updateLayout(context);  // once per frame, because it may depend on results too
  leave(context);
  page().update(frame(context), context);
  updateAfterPage(context);
}

template <class PageType>
const render::Scene& PagedExhibit<PageType>::scene(const ExhibitContext& context) {
  const Frame now = frame(context);
  if (drawn_) drawn_->board().reclaim(scene_.layers);
  drawn_ = &page();
  scene_.layers.clear();
  page().scene(now, scene_.layers);
  addAround(whole(context), scene_.layers);
  const Camera camera = page().camera(now);
  scene_.width = width_;
  scene_.height = height_;
  scene_.plot = camera.plot;
  scene_.window = camera.window;
  scene_.background = context.theme.plotBackground;
  if (strip_.height <= 0) return scene_;
  const auto over = pointer_ && pointer_->y < strip_.height ? pointer_ : std::optional<render::Point>();
  const auto items = [&] {
    std::vector<render::Item> made;
    addStrip(made, strip_, width_, context.theme, over);
    return made;
  };
  stripLayers_.add(scene_.layers, "strip", stripKey(strip_, width_, context.theme, over), items, false, false);
  return scene_;
}

template <class PageType>
void PagedExhibit<PageType>::panel(ExhibitContext& context, bool inspectorShown) {
  if (context.controls) drawPanel(frame(context), context, inspectorShown);
}

template <class PageType>
void PagedExhibit<PageType>::reportControls(const ExhibitContext& context) {
  if (!context.controls) return;
  reportStrip(strip_, context);
  reportStrip(page().board().controls(), context);
  page().board().drawControls(context);
  reportAround(whole(context), context);
}

template <class PageType>
std::vector<Exhibit::Command> PagedExhibit<PageType>::commands(const Document& document) {
  std::vector<Command> all = sharedCommands(document);
  std::size_t number = 0;
  for (const auto& one : pages_) {
    const std::string digit = ++number <= 10 ? std::to_string(number % 10) : std::string();
    all.push_back({commandOf(*one), std::string(tr("Page:")) + " " + tr(one->label().name), digit, pagesMenu(),
                   one == pages_.front() || offers(*one), [this, word = one->label().key](ExhibitContext& context) {
                     setAsStep(context.editor, pageKey(key_), word);
                   }});
  }
  for (auto& one : pageIn(document).commands(shared(), document)) {
    Command& command = all.emplace_back(Command{one.key, one.label, one.shortcut, one.menu, one.enabled});
    command.act = withFrame(std::move(one.act));
  }
  for (Command& command : all)
    if (command.act)
      command.act = [this, act = std::move(command.act)](ExhibitContext& context) {
        enter(context);
        act(context);
        refresh(context);
      };
  return all;
}

}  // namespace sepx::ui
