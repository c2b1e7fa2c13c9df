// SPDX-License-Identifier: Apache-2.0
// What the guide says of a page: what is shown, what the pointer does there, its numbers with their formulas, its
// parameters, its lessons and chapters. All of it is made of what is declared and written elsewhere: registry,
// gestures, captions, lessons, docs/*.md. Frame thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/page/exhibit.h"
#include "ui/properties/registry.h"
#include "ui/workbench/workbench.h"

namespace sepx::ui {

/// Texts are translated and may hold formulas between dollar signs.
struct GuideEntry {
  std::string title;
  std::string text{};
  std::string formula{};  ///< markup of formula.h
  std::string note{};     ///< where it is from, what it may be, on which page it is
  std::string explain{};  ///< key of the card about it; empty: none
  std::string command{};  ///< that it tells of, while it can be run
  std::string file{};     ///< to open
  std::string picture{};  ///< a small picture: the path of its file without "-light.png" or "-dark.png"
};

struct GuideSection {
  std::string title;
  std::vector<GuideEntry> entries;
};

/// A lesson or a chapter of the docs, read once.
struct GuideBook {
  std::string path, title;
  std::string text;                  ///< all of it, for search and to know what it is about
  std::vector<GuideEntry> chapters;  ///< of docs: a heading and its first paragraph
};

/// What was read of the folders; files that cannot be read are left out.
struct GuideLibrary {
  std::vector<GuideBook> lessons, docs;
  std::string pictures{};  ///< folder of the small pictures of pages, EXHIBIT-PAGE-light.png and -dark.png
};
/// `lessons`: path and title. `assets`: the folder of what ships; docs are in its folder "guide", or beside it in a
/// source tree.
GuideLibrary readGuide(const std::vector<std::pair<std::string, std::string>>& lessons, const std::string& assets);

/// The pane that it is about.
struct GuideOf {
  const Exhibit& exhibit;
  const std::vector<const Exhibit*>& exhibits;
  const PropertyRegistry& registry;
  const Document& document;
  const std::vector<Workbench::Command>& commands;
  const GuideLibrary& library;
};

/// "Flow · Plane".
std::string guideTitle(const GuideOf& of);
std::vector<GuideSection> guidePage(const GuideOf& of);
/// What has all words of `query`, of every page; at most kMostFound entries a section.
std::vector<GuideSection> searchGuide(const GuideOf& of, std::string_view query);
inline constexpr std::size_t kMostFound = 40;

}  // namespace sepx::ui
