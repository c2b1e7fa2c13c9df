// SPDX-License-Identifier: Apache-2.0
// Paths and copy-on-write of the Document: `with` copies the one section it changes and shares the others. Numbers that
// are not finite never enter (they become null), so that hash, file and memory agree. Any thread on a const object.
#include "ui/document/document.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ui/document/json_text.h"

namespace sepx::ui {
namespace {

/// One step of a path: the name of a member, or the index of an element.
struct Segment {
  std::string_view name;
  std::size_t index = 0;
  bool isIndex = false;
};

constexpr std::size_t kLargestList = 10'000'000;

/// Empty for a path that is not NAME([N])*(.NAME([N])*)*.
std::vector<Segment> parsePath(std::string_view path) {
  std::vector<Segment> segments;
  std::size_t at = 0;
  while (at < path.size()) {
    if (path[at] == '[') {
      const std::size_t close = path.find(']', at);
      if (segments.empty() || close == std::string_view::npos) return {};
      Segment segment;
      segment.isIndex = true;
      const char* const last = path.data() + close;
      const auto [end, error] = std::from_chars(path.data() + at + 1, last, segment.index);
      if (error != std::errc() || end != last || segment.index > kLargestList) return {};
      segments.push_back(segment);
      at = close + 1;
      continue;
    }
    if (!segments.empty()) {
      if (path[at] != '.') return {};
      ++at;
    }
    const std::size_t end = std::min(path.find_first_of(".[", at), path.size());
    if (end == at) return {};
    segments.push_back({path.substr(at, end - at)});
    at = end;
  }
  return segments;
}

const Json& nothing() {
  static const Json null;
  return null;
}

const Json* child(const Json& node, const Segment& segment) {
  if (segment.isIndex) {
    return node.is_array() && segment.index < node.size() ? &node[segment.index] : nullptr;
  }
  if (!node.is_object()) return nullptr;
  const auto found = node.find(std::string(segment.name));
  return found == node.end() ? nullptr : &*found;
}

/// The place that a path names, made where it is not there; null when an index is beyond the end of its list.
Json* place(Json& section, const std::vector<Segment>& segments) {
  Json* node = &section;
  for (std::size_t i = 1; i < segments.size(); ++i) {
    const Segment& segment = segments[i];
    if (segment.isIndex) {
      if (!node->is_array()) *node = Json::array();
      if (segment.index > node->size()) return nullptr;
      if (segment.index == node->size()) node->push_back(Json());
      node = &(*node)[segment.index];
    } else {
      if (!node->is_object()) *node = Json::object();
      node = &(*node)[std::string(segment.name)];
    }
  }
  return node;
}

/// Equal as texts are: 1 and 1.0 are different documents, so are 0.0 and -0.0 and members in another order.
bool same(const Json& a, const Json& b) {
  if (a.is_number_integer() && b.is_number_integer()) return a == b;  // signed or not
  if (a.type() != b.type()) return false;
  if (a.is_number_float())
    return std::bit_cast<std::uint64_t>(a.get<double>()) == std::bit_cast<std::uint64_t>(b.get<double>());
  if (!a.is_structured()) return a == b;
  if (a.size() != b.size()) return false;
  if (a.is_array()) return std::equal(a.begin(), a.end(), b.begin(), same);
  const auto& one = a.get_ref<const Json::object_t&>();
  const auto& other = b.get_ref<const Json::object_t&>();
  return std::equal(one.begin(), one.end(), other.begin(),
                    [](const auto& x, const auto& y) { return x.first == y.first && same(x.second, y.second); });
}

/// As same(), without the members at `paths`; `at` is the path of both.
bool sameBut(const Json& a, const Json& b, const std::string& at, const std::vector<std::string>& paths) {
  const bool inside =
      std::any_of(paths.begin(), paths.end(), [&at](const std::string& path) { return path.rfind(at + ".", 0) == 0; });
  if (!inside || !a.is_object() || !b.is_object()) return same(a, b);
  const auto skip = [&](Json::const_iterator it, const Json& node) {
    while (it != node.end() && std::find(paths.begin(), paths.end(), at + "." + it.key()) != paths.end())
      ++it;
    return it;
  };
  auto x = skip(a.begin(), a), y = skip(b.begin(), b);
  while (x != a.end() && y != b.end()) {
    if (x.key() != y.key() || !sameBut(x.value(), y.value(), at + "." + x.key(), paths)) return false;
    x = skip(++x, a);
    y = skip(++y, b);
  }
  return x == a.end() && y == b.end();
}

/// Whose section it is, and its name there; nothing for a section of the window.
std::optional<PaneKey> sectionOf(std::string_view name) {
  if (name == "panes") return std::nullopt;
  // A name with an @ that is no pane's number is an unknown section like any other: of pane 1, kept as it is.
  const auto split = splitPaneKey(name);
  return split && split->pane > 1 ? *split : PaneKey{1, std::string(name)};
}

void dropNonFinite(Json& node) {
  if (node.is_number_float() && !std::isfinite(node.get<double>())) node = nullptr;
  if (node.is_structured()) {
    for (Json& element : node)
      dropNonFinite(element);
  }
}

}  // namespace

const Json& Document::at(std::string_view path) const {
  const std::vector<Segment> segments = parsePath(path);
  if (segments.empty()) return nothing();
  const auto section = sections_.find(segments.front().name);
  if (section == sections_.end()) return nothing();
  const Json* node = section->second.get();
  for (std::size_t i = 1; i < segments.size() && node; ++i)
    node = child(*node, segments[i]);
  return node ? *node : nothing();
}

bool Document::has(std::string_view path) const {
  return &at(path) != &nothing();
}

Document Document::with(std::string_view path, Json value) const {
  const std::vector<Segment> segments = parsePath(path);
  assert(!segments.empty() && segments.front().name != "version");
  if (segments.empty() || segments.front().name == "version") return *this;
  dropNonFinite(value);
  if (const Json& present = at(path); &present != &nothing() && same(present, value)) return *this;
  const auto old = sections_.find(segments.front().name);
  auto section = std::make_shared<Json>(segments.size() > 1 && old != sections_.end() ? *old->second : Json());
  Json* const target = place(*section, segments);
  assert(target);
  if (!target) return *this;
  *target = std::move(value);
  Document next = *this;
  next.sections_[std::string(segments.front().name)] = std::move(section);
  return next;
}

Document Document::without(std::string_view path) const {
  if (!has(path)) return *this;
  std::vector<Segment> segments = parsePath(path);
  Document next = *this;
  if (segments.size() == 1) {
    next.sections_.erase(next.sections_.find(segments.front().name));
    return next;
  }
  const Segment last = segments.back();
  segments.pop_back();
  auto section = std::make_shared<Json>(*sections_.find(segments.front().name)->second);
  Json* const parent = place(*section, segments);
  if (last.isIndex) {
    parent->erase(last.index);
  } else {
    parent->erase(std::string(last.name));
  }
  next.sections_[std::string(segments.front().name)] = std::move(section);
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

Json Document::toJson() const {
  Json json = Json::object();
  json["version"] = kVersion;
  for (const auto& [name, section] : sections_)
    json[name] = *section;
  return json;
}

Result<Document> Document::fromJson(const Json& json) {
  if (!json.is_object()) return fail(ErrorKind::BadInput, "a session is a JSON object, this is not one");
  const auto version = json.find("version");
  if (version == json.end()) {
    return fail(ErrorKind::BadInput, "there is no field \"version\", so this is not a Separatrix session");
  }
  if (!version->is_number_integer() || version->get<std::int64_t>() < 1) {
    return fail(ErrorKind::BadInput,
                "the field \"version\" is not a whole number from 1 on, so this is not a Separatrix session");
  }
  if (version->get<std::int64_t>() > kVersion) {
    return fail(
        ErrorKind::BadInput,
        fmt::format("the session has version {}, this program reads versions up to {}; a newer Separatrix opens it",
                    version->dump(), kVersion));
  }
  Document document;
  for (const auto& [name, value] : json.items()) {
    if (name == "version") continue;
    auto section = std::make_shared<Json>(value);
    dropNonFinite(*section);
    document.sections_[name] = std::move(section);
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
           return a.first == b.first && (a.second == b.second || same(*a.second, *b.second));
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

bool Document::sameBut(const Document& other, const std::vector<std::string>& paths) const {
  return sections_.size() == other.sections_.size() &&
         std::equal(
             sections_.begin(), sections_.end(), other.sections_.begin(), [&paths](const auto& a, const auto& b) {
               return a.first == b.first && (a.second == b.second || ui::sameBut(*a.second, *b.second, a.first, paths));
             });
}

}  // namespace sepx::ui
