// SPDX-License-Identifier: Apache-2.0
// Document on top of its tree: sections by name, panes, and the JSON of sessions. Non-finite numbers become null when
// they are stored, so that hash, file and memory agree. Const objects may be used from any thread.
#include "ui/document/document.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ui/document/json_text.h"

namespace sepx::ui {
namespace {

const Json& nothing() {
  static const Json null;
  return null;
}

/// The pane that a section belongs to, and its name there; empty for a section of the window.
std::optional<PaneKey> sectionOf(std::string_view name) {
  if (name == "panes") return std::nullopt;
  // A name with an @ that is not followed by a pane number is an unknown section: it belongs to pane 1 and is kept as
  // it is.
  const auto split = splitPaneKey(name);
  return split && split->pane > 1 ? *split : PaneKey{1, std::string(name)};
}

}  // namespace

tree::Found Document::find(std::string_view path) const {
  const std::vector<tree::Segment> segments = tree::parsePath(path);
  if (segments.empty()) return {};
  const auto section = sections_.find(segments.front().name);
  if (section == sections_.end()) return {};
  return tree::find(*section->second, tree::Path(segments).subspan(1));
}

const Json& Document::at(std::string_view path) const {
  const tree::Found found = find(path);
  if (found.value) return *found.value;
  return found.node ? tree::json(*found.node) : nothing();
}

bool Document::has(std::string_view path) const {
  const tree::Found found = find(path);
  return found.node || found.value;
}

bool Document::isObject(std::string_view path) const {
  const tree::Found found = find(path);
  return found.value ? found.value->is_object() : found.node && found.node->kind == tree::Node::Kind::Object;
}

bool Document::isList(std::string_view path) const {
  const tree::Found found = find(path);
  return found.value ? found.value->is_array() : found.node && found.node->kind == tree::Node::Kind::List;
}

ListView Document::list(std::string_view path) const {
  const tree::Found found = find(path);
  return ListView(found.node && found.node->kind == tree::Node::Kind::List ? found.node : nullptr);
}

Document Document::with(std::string_view path, Json value) const {
  const std::vector<tree::Segment> segments = tree::parsePath(path);
  assert(!segments.empty() && segments.front().name != "version");
  if (segments.empty() || segments.front().name == "version") return *this;
  const tree::NodePointer made = tree::make(std::move(value));
  if (const tree::Found present = find(path); present.value) {
    if (tree::same(*present.value, tree::json(*made))) return *this;
  } else if (present.node && tree::same(*present.node, *made)) {
    return *this;
  }
  return put(segments, made);
}

namespace {

/// A copy of `document` without the value at `path` and without the objects that become empty, unless they are empty in
/// `other` too.
Document withoutPartNotOf(const Document& other, const Document& document, std::string_view path) {
  if (!document.has(path)) return document;
  Document result = document.without(path);
  for (auto dot = path.rfind('.'); dot != std::string_view::npos; dot = path.rfind('.')) {
    path = path.substr(0, dot);
    if (!result.isObject(path) || !result.at(path).empty()) break;
    if (other.isObject(path) && other.at(path).empty()) break;
    result = result.without(path);
  }
  return result;
}

}  // namespace

Document Document::withPartOf(const Document& other, std::string_view path) const {
  const std::vector<tree::Segment> segments = tree::parsePath(path);
  const tree::NodePointer part = other.part(segments);
  if (!part)
    return other.has(path) ? with(path, other.at(path)) : withoutPartNotOf(other, *this, path);  // an element of a list
  const tree::NodePointer own = this->part(segments);
  return own && tree::same(*own, *part) ? *this : put(segments, part);
}

tree::NodePointer Document::part(tree::Path path) const {
  if (path.empty()) return nullptr;
  const auto section = sections_.find(path.front().name);
  if (section == sections_.end()) return nullptr;
  tree::NodePointer node = section->second;
  for (const tree::Segment& step : path.subspan(1)) {
    const auto member = std::find_if(node->members.begin(), node->members.end(),
                                     [&step](const auto& one) { return !step.isIndex && one.first == step.name; });
    if (member == node->members.end()) return nullptr;
    node = member->second;
  }
  return node;
}

Document Document::put(tree::Path path, tree::NodePointer value) const {
  const auto old = sections_.find(path.front().name);
  const tree::Node* const before = old == sections_.end() ? nullptr : old->second.get();
  tree::NodePointer section = tree::with(before, path.subspan(1), std::move(value));
  assert(section);
  if (!section) return *this;
  Document next = *this;
  next.sections_[std::string(path.front().name)] = std::move(section);
  return next;
}

Document Document::without(std::string_view path) const {
  if (!has(path)) return *this;
  const std::vector<tree::Segment> segments = tree::parsePath(path);
  Document next = *this;
  const auto section = next.sections_.find(segments.front().name);
  if (segments.size() == 1) {
    next.sections_.erase(section);
  } else {
    section->second = tree::without(*section->second, tree::Path(segments).subspan(1));
  }
  return next;
}

Document Document::pane(int pane) const {
  Document state;
  for (const auto& [name, section] : sections_) {
    const auto own = sectionOf(name);
    if (own && own->pane == pane) state.sections_[own->key] = section;
  }
  return state;
}

Document Document::withPane(int pane, const Document& state) const {
  Document next = *this;
  std::erase_if(next.sections_, [pane](const auto& entry) {
    const auto own = sectionOf(entry.first);
    return own && own->pane == pane;
  });
  for (const auto& [name, section] : state.sections_) {
    const bool foreign = pane > 1 && name.find('@') != std::string::npos;
    if (const auto own = sectionOf(name); own && own->pane == 1 && !foreign)
      next.sections_[joinPaneKey(name, pane)] = section;
  }
  return next;
}

bool Document::hasPane(int pane) const {
  return std::any_of(sections_.begin(), sections_.end(), [pane](const auto& entry) {
    const auto own = sectionOf(entry.first);
    return own && own->pane == pane;
  });
}

bool Document::sharesAll(const Document& other) const {
  return sections_ == other.sections_;
}

bool Document::shares(const Document& other, std::string_view path) const {
  const std::vector<tree::Segment> segments = tree::parsePath(path);
  const tree::NodePointer mine = part(segments);
  return mine && mine == other.part(segments);
}

Json Document::toJson() const {
  Json json = Json::object();
  json["version"] = kVersion;
  for (const auto& [name, section] : sections_)
    json[name] = tree::copied(*section);
  return json;
}

Result<Document> Document::fromJson(const Json& json) {
  if (!json.is_object()) return fail(ErrorKind::BadInput, "a session must be a JSON object");
  const auto version = json.find("version");
  if (version == json.end()) {
    return fail(ErrorKind::BadInput, "there is no field \"version\", so this is not a Separatrix session");
  }
  if (!version->is_number_integer() || version->get<std::int64_t>() < 1) {
    return fail(ErrorKind::BadInput,
                "the field \"version\" is not a whole number of at least 1, so this is not a Separatrix session");
  }
  if (version->get<std::int64_t>() > kVersion) {
    return fail(
        ErrorKind::BadInput,
        fmt::format(
            "the session has version {}, but this program reads versions up to {}; open it with a newer Separatrix",
            version->dump(), kVersion));
  }
  Document document;
  for (const auto& [name, value] : json.items()) {
    if (name == "version") continue;
    document.sections_[name] = tree::make(value);
  }
  return document;
}

std::uint64_t Document::hash() const {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : compactText(toJson())) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3u;
  }
  return hash;
}

bool Document::operator==(const Document& other) const {
  return sections_.size() == other.sections_.size() &&
         std::equal(sections_.begin(), sections_.end(), other.sections_.begin(), [](const auto& a, const auto& b) {
           return a.first == b.first && (a.second == b.second || tree::same(*a.second, *b.second));
         });
}

std::optional<PaneKey> splitPaneKey(std::string_view key) {
  const std::size_t end = std::min(key.find_first_of(".["), key.size());
  const std::string_view name = key.substr(0, end);
  const std::size_t at = name.find('@');
  if (at == std::string_view::npos) return PaneKey{1, std::string(key)};
  const bool one = at > 0 && at + 2 == name.size() && name[at + 1] >= '1' && name[at + 1] <= '0' + kMostPanes;
  if (!one) return std::nullopt;
  return PaneKey{name[at + 1] - '0', std::string(name.substr(0, at)) + std::string(key.substr(end))};
}

std::string joinPaneKey(std::string_view key, int pane) {
  if (pane <= 1) return std::string(key);
  const std::size_t end = std::min(key.find_first_of(".["), key.size());
  return fmt::format("{}@{}{}", key.substr(0, end), pane, key.substr(end));
}

bool Document::equalExcept(const Document& other, const std::vector<std::string>& paths) const {
  return sections_.size() == other.sections_.size() &&
         std::equal(sections_.begin(), sections_.end(), other.sections_.begin(),
                    [&paths](const auto& a, const auto& b) {
                      return a.first == b.first && tree::equalExcept(*a.second, *b.second, a.first, paths);
                    });
}

}  // namespace sepx::ui
