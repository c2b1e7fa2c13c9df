// SPDX-License-Identifier: Apache-2.0
// See document_changes.h. Members of objects and elements of lists of equal length are compared one by one. If the name
// of a member cannot be part of a path, the object that contains it is treated as one value.
#include "app/presentation/document_changes.h"

#include <algorithm>

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::app {
namespace {

using ui::Json;

bool isPathName(const std::string& name) {
  return !name.empty() && name.find_first_of(".[]") == std::string::npos;
}

bool namesArePaths(const Json& object) {
  return std::all_of(object.items().begin(), object.items().end(),
                     [](const auto& member) { return isPathName(member.key()); });
}

void compare(const Json& before, const Json& after, const std::string& path, std::vector<DocumentChange>& changes);

void compareMembers(const Json& before, const Json& after, const std::string& path,
                    std::vector<DocumentChange>& changes) {
  const std::string start = path.empty() ? path : path + ".";
  for (const auto& [name, value] : before.items())
    if (!after.contains(name)) changes.push_back({start + name, std::nullopt});
  for (const auto& [name, value] : after.items()) {
    const auto old = before.find(name);
    if (old == before.end()) {
      changes.push_back({start + name, value});
    } else {
      compare(*old, value, start + name, changes);
    }
  }
}

void compare(const Json& before, const Json& after, const std::string& path, std::vector<DocumentChange>& changes) {
  if (ui::tree::same(before, after)) return;
  if (before.is_object() && after.is_object() && !after.empty() && namesArePaths(before) && namesArePaths(after)) {
    const std::size_t count = changes.size();
    compareMembers(before, after, path, changes);
    if (changes.size() == count) changes.push_back({path, after});  // only the order of its members differs
    return;
  }
  if (before.is_array() && after.is_array() && before.size() == after.size()) {
    for (std::size_t i = 0; i < after.size(); ++i)
      if (!ui::tree::same(before[i], after[i])) changes.push_back({fmt::format("{}[{}]", path, i), after[i]});
    return;
  }
  changes.push_back({path, after});
}

/// The segments of a path; empty if the path is invalid or too long.
std::vector<ui::tree::Segment> segmentsOf(const std::string& path) {
  if (path.size() > kMostPathBytes) return {};
  auto segments = ui::tree::parsePath(path);
  if (segments.size() > kMostPathSegments) segments.clear();
  return segments;
}

Error badChange(const std::string& path) {
  return {ErrorKind::BadInput, ui::trFormat("a change of the document at \"{}\" cannot be made", path.substr(0, 80))};
}

}  // namespace

std::vector<DocumentChange> changesOf(const ui::Document& before, const ui::Document& after) {
  std::vector<DocumentChange> changes;
  if (before.sharesAll(after)) return changes;
  Json old = before.toJson(), now = after.toJson();
  old.erase("version");
  now.erase("version");
  compareMembers(old, now, {}, changes);
  return changes;
}

bool canBeSent(const std::vector<DocumentChange>& changes) {
  return changes.size() <= kMostDocumentChanges &&
         std::all_of(changes.begin(), changes.end(),
                     [](const DocumentChange& change) { return !segmentsOf(change.path).empty(); });
}

Result<ui::Document> applied(ui::Document document, const std::vector<DocumentChange>& changes) {
  for (const DocumentChange& change : changes) {
    const auto segments = segmentsOf(change.path);
    if (segments.empty() || segments.front().isIndex || segments.front().name == "version")
      return tl::unexpected(badChange(change.path));
    for (std::size_t i = 1; i < segments.size(); ++i) {
      // Only existing elements of a list can be changed. An index beyond the end is not a path of the document.
      if (segments[i].isIndex && !document.has(change.path)) return tl::unexpected(badChange(change.path));
    }
    document = change.value ? document.with(change.path, *change.value) : document.without(change.path);
  }
  return document;
}

Json toJson(const std::vector<DocumentChange>& changes) {
  Json list = Json::array();
  for (const DocumentChange& change : changes) {
    Json one = Json::array({change.path});
    if (change.value) one.push_back(*change.value);
    list.push_back(std::move(one));
  }
  return list;
}

Result<std::vector<DocumentChange>> changesFromJson(const Json& json) {
  if (!json.is_array() || json.size() > kMostDocumentChanges)
    return fail(ErrorKind::BadInput, ui::tr("the changes of the document are not a list, or too many"));
  std::vector<DocumentChange> changes;
  for (const Json& one : json) {
    if (!one.is_array() || one.empty() || one.size() > 2 || !one[0].is_string())
      return fail(ErrorKind::BadInput, ui::tr("a change of the document is not a path and a value"));
    changes.push_back({one[0].get<std::string>(), one.size() == 2 ? std::optional(one[1]) : std::nullopt});
  }
  return changes;
}

}  // namespace sepx::app
