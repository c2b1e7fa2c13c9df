// SPDX-License-Identifier: Apache-2.0
// An exhibit with two pages that only record their calls: tabs, keys, the choice of the page, and which pointer events
// belong to the tab strip and which to the page.
#include <catch2/catch.hpp>

#include "tests/ui/page/exhibit_rig.h"
#include "ui/canvas/shapes.h"
#include "ui/views/paged_exhibit.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

struct Shared {
  int documents = 0;
};

std::uint64_t contentDigest(const Shared& shared) {
  return static_cast<std::uint64_t>(shared.documents);
}

struct Noted {
  int reads = 0, updates = 0;
  mutable int drawn = 0;
  std::vector<InputEvent> events;
  std::vector<std::string> commands;
};

class NotingPage final : public Page<Shared> {
 public:
  NotingPage(PageLabel label, Noted& noted) : Page(std::move(label)), noted_(noted) {}
  void declare(PropertyRegistry& registry, const Shared&) override {
    Property property;
    property.key = "fake." + label().key + ".size";
    property.fallback = 1.0;
    property.applies = onPages("fake.page", "left", {label().key});
    registry.declare(property);
  }
  Cursor input(const Frame&, ExhibitContext&, const InputEvent& event) override {
    noted_.events.push_back(event);
    return Cursor::Cross;
  }
  PageFacts facts(const Shared&) const override {
    return {.complete = label().key == "left", .caption = [this] { return label().key; }};
  }
  std::vector<Command> commands(const Shared&, const Document&) override {
    const std::string key = "fake." + label().key + "-only";
    return {{key, "", "", "", true, [this, key] { noted_.commands.push_back(key); }}};
  }

 private:
  void read(const Document&, const PropertyRegistry&, const Shared&) override { ++noted_.reads; }
  void ask(const Frame&, ExhibitContext&) override { ++noted_.updates; }
  Views views(const Frame&) const override {
    PictureContent picture;
    picture.draw = [this](const ViewPlace& place) {
      ++noted_.drawn;
      return std::vector<render::Item>{pageFill(place.box, {1, 0, 0, 1})};
    };
    return {{{label().key, std::move(picture)}}, viewNamed(label().key)};
  }

  Noted& noted_;
};

class FakeExhibit final : public PagedExhibit<Page<Shared>> {
 public:
  FakeExhibit() : PagedExhibit("fake") {
    Pages pages;
    pages.push_back(std::make_unique<NotingPage>(PageLabel{"left", N_("Left")}, left));
    pages.push_back(std::make_unique<NotingPage>(PageLabel{"right", N_("Right")}, right));
    setPages(std::move(pages));
  }
  std::string name() const override { return "Fake"; }

  Noted left, right;
  bool offersRight = true;
  int ownCommands = 0;
  mutable int laid = 0;  ///< number of layouts of the strip
  int pressesBelow = 0;  ///< presses on the part that the exhibit draws around the page
  static constexpr double kBelow = 30;
  render::Rect below;

 private:
  render::Rect layOutAround(const Frame& whole) override {
    below = render::Rect{{0, whole.area.max.y - kBelow}, whole.area.max};
    return {whole.area.min, {whole.area.max.x, below.min.y}};
  }
  std::optional<Cursor> inputAround(const Frame&, ExhibitContext&, const InputEvent& event) override {
    const auto* const press = std::get_if<PointerPressed>(&event);
    if (!press || !below.contains({press->x, press->y})) return std::nullopt;
    ++pressesBelow;
    return Cursor::Hand;
  }
  const Shared& shared() const override { return shared_; }
  void declareShared(PropertyRegistry& registry, Property page) override { registry.declare(std::move(page)); }
  void readShared(const Document&, const PropertyRegistry&) override { ++shared_.documents; }
  void drawPanel(const Frame&, ExhibitContext&, bool) override {}
  std::vector<Command> sharedCommands(const Document&) override {
    return {{"fake.own", "", "", "", true, [this](ExhibitContext&) { ++ownCommands; }}};
  }
  bool offers(const Page<Shared>& page) const override { return offersRight || page.label().key == "left"; }
  Strip layOutStrip(const std::vector<StripButton>& tabs, double width, double, const Theme& theme) const override {
    ++laid;
    Strip strip;
    strip.height = stripRow(theme);
    StripLine(strip, 0, strip.height, 0, width).tabs(tabs, theme);
    return strip;
  }
  Shared shared_;
};

struct PagedRig : ExhibitRig {
  PagedRig() : ExhibitRig(std::make_unique<FakeExhibit>()), fake(static_cast<FakeExhibit&>(*exhibit)) {
    area = {{100, 50}, {900, 650}};
    theme = "light";
  }

  /// The middle of a tab, in window coordinates.
  render::Point tab(int index) const {
    const double row = stripRow(*findTheme(theme));
    // The last tab ends at the right edge.
    const double x = index == 1 ? area.max.x - 12 : area.max.x - 12 - textWidth("Right", 12) - 20;
    return {x, area.min.y + row / 2};
  }
  /// A press and its release only: a move would be sent to the page, also over the strip.
  void tap(render::Point at) {
    frame({press(at, true)});
    frame({press(at, false)});
  }
  std::string page() const { return toString(value("fake.page")); }

  FakeExhibit& fake;
};

const Exhibit::Command* find(const std::vector<Exhibit::Command>& all, const std::string& key) {
  for (const Exhibit::Command& one : all)
    if (one.key == key) return &one;
  return nullptr;
}

}  // namespace

TEST_CASE("Pages give an exhibit its page parameter, its commands and its shortcuts", "[paged]") {
  PagedRig rig;
  const auto found = rig.editor.registry.find("fake.page");
  REQUIRE((found && found->property));
  CHECK(found->property->choices == std::vector<std::string>{"left", "right"});
  CHECK(found->property->choiceLabel("right") == "Right");
  CHECK(rig.page() == "left");
  rig.frame();
  const auto commands = rig.fake.commands(rig.editor.document());
  REQUIRE(find(commands, "fake.page-right"));
  CHECK(find(commands, "fake.page-left")->shortcut == "1");  // shortcuts follow the order of the tabs
  CHECK(find(commands, "fake.page-right")->shortcut == "2");
  CHECK(find(commands, "fake.page-right")->label == "Page: Right");
  CHECK(find(commands, "fake.own"));
  CHECK(find(commands, "fake.left-only"));
  CHECK(!find(commands, "fake.right-only"));
  CHECK(rig.fake.caption() == "left");
  CHECK(rig.fake.complete());
}

TEST_CASE("A hidden page reads the document but is neither updated nor drawn", "[paged]") {
  PagedRig rig;
  rig.frame();
  rig.frame();
  CHECK(rig.fake.left.updates == 2);
  CHECK(rig.fake.left.drawn == 1);  // a page without changes is not redrawn
  CHECK(rig.fake.right.updates == 0);
  CHECK(rig.fake.right.drawn == 0);
  CHECK(rig.fake.left.reads == 1);
  CHECK(rig.fake.right.reads == 1);
  REQUIRE(rig.run("fake.page-right"));
  rig.frame();
  CHECK(rig.page() == "right");
  CHECK(rig.fake.left.updates == 2);
  CHECK(rig.fake.right.updates == 1);
  CHECK(rig.fake.right.reads == 2);
  CHECK(!rig.fake.complete());
}

TEST_CASE("The strip is laid out once per frame, and again after an event that changes the document or its size",
          "[paged]") {
  PagedRig rig;
  rig.frame();
  const auto laid = [&rig](std::vector<InputEvent> events) {
    rig.fake.laid = 0;
    rig.frame(std::move(events));
    return rig.fake.laid;
  };
  CHECK(laid({}) == 1);
  CHECK(laid({PointerMoved{300, 300}, PointerMoved{310, 300}, PointerMoved{320, 300}, PointerLeft{}}) == 1);
  CHECK(laid({PagedRig::press(rig.tab(1), true)}) == 2);
  CHECK(rig.page() == "right");
  rig.area.max.x += 40;  // after a change of size the events use the new layout
  CHECK(laid({PointerMoved{300, 300}, PointerMoved{310, 300}}) == 2);
}

TEST_CASE("A command goes to the exhibit, then to the visible page, and an unknown one is refused with its name",
          "[paged]") {
  PagedRig rig;
  rig.frame();
  CHECK(rig.run("fake.own"));
  CHECK(rig.fake.ownCommands == 1);
  CHECK(rig.fake.left.commands.empty());
  CHECK(rig.run("fake.left-only"));
  CHECK(rig.fake.left.commands == std::vector<std::string>{"fake.left-only"});
  const Result<void> refused = rig.run("fake.page-middle");
  REQUIRE(!refused);
  CHECK(refused.error().kind == ErrorKind::Usage);
  CHECK(refused.error().message == "The Fake exhibit has no command \"fake.page-middle\".");
  CHECK(rig.fake.right.commands.empty());
}

TEST_CASE("A command of the list acts on the page that the document shows", "[paged]") {
  PagedRig rig;
  rig.frame();
  rig.set("fake.page", std::string("right"));  // no frame has passed since
  const auto commands = rig.fake.commands(rig.editor.document());
  REQUIRE(find(commands, "fake.right-only"));
  ExhibitContext now = rig.context();
  find(commands, "fake.right-only")->act(now);
  CHECK(rig.fake.right.commands == std::vector<std::string>{"fake.right-only"});
  CHECK(rig.fake.right.updates == 1);  // it was shown first
  find(commands, "fake.page-left")->act(now);
  CHECK(rig.page() == "left");
}

TEST_CASE("The strip handles its pointer events, and the page gets the others in its own coordinates", "[paged]") {
  PagedRig rig;
  rig.frame();
  rig.frame({PointerMoved{300, 400}});
  REQUIRE(rig.fake.left.events.size() == 1);
  CHECK(std::get<PointerMoved>(rig.fake.left.events[0]).x == 200);
  CHECK(std::get<PointerMoved>(rig.fake.left.events[0]).y == 350);
  CHECK(rig.cursor == Cursor::Cross);
  rig.fake.left.events.clear();
  rig.tap(rig.tab(1));
  CHECK(rig.page() == "right");
  REQUIRE(rig.fake.left.events.size() == 2);  // the page releases the pointer
  CHECK_FALSE(std::get<FocusChanged>(rig.fake.left.events[0]).focused);
  CHECK(std::holds_alternative<PointerLeft>(rig.fake.left.events[1]));
  rig.fake.left.events.clear();
  CHECK(rig.fake.right.events.empty());
  CHECK(rig.cursor == Cursor::Hand);
  rig.frame({Scrolled{0, 1}});  // over the strip
  CHECK(rig.fake.right.events.empty());
  rig.tap(rig.tab(0));
  CHECK(rig.page() == "left");
  rig.frame({PointerPressed{Button::Left, true, 300, 60}});  // over the strip, between the tabs
  CHECK(rig.cursor == Cursor::Arrow);
  CHECK(rig.fake.left.events.empty());
}

TEST_CASE("A drag that began on the page continues over the strip", "[paged]") {
  PagedRig rig;
  rig.frame();
  rig.frame({PointerPressed{Button::Left, true, 300, 400}});
  const render::Point tab = rig.tab(1);
  rig.frame({PointerMoved{tab.x, tab.y}, PointerPressed{Button::Left, false, tab.x, tab.y}});
  CHECK(rig.fake.left.events.size() == 3);
  CHECK(rig.page() == "left");
}

TEST_CASE("The part that an exhibit draws around the page has its own area and pointer events", "[paged]") {
  PagedRig rig;
  rig.frame();
  CHECK(rig.fake.below.max.y == 600);
  rig.frame({PagedRig::press({300, 640}, true), PagedRig::press({300, 640}, false)});
  CHECK(rig.fake.pressesBelow == 2);
  CHECK(rig.fake.left.events.empty());
  rig.frame({PagedRig::press({300, 600}, true), PagedRig::press({300, 600}, false)});
  CHECK(rig.fake.pressesBelow == 2);
  CHECK(rig.fake.left.events.size() == 2);
}

TEST_CASE("A page that is not available is replaced by the first, and its tab is disabled", "[paged]") {
  PagedRig rig;
  REQUIRE(rig.run("fake.page-right"));
  rig.fake.offersRight = false;
  REQUIRE(rig.editor.set("fake.left.size", 0.5, {}));
  rig.frame();
  CHECK(rig.fake.left.updates == 1);
  CHECK(rig.fake.right.updates == 0);
  CHECK(!find(rig.fake.commands(rig.editor.document()), "fake.page-right")->enabled);
  rig.tap(rig.tab(1));
  CHECK(rig.fake.right.updates == 0);
}

TEST_CASE("The strip is drawn above the page and keeps its revision, and a figure has no strip", "[paged]") {
  PagedRig rig;
  const render::Scene& scene = rig.frame();
  REQUIRE(scene.layers.size() == 2);
  CHECK(scene.layers[0].name == "left");
  CHECK(scene.layers[1].name == "strip");
  const std::uint64_t revision = scene.layers[1].revision;
  CHECK(rig.frame().layers[1].revision == revision);
  REQUIRE(rig.run("fake.page-right"));
  CHECK(rig.frame().layers[1].revision != revision);
  rig.figure = true;
  CHECK(rig.frame().layers.size() == 1);
}

TEST_CASE("A property applies on the pages that it names", "[paged]") {
  const auto left = onPages("fake.page", "left", {"left"});
  const auto both = onPages("fake.page", "left", {"left", "right"});
  const auto large = onPages("fake.page", "left", {"right"}, [](const Document& d) { return d.has("fake.large"); });
  const Document right = Document{}.with("fake.page", "right");
  CHECK(left(Document{}));
  CHECK(!left(right));
  CHECK(both(right));
  CHECK(!large(right));
  CHECK(large(right.with("fake.large", true)));
}
