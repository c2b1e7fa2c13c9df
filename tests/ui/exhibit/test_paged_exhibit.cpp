// SPDX-License-Identifier: Apache-2.0
// An exhibit of two pages that do nothing but note what they are asked for: tabs, keys, the choice of the page, and
// what of the pointer belongs to the strip and what to the page.
#include <catch2/catch.hpp>

#include "engine/core/thread_pool.h"
#include "ui/canvas/shapes.h"
#include "ui/document/history.h"
#include "ui/exhibit/paged_exhibit.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

struct Shared {
  int documents = 0;
};

struct Noted {
  int reads = 0, updates = 0, scenes = 0, released = 0;
  std::vector<InputEvent> events;
  std::vector<std::string> commands;
};

class NotingPage final : public Page<Shared> {
 public:
  NotingPage(PageLabel label, Noted& noted) : label_(std::move(label)), noted_(noted) {}
  PageLabel label() const override { return label_; }
  void declare(PropertyRegistry& registry, const Shared&) override {
    Property property;
    property.key = "fake." + label_.word + ".size";
    property.fallback = 1.0;
    property.applies = onPages("fake.page", "left", {label_.word});
    registry.declare(property);
  }
  void read(const Document&, const PropertyRegistry&, const Shared&) override { ++noted_.reads; }
  void update(const Frame&, ExhibitContext&) override { ++noted_.updates; }
  void scene(const Frame& frame, std::vector<render::Layer>& into) override {
    ++noted_.scenes;
    layers_.add(into, label_.word, frameKey(frame), [&] {
      return std::vector<render::Item>{pageFill(frame.area, {1, 0, 0, 1})};
    });
  }
  Cursor input(const Frame&, ExhibitContext&, const InputEvent& event) override {
    noted_.events.push_back(event);
    return Cursor::Cross;
  }
  void panel(const Frame&, ExhibitContext&, PagePanel&) override {}
  bool complete() const override { return label_.word == "left"; }
  std::string caption(const Shared&) const override { return label_.word; }
  std::vector<Exhibit::Command> commands(const Shared&, const Document&) const override {
    return {{"fake." + label_.word + "-only", "", "", ""}};
  }
  bool run(const Frame&, ExhibitContext&, std::string_view command) override {
    noted_.commands.emplace_back(command);
    return command == "fake." + label_.word + "-only";
  }
  void releaseGpu() override { ++noted_.released; }

 private:
  PageLabel label_;
  Noted& noted_;
  PageLayers layers_;
};

class FakeExhibit final : public PagedExhibit<Page<Shared>> {
 public:
  FakeExhibit() : PagedExhibit("fake") {
    Pages pages;
    pages.push_back(std::make_unique<NotingPage>(PageLabel{"left", N_("Left"), "L"}, left));
    pages.push_back(std::make_unique<NotingPage>(PageLabel{"right", N_("Right"), "R"}, right));
    setPages(std::move(pages));
  }
  std::string name() const override { return "Fake"; }

  Noted left, right;
  bool offersRight = true;
  int ownCommands = 0;

 private:
  const Shared& shared() const override { return shared_; }
  void declareShared(PropertyRegistry& registry, Property page) override { registry.declare(std::move(page)); }
  void readShared(const Document&, const PropertyRegistry&) override { ++shared_.documents; }
  void drawPanel(const Frame&, ExhibitContext&, bool) override {}
  std::vector<Command> sharedCommands(const Document&) const override { return {{"fake.own", "", "", ""}}; }
  bool runShared(ExhibitContext&, std::string_view command) override {
    ownCommands += command == "fake.own";
    return command == "fake.own";
  }
  bool offers(const Page<Shared>& page) const override { return offersRight || page.label().word == "left"; }
  Strip layStrip(const std::vector<StripButton>& tabs, double width, double, const Theme& theme) const override {
    Strip strip;
    strip.height = stripRow(theme);
    StripLine(strip, 0, strip.height, 0, width).tabs(tabs, theme);
    return strip;
  }
  Shared shared_;
};

class FakeEditor final : public Editor {
 public:
  const Document& document() const override { return history.present(); }
  std::uint64_t revision() const override { return history.revision(); }
  const PropertyRegistry& properties() const override { return registry; }
  Result<void> set(std::string_view key, const Value& value, std::string group) override {
    Result<Document> next = registry.set(history.present(), key, value);
    if (!next) return fail(next.error().kind, next.error().sentence);
    history.commit(*next, std::string(key), std::move(group));
    return {};
  }
  void commit(Document next, std::string label, std::string group) override {
    history.commit(std::move(next), std::move(label), std::move(group));
  }
  void replace(Document next) override { history.replace(std::move(next)); }
  void seal() override { history.seal(); }
  void say(std::string sentence) override { said.push_back(std::move(sentence)); }

  History history;
  PropertyRegistry registry;
  std::vector<std::string> said;
};

struct Rig {
  Rig() : pool(1) { exhibit.declare(editor.registry); }

  ExhibitContext context() {
    ExhibitContext made{editor, jobs, pool, nullptr, Compute::Cpu, true, *findTheme("light"), 0, 1.0f, area};
    made.figure = figure;
    return made;
  }
  const render::Scene& frame(std::vector<InputEvent> events = {}) {
    ExhibitContext now = context();
    cursor = exhibit.input(now, {std::move(events)});
    exhibit.update(now);
    return exhibit.scene(now);
  }
  Result<void> run(std::string_view command) {
    ExhibitContext now = context();
    return exhibit.run(now, command);
  }
  /// In the window, the middle of a tab.
  render::Point tab(int index) {
    const double row = stripRow(*findTheme("light"));
    // From the right: the last tab ends at the right edge.
    const double x = index == 1 ? area.max.x - 12 : area.max.x - 12 - textWidth("Right", 12) - 20;
    return {x, area.min.y + row / 2};
  }
  void click(render::Point at) {
    frame({PointerPressed{Button::Left, true, at.x, at.y}});
    frame({PointerPressed{Button::Left, false, at.x, at.y}});
  }
  std::string page() const { return toString(editor.registry.get(editor.document(), "fake.page")); }

  FakeEditor editor;
  Jobs jobs;
  ThreadPool pool;
  render::Rect area{{100, 50}, {900, 650}};
  bool figure = false;
  FakeExhibit exhibit;
  Cursor cursor = Cursor::Arrow;
};

const Exhibit::Command* find(const std::vector<Exhibit::Command>& all, const std::string& key) {
  for (const Exhibit::Command& one : all)
    if (one.key == key) return &one;
  return nullptr;
}

}  // namespace

TEST_CASE("pages give an exhibit its choice, its commands and its keys", "[paged]") {
  Rig rig;
  const auto found = rig.editor.registry.find("fake.page");
  REQUIRE((found && found->property));
  CHECK(found->property->choices == std::vector<std::string>{"left", "right"});
  CHECK(found->property->choiceLabel("right") == "Right");
  CHECK(rig.page() == "left");
  rig.frame();
  const auto commands = rig.exhibit.commands(rig.editor.document());
  REQUIRE(find(commands, "fake.page-right"));
  CHECK(find(commands, "fake.page-right")->shortcut == "R");
  CHECK(find(commands, "fake.page-right")->label == "Page: Right");
  CHECK(find(commands, "fake.own"));
  CHECK(find(commands, "fake.left-only"));
  CHECK(!find(commands, "fake.right-only"));
  CHECK(rig.exhibit.caption() == "left");
  CHECK(rig.exhibit.complete());
}

TEST_CASE("a page out of sight is read but neither updated nor drawn", "[paged]") {
  Rig rig;
  rig.frame();
  rig.frame();
  CHECK(rig.exhibit.left.updates == 2);
  CHECK(rig.exhibit.left.scenes == 2);
  CHECK(rig.exhibit.right.updates == 0);
  CHECK(rig.exhibit.right.scenes == 0);
  CHECK(rig.exhibit.left.reads == 1);
  CHECK(rig.exhibit.right.reads == 1);
  REQUIRE(rig.run("fake.page-right"));
  rig.frame();
  CHECK(rig.page() == "right");
  CHECK(rig.exhibit.left.updates == 2);
  CHECK(rig.exhibit.right.updates == 1);
  CHECK(rig.exhibit.right.reads == 2);
  CHECK(!rig.exhibit.complete());
  ExhibitContext now = rig.context();
  rig.exhibit.releaseGpu();
  CHECK(rig.exhibit.left.released + rig.exhibit.right.released == 2);
}

TEST_CASE("a command goes to the exhibit, then to the page in sight, and is refused by name", "[paged]") {
  Rig rig;
  rig.frame();
  CHECK(rig.run("fake.own"));
  CHECK(rig.exhibit.ownCommands == 1);
  CHECK(rig.exhibit.left.commands.empty());
  CHECK(rig.run("fake.left-only"));
  CHECK(rig.exhibit.left.commands == std::vector<std::string>{"fake.left-only"});
  const Result<void> refused = rig.run("fake.page-middle");
  REQUIRE(!refused);
  CHECK(refused.error().kind == ErrorKind::Usage);
  CHECK(refused.error().sentence == "The Fake exhibit has no command \"fake.page-middle\".");
  CHECK(rig.exhibit.right.commands.empty());
}

TEST_CASE("the strip takes its pointer, the page gets the rest in its own coordinates", "[paged]") {
  Rig rig;
  rig.frame();
  rig.frame({PointerMoved{300, 400}});
  REQUIRE(rig.exhibit.left.events.size() == 1);
  CHECK(std::get<PointerMoved>(rig.exhibit.left.events[0]).x == 200);
  CHECK(std::get<PointerMoved>(rig.exhibit.left.events[0]).y == 350);
  CHECK(rig.cursor == Cursor::Cross);
  rig.exhibit.left.events.clear();
  rig.click(rig.tab(1));
  CHECK(rig.page() == "right");
  CHECK(rig.exhibit.left.events.empty());
  CHECK(rig.exhibit.right.events.empty());
  CHECK(rig.cursor == Cursor::Hand);
  rig.frame({Scrolled{0, 1}});  // over the strip
  CHECK(rig.exhibit.right.events.empty());
  rig.click(rig.tab(0));
  CHECK(rig.page() == "left");
  rig.frame({PointerPressed{Button::Left, true, 300, 60}});  // over the strip, between the tabs
  CHECK(rig.cursor == Cursor::Arrow);
  CHECK(rig.exhibit.left.events.empty());
}

TEST_CASE("a drag that began on the page stays its own over the strip", "[paged]") {
  Rig rig;
  rig.frame();
  rig.frame({PointerPressed{Button::Left, true, 300, 400}});
  const render::Point tab = rig.tab(1);
  rig.frame({PointerMoved{tab.x, tab.y}, PointerPressed{Button::Left, false, tab.x, tab.y}});
  CHECK(rig.exhibit.left.events.size() == 3);
  CHECK(rig.page() == "left");
}

TEST_CASE("a page that is not offered gives way to the first, and its tab is dead", "[paged]") {
  Rig rig;
  REQUIRE(rig.run("fake.page-right"));
  rig.exhibit.offersRight = false;
  REQUIRE(rig.editor.set("fake.left.size", 0.5, {}));
  rig.frame();
  CHECK(rig.exhibit.left.updates == 1);
  CHECK(rig.exhibit.right.updates == 0);
  CHECK(!find(rig.exhibit.commands(rig.editor.document()), "fake.page-right")->enabled);
  rig.click(rig.tab(1));
  CHECK(rig.exhibit.right.updates == 0);
}

TEST_CASE("the strip lies over the page and keeps its revision; a figure has none", "[paged]") {
  Rig rig;
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

TEST_CASE("a property applies on the pages that it names", "[paged]") {
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
