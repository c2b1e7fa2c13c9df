// SPDX-License-Identifier: Apache-2.0
// The column of an exhibit in Dear ImGui. It is made from what is declared, as the native inspector is: a page says in
// which order and under which headings its rows stand, and what it leaves out of its own groups comes after them.
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
  /// Opens the column `id` at the right of the picture (ExhibitContext::panel); it is closed with this object.
  PagePanel(ExhibitContext& context, const char* id);
  ~PagePanel();
  PagePanel(const PagePanel&) = delete;
  PagePanel& operator=(const PagePanel&) = delete;
  /// Inside a column that is open already.
  explicit PagePanel(ExhibitContext& context);

  /// The field of a parameter or the line of a read-out, as declared; nothing where it does not apply to the present
  /// document, and of a read-out without words.
  void row(const std::string& key);
  /// Of each of `members` behind `prefix`, "flow.space.slice." and "axis".
  void rows(const std::string& prefix, std::initializer_list<const char*> members);
  /// The same under a heading.
  void group(const std::string& heading, const std::string& prefix, std::initializer_list<const char*> members);
  /// What of these groups of the exhibit `exhibit` was not drawn yet, in the order of their declaration: parameters
  /// that a person sets often, and where `readOuts` read-outs too. A group of which nothing was drawn has its title.
  void rest(const std::string& exhibit, const std::vector<PropertyGroup>& groups, bool readOuts);
  /// How many rows were asked for.
  std::size_t asked() const { return drawn_.size(); }

  /// A field with another declaration or another value than the document has.
  void control(const Property& property, const Value& shown, const std::string& key);
  /// True when it was pressed.
  bool button(const std::string& label, const std::string& key, bool enabled = true);
  void heading(const std::string& text);
  void sentence(const std::string& text);
  void sameLine();

 private:
  void draw(const PropertyRegistry::Found& found, const std::string& key);
  void restOf(const std::string& prefix, const PropertyGroup& group, bool readOuts);

  ExhibitContext& context_;
  bool opened_ = false;
  std::set<std::string, std::less<>> drawn_;  ///< keys that were asked for
};

}  // namespace sepx::ui
