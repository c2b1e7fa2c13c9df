// SPDX-License-Identifier: Apache-2.0
// Properties of the window rather than of a pane, as pure functions of a document.
#include "ui/workbench/window_properties.h"

#include <algorithm>

#include "tests/ui/workbench/parts.h"

#include <catch2/catch.hpp>

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("Keys of the window have no pane number", "[panes]") {
  CHECK(isWindowKey("panes.layout"));
  CHECK(isWindowKey("workbench.theme"));
  CHECK_FALSE(isWindowKey("flow.p"));
  CHECK(keyInPane("flow.p", 2) == "flow@2.p");
  CHECK(keyInPane("flow.p", 1) == "flow.p");
  CHECK(keyInPane("panes.layout", 3) == "panes.layout");
}

TEST_CASE("The layout determines the number of panes, and the active pane is one that is shown", "[panes]") {
  CHECK(paneCount({}) == 1);
  const Document two = Document().with("panes.layout", "two");
  CHECK(paneCount(two) == 2);
  CHECK(paneCount(Document().with("panes.layout", "seven")) == 1);
  CHECK(paneCount(Document().with("panes.layout", 4)) == 1);
  CHECK(activePane({}) == 1);
  CHECK(activePane(two.with("panes.active", 2)) == 2);
  CHECK(activePane(two.with("panes.active", 3)) == 1);
  CHECK(activePane(two.with("panes.active", -1e9)) == 1);
  CHECK_FALSE(sharesLimits(two));
  CHECK(sharesLimits(two.with("panes.limits", "shared")));
}

TEST_CASE("Carried paths are removed from every pane, with the sections that are then empty", "[panes]") {
  test::Parts parts;
  const auto paths = carriedPaths(parts.panes.at(1).properties());
  CHECK(std::find(paths.begin(), paths.end(), "panes.active") != paths.end());
  const Document cameras = Document()
                               .with("panes.active", 2)
                               .with("flow.view.xMin", -1.0)
                               .with("flow@2.view.xMin", -2.0)
                               .with("flow@4.view.xMin", -3.0);
  CHECK(withoutPaths(cameras, paths) == Document{});
  CHECK(withoutPaths(cameras.with("flow.p", 0.3), paths) == Document().with("flow.p", 0.3));
}

TEST_CASE("Linked cameras are copied to the panes of the same exhibit", "[panes]") {
  test::Parts parts;
  const PropertyRegistry& registry = parts.panes.at(1).properties();
  const Document document = Document()
                                .with("panes.layout", "four")
                                .with("exhibit@3", "weights")
                                .with("flow.view.xMin", -1.0)
                                .with("flow@2.view.xMin", 5.0);
  const Document linked = withLinkedCameras(document, 1, registry, "flow.view");
  CHECK(linked.at("flow@2.view.xMin") == -1.0);
  CHECK(linked.at("flow@4.view.xMin") == -1.0);
  CHECK_FALSE(linked.has("flow@3.view"));
  const Document back = withLinkedCameras(linked, 3, registry, "weights.view");  // the only pane of its exhibit
  CHECK(back == linked);
}
