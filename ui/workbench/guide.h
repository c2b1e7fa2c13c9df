// SPDX-License-Identifier: Apache-2.0
// The content of the guide to a page: what is shown, what the pointer does there, its numbers with their formulas, its
// parameters, its lessons and chapters. All of it is generated from what is declared and written elsewhere: registry,
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
  std::string note{};     ///< equation or file, unit or range, exhibit
  std::string explain{};  ///< key of the card about it; empty: none
  std::string command{};  ///< key of the command that it describes, if it can be run now
  std::string file{};     ///< file to open
  std::string picture{};  ///< a small picture: the path of its file without "-light.png" or "-dark.png"
};

struct GuideSection {
  std::string title;
  std::vector<GuideEntry> entries;
};

/// A lesson or a file of the docs, read once.
struct GuideBook {
  std::string path, title;
  std::string text;                  ///< all of it, for search and to find what it is about
  std::vector<GuideEntry> chapters;  ///< of docs: a heading and its first paragraph
};

/// The books that were read. The text of a file that cannot be read is empty.
struct GuideLibrary {
  std::vector<GuideBook> lessons, docs;
  std::string pictures{};  ///< folder of the small pictures of pages, EXHIBIT-PAGE-light.png and -dark.png
};
/// `lessons`: path and title. `assets`: the folder of the files that ship with the program. The docs are in its folder
/// "guide" or, in a source tree, in the folder "docs" beside it.
GuideLibrary readGuide(const std::vector<std::pair<std::string, std::string>>& lessons, const std::string& assets);

/// The pane that the guide is about.
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
/// Entries of every page that contain all words of `query`; at most kMostFound entries per section.
std::vector<GuideSection> searchGuide(const GuideOf& of, std::string_view query);
inline constexpr std::size_t kMostFound = 40;

}  // namespace sepx::ui
