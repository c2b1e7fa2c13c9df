// SPDX-License-Identifier: Apache-2.0
// Parses paths, and implements the nodes of a Document: built from JSON, changed by copying the nodes along the path,
// and compared without visiting shared parts.
#include "ui/document/document_tree.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace sepx::ui::tree {
namespace {

constexpr std::size_t kLargestList = 10'000'000;
constexpr std::size_t kChunk = 256;  ///< elements; appending copies no chunk that is full

const Json* child(const Json& node, const Segment& segment) {
  if (segment.isIndex) {
    return node.is_array() && segment.index < node.size() ? &node[segment.index] : nullptr;
  }
  if (!node.is_object()) return nullptr;
  const auto found = node.find(std::string(segment.name));
  return found == node.end() ? nullptr : &*found;
}

/// The value at a path, created if missing; null if an index is beyond the end of its list.
Json* place(Json& element, Path path) {
  Json* node = &element;
  for (const Segment& segment : path) {
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

void dropNonFinite(Json& node) {
  if (node.is_number_float() && !std::isfinite(node.get<double>())) node = nullptr;
  if (node.is_structured()) {
    for (Json& element : node)
      dropNonFinite(element);
  }
}

auto memberNamed(const Node& node, std::string_view name) {
  return std::find_if(node.members.begin(), node.members.end(), [name](const auto& one) { return one.first == name; });
}

/// The index of the chunk that contains an element.
std::size_t chunkOf(const std::vector<Chunk>& chunks, std::size_t index) {
  const auto after = std::upper_bound(chunks.begin(), chunks.end(), index,
                                      [](std::size_t at, const Chunk& chunk) { return at < chunk.begin; });
  return static_cast<std::size_t>(after - chunks.begin()) - 1;
}

void append(std::vector<Chunk>& chunks, Element element) {
  const bool room = !chunks.empty() && chunks.back().elements->size() < kChunk;
  std::vector<Element> elements = room ? *chunks.back().elements : std::vector<Element>();
  const std::size_t begin = room             ? chunks.back().begin
                            : chunks.empty() ? 0
                                             : chunks.back().begin + chunks.back().elements->size();
  elements.push_back(std::move(element));
  if (room) chunks.pop_back();
  chunks.push_back({begin, std::make_shared<const std::vector<Element>>(std::move(elements))});
}

void replace(std::vector<Chunk>& chunks, std::size_t index, Element element) {
  Chunk& chunk = chunks[chunkOf(chunks, index)];
  std::vector<Element> elements = *chunk.elements;
  elements[index - chunk.begin] = std::move(element);
  chunk.elements = std::make_shared<const std::vector<Element>>(std::move(elements));
}

void erase(std::vector<Chunk>& chunks, std::size_t index) {
  const std::size_t which = chunkOf(chunks, index);
  std::vector<Element> elements = *chunks[which].elements;
  elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(index - chunks[which].begin));
  for (std::size_t later = which + 1; later < chunks.size(); ++later)
    --chunks[later].begin;
  if (elements.empty()) {
    chunks.erase(chunks.begin() + static_cast<std::ptrdiff_t>(which));
  } else {
    chunks[which].elements = std::make_shared<const std::vector<Element>>(std::move(elements));
  }
}

NodePointer made(Json& value) {
  auto node = std::make_shared<Node>();
  if (value.is_object()) {
    node->kind = Node::Kind::Object;
    for (auto& [name, member] : value.get_ref<Json::object_t&>())
      node->members.emplace_back(name, made(member));
  } else if (value.is_array()) {
    node->kind = Node::Kind::List;
    std::vector<Element> elements;
    for (std::size_t i = 0; i < value.size(); ++i) {
      elements.push_back(std::make_shared<const Json>(std::move(value[i])));
      if (elements.size() < kChunk && i + 1 < value.size()) continue;
      const std::size_t begin = i + 1 - elements.size();
      node->chunks.push_back({begin, std::make_shared<const std::vector<Element>>(std::move(elements))});
      elements.clear();
    }
  } else {
    node->whole = std::move(value);
  }
  return node;
}

}  // namespace

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

std::size_t Node::size() const {
  if (kind == Kind::Object) return members.size();
  return chunks.empty() ? 0 : chunks.back().begin + chunks.back().elements->size();
}

const Element& Node::element(std::size_t index) const {
  const Chunk& chunk = chunks[chunkOf(chunks, index)];
  return (*chunk.elements)[index - chunk.begin];
}

NodePointer make(Json value) {
  dropNonFinite(value);
  return made(value);
}

Json copied(const Node& node) {
  if (node.kind == Node::Kind::Value) return node.whole;
  if (node.kind == Node::Kind::Object) {
    Json object = Json::object();
    auto& members = object.get_ref<Json::object_t&>();
    for (const auto& [name, member] : node.members)
      members.emplace_back(name, copied(*member));
    return object;
  }
  Json list = Json::array();
  for (const Chunk& chunk : node.chunks) {
    for (const Element& element : *chunk.elements)
      list.push_back(*element);
  }
  return list;
}

const Json& json(const Node& node) {
  if (node.kind != Node::Kind::Value) std::call_once(node.made, [&node] { node.whole = copied(node); });
  return node.whole;
}

Found find(const Node& node, Path path) {
  const Node* at = &node;
  for (; !path.empty(); path = path.subspan(1)) {
    const Segment& step = path.front();
    if (step.isIndex) {
      if (at->kind != Node::Kind::List || step.index >= at->size()) return {};
      const Json* value = at->element(step.index).get();
      for (const Segment& inside : path.subspan(1)) {
        if (value) value = child(*value, inside);
      }
      return {nullptr, value};
    }
    const auto member = memberNamed(*at, step.name);
    if (member == at->members.end()) return {};
    at = member->second.get();
  }
  return {at, nullptr};
}

NodePointer with(const Node* old, Path path, NodePointer value) {
  if (path.empty()) return value;
  const Segment& step = path.front();
  const Path rest = path.subspan(1);
  auto next = std::make_shared<Node>();
  if (!step.isIndex) {
    next->kind = Node::Kind::Object;
    if (old && old->kind == Node::Kind::Object) next->members = old->members;
    const auto at = memberNamed(*next, step.name) - next->members.begin();
    const bool there = static_cast<std::size_t>(at) < next->members.size();
    if (!there) next->members.emplace_back(step.name, nullptr);
    NodePointer& member = next->members[static_cast<std::size_t>(at)].second;
    member = with(member.get(), rest, std::move(value));
    return member ? next : nullptr;
  }
  next->kind = Node::Kind::List;
  if (old && old->kind == Node::Kind::List) next->chunks = old->chunks;
  const std::size_t size = next->size();
  if (step.index > size) return nullptr;
  Json element = step.index < size && !rest.empty() ? *next->element(step.index) : Json();
  Json* const target = place(element, rest);
  if (!target) return nullptr;
  *target = copied(*value);
  auto kept = std::make_shared<const Json>(std::move(element));
  if (step.index == size) {
    append(next->chunks, std::move(kept));
  } else {
    replace(next->chunks, step.index, std::move(kept));
  }
  return next;
}

NodePointer without(const Node& old, Path path) {
  const Segment& step = path.front();
  const Path rest = path.subspan(1);
  auto next = std::make_shared<Node>();
  next->kind = old.kind;
  next->members = old.members;
  next->chunks = old.chunks;
  if (!step.isIndex) {
    const auto at = next->members.begin() + (memberNamed(old, step.name) - old.members.begin());
    if (rest.empty()) {
      next->members.erase(at);
    } else {
      at->second = without(*at->second, rest);
    }
    return next;
  }
  if (rest.empty()) {
    erase(next->chunks, step.index);
    return next;
  }
  Json element = *old.element(step.index);
  Json* const parent = place(element, rest.first(rest.size() - 1));
  if (rest.back().isIndex) {
    parent->erase(rest.back().index);
  } else {
    parent->erase(std::string(rest.back().name));
  }
  replace(next->chunks, step.index, std::make_shared<const Json>(std::move(element)));
  return next;
}

bool same(const Json& a, const Json& b) {
  if (a.is_number_integer() && b.is_number_integer()) return a == b;  // signed or not
  if (a.type() != b.type()) return false;
  if (a.is_number_float())
    return std::bit_cast<std::uint64_t>(a.get<double>()) == std::bit_cast<std::uint64_t>(b.get<double>());
  if (!a.is_structured()) return a == b;
  if (a.size() != b.size()) return false;
  const auto alike = [](const Json& x, const Json& y) { return same(x, y); };
  if (a.is_array()) return std::equal(a.begin(), a.end(), b.begin(), alike);
  const auto& one = a.get_ref<const Json::object_t&>();
  const auto& other = b.get_ref<const Json::object_t&>();
  return std::equal(one.begin(), one.end(), other.begin(),
                    [](const auto& x, const auto& y) { return x.first == y.first && same(x.second, y.second); });
}

namespace {

bool sameLists(const Node& a, const Node& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0, j = 0, index = 0; i < a.chunks.size(); ++i) {
    const auto& mine = *a.chunks[i].elements;
    if (b.chunks[j].begin == index && a.chunks[i].elements == b.chunks[j].elements) {
      index += mine.size();
      ++j;
      continue;
    }
    for (const Element& element : mine) {
      if (index == b.chunks[j].begin + b.chunks[j].elements->size()) ++j;
      const Element& other = (*b.chunks[j].elements)[index - b.chunks[j].begin];
      if (element != other && !same(*element, *other)) return false;
      ++index;
    }
    if (j < b.chunks.size() && index == b.chunks[j].begin + b.chunks[j].elements->size()) ++j;
  }
  return true;
}

}  // namespace

bool same(const Node& a, const Node& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind) return false;
  if (a.kind == Node::Kind::Value) return same(a.whole, b.whole);
  if (a.kind == Node::Kind::List) return sameLists(a, b);
  return std::equal(a.members.begin(), a.members.end(), b.members.begin(), b.members.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first && same(*x.second, *y.second); });
}

bool equalExcept(const Node& a, const Node& b, const std::string& at, const std::vector<std::string>& paths) {
  if (&a == &b) return true;
  const bool inside =
      std::any_of(paths.begin(), paths.end(), [&at](const std::string& path) { return path.rfind(at + ".", 0) == 0; });
  if (!inside || a.kind != Node::Kind::Object || b.kind != Node::Kind::Object) return same(a, b);
  const auto skip = [&](auto it, const Node& node) {
    while (it != node.members.end() && std::find(paths.begin(), paths.end(), at + "." + it->first) != paths.end())
      ++it;
    return it;
  };
  auto x = skip(a.members.begin(), a), y = skip(b.members.begin(), b);
  while (x != a.members.end() && y != b.members.end()) {
    if (x->first != y->first || !equalExcept(*x->second, *y->second, at + "." + x->first, paths)) return false;
    x = skip(++x, a);
    y = skip(++y, b);
  }
  return x == a.members.end() && y == b.members.end();
}

}  // namespace sepx::ui::tree
