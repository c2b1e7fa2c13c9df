// SPDX-License-Identifier: Apache-2.0
// What a workbench or a native window can query from an exhibit beyond its picture: the elements that the user placed,
// groups of properties, the checkpoints that it shows, and the open model as a tree. So neither needs to know the keys
// of any exhibit.
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

/// How an outcome is drawn. The shape distinguishes it too, so that it is never marked by colour alone.
struct Mark {
  render::Shape shape = render::Shape::Circle;
  render::Color color;
};

/// The list of the elements that the user places in the picture. One of them can be selected.
struct PlacedList {
  std::string list;                   ///< "flow.points"
  std::string selected;               ///< the property that holds the index of the selected element, -1: none
  std::string x, y;                   ///< members of an element: its position in the picture
  std::string color;                  ///< member: the colour that the user chose for it
  std::string question;               ///< read-out of an element that is explained if the user names none
  std::vector<std::string> columns;   ///< read-outs of an element that a table shows as columns
  std::vector<std::string> outcomes;  ///< those of `columns` that are a word with a mark
  std::function<std::optional<Mark>(std::string_view word, const Theme& theme)> mark;

  /// "flow.points[3].e"
  std::string key(std::size_t index, std::string_view member) const {
    return list + "[" + std::to_string(index) + "]." + std::string(member);
  }
  /// The index of the selected element; empty if there is no such element.
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
  std::string into{};                                           ///< key of the group that shows them instead
  bool elsewhere = false;                                       ///< shown in the picture or in a table, not as fields
  std::vector<std::pair<std::string, const char*>> commands{};  ///< its commands, and N_() for the button of each
};

/// The properties that open a checkpoint.
struct CheckpointKeys {
  std::string key;     ///< property with the path of the checkpoint
  std::string beside;  ///< property with the path of the one to compare, while the page shown waits for it; else empty
  std::vector<std::string> stale;  ///< keys that belong to the previous checkpoint and are removed
  /// For several checkpoints that are opened together: the properties for those after the first, and the values that
  /// make all of them visible.
  std::vector<std::string> further{};
  std::vector<std::pair<std::string, std::string>> several{};
};

/// The open model as a tree: one row per layer, with one number each.
struct ModelTree {
  struct Row {
    std::string name;                                  ///< translated
    std::optional<double> value;                       ///< -1 to 1; empty: not yet known
    bool chosen = false;                               ///< it is shown now
    std::vector<std::pair<std::string, Value>> shows;  ///< the property values that show it
    bool operator==(const Row&) const = default;
  };
  std::string title;           ///< empty: no model is open
  std::string measure, about;  ///< name of the number, and what all of them are; translated
  std::vector<Row> rows;
  bool operator==(const ModelTree&) const = default;
};

}  // namespace sepx::ui
