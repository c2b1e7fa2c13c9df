// SPDX-License-Identifier: Apache-2.0
// What a workbench or a native window may want of an exhibit beyond its picture, so that neither needs to know a key of
// any exhibit: what a person places, which properties belong together, which files it shows, the open model as a tree.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/theme.h"
#include "ui/document/document.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// How an outcome is drawn; the colour never stands alone.
struct Mark {
  render::Shape shape = render::Shape::Circle;
  render::Color color;
};

/// The list of what a person places in the picture; one element of it can be selected.
struct PlacedList {
  std::string list;                   ///< "flow.points"
  std::string selected;               ///< the property that holds the index of the selected element, -1: none
  std::string x, y;                   ///< members of an element: where it is in the picture
  std::string color;                  ///< member: a colour that a person gave it
  std::string question;               ///< read-out of an element: what a person asks about who does not say what
  std::vector<std::string> columns;   ///< read-outs of an element that are worth a column of a table
  std::vector<std::string> outcomes;  ///< those of them that are a word with a mark
  std::function<std::optional<Mark>(std::string_view word, const Theme& theme)> mark;

  /// "flow.points[3].e"
  std::string key(std::size_t index, std::string_view member) const {
    return list + "[" + std::to_string(index) + "]." + std::string(member);
  }
  /// The selected element; nothing where there is none of that index.
  std::optional<std::size_t> chosen(const Document& document) const {
    const Json &index = document.at(selected), &all = document.at(list);
    if (!index.is_number() || !all.is_array()) return std::nullopt;
    const double at = index.get<double>();
    return at >= 0 && at < static_cast<double>(all.size()) ? std::optional(static_cast<std::size_t>(at)) : std::nullopt;
  }
};

/// Properties and read-outs that belong together: "texture" of "flow.texture.length".
struct PropertyGroup {
  std::string key;
  const char* title = "";                                       ///< N_()
  std::string into{};                                           ///< they stand in this group instead
  bool elsewhere = false;                                       ///< shown in the picture or in a table, not as fields
  std::vector<std::pair<std::string, const char*>> commands{};  ///< that do what the group says, and N_() for a button
};

/// The properties of a checkpoint that is opened.
struct CheckpointKeys {
  std::string key;                 ///< names the file
  std::string beside;              ///< names the one that is compared with it, while that is what is shown; else empty
  std::vector<std::string> stale;  ///< what belongs to the checkpoint before
  /// Of several that are opened together: the first of them after that of `key`, and what brings all of them into
  /// sight.
  std::vector<std::string> further{};
  std::vector<std::pair<std::string, std::string>> several{};
};

/// The open model as a tree: a row a layer, with one number each.
struct ModelTree {
  struct Row {
    std::string name;                                  ///< translated
    std::optional<double> value;                       ///< -1 to 1; nothing: not yet
    bool chosen = false;                               ///< it is in sight
    std::vector<std::pair<std::string, Value>> shows;  ///< the properties that bring it into sight
    bool operator==(const Row&) const = default;
  };
  std::string title;           ///< empty: no model is open
  std::string measure, about;  ///< what the number is called, and what all of them are; translated
  std::vector<Row> rows;
  bool operator==(const ModelTree&) const = default;
};

}  // namespace sepx::ui
