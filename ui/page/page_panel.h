// SPDX-License-Identifier: Apache-2.0
// The column of an exhibit in Dear ImGui. It is built from the declared properties, as the native inspector is. A page
// sets the order and the headings of its rows; the rows of its own groups that it does not mention follow after them.
// Frame thread, inside an ImGui frame.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ui/page/capabilities.h"
#include "ui/page/exhibit_context.h"

namespace sepx::ui {

class PagePanel {
 public:
  /// Opens the column `id` at the right of the picture (ExhibitContext::panel). The destructor closes it.
  PagePanel(ExhibitContext& context, const char* id);
  ~PagePanel();
  PagePanel(const PagePanel&) = delete;
  PagePanel& operator=(const PagePanel&) = delete;
  /// Draws inside a column that is already open.
  explicit PagePanel(ExhibitContext& context);

  /// Draws the field of a parameter or the line of a read-out, as declared. Draws nothing if it does not apply to the
  /// present document, or for a read-out with an empty text.
  void row(const std::string& key);
  /// Calls row() for each of `members` after `prefix`: "flow.space.slice." and "axis".
  void rows(const std::string& prefix, std::initializer_list<const char*> members);
  /// The same under a heading.
  void group(const std::string& heading, const std::string& prefix, std::initializer_list<const char*> members);
  /// Draws what was not yet drawn of these groups of `exhibit`, in order of declaration: the parameters that are set
  /// often, and with `readOuts` also the read-outs. A group of which nothing was drawn before gets its title as a
  /// heading.
  void rest(const std::string& exhibit, const std::vector<PropertyGroup>& groups, bool readOuts);
  /// Number of rows that were requested.
  std::size_t asked() const { return drawn_.size(); }

  /// Draws a field whose declaration or value may differ from the registry and the document.
  void control(const Property& property, const Value& shown, const std::string& key);
  /// Whether the button was pressed.
  bool button(const std::string& label, const std::string& key, bool enabled = true);
  void heading(const std::string& text);
  void sentence(const std::string& text);
  void sameLine();

 private:
  void draw(const PropertyRegistry::Found& found, const std::string& key);
  void restOf(const std::string& prefix, const PropertyGroup& group, bool readOuts);

  ExhibitContext& context_;
  bool opened_ = false;
  std::set<std::string, std::less<>> drawn_;  ///< keys that were requested
};

}  // namespace sepx::ui
