// SPDX-License-Identifier: Apache-2.0
// The tree behind a Document. Nodes never change: a version shares every member of an object and every chunk of a list
// that it has in common with the one before, so that moving the view copies no list and adding an element copies a
// chunk, not the list. Elements of lists are plain JSON. Any thread on const objects.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace sepx::ui {

using Json = nlohmann::ordered_json;

namespace tree {

/// One step of a path: the name of a member, or the index of an element.
struct Segment {
  std::string_view name;
  std::size_t index = 0;
  bool isIndex = false;
};
using Path = std::span<const Segment>;

/// Empty for a path that is not NAME([N])*(.NAME([N])*)*. The segments refer into `path`.
std::vector<Segment> parsePath(std::string_view path);

struct Node;
using NodePointer = std::shared_ptr<const Node>;
using Element = std::shared_ptr<const Json>;

struct Chunk {
  std::size_t begin = 0;  ///< index of its first element in the list
  std::shared_ptr<const std::vector<Element>> elements;
};

struct Node {
  enum class Kind { Value, Object, List };
  Kind kind = Kind::Value;
  std::vector<std::pair<std::string, NodePointer>> members;  ///< Object, in their order
  std::vector<Chunk> chunks;                                 ///< List; none is empty
  mutable Json whole;                                        ///< Value: the value; else made when it is asked for
  mutable std::once_flag made;                               ///< `whole` of an object or a list

  /// Of members or elements.
  std::size_t size() const;
  const Element& element(std::size_t index) const;
};

/// Numbers that are not finite become null.
NodePointer make(Json value);
/// The whole as JSON, kept with the node: costs as much as there is in it when it is asked for first.
const Json& json(const Node& node);
/// The same, not kept.
Json copied(const Node& node);

/// What a path below a node leads to: a node, or a value inside an element of a list; neither: nothing is there.
struct Found {
  const Node* node = nullptr;
  const Json* value = nullptr;
};
Found find(const Node& node, Path path);

/// A node like `old` (null: none) with `value` at the path; what is in the way is replaced. Null for an index beyond
/// the end of its list.
NodePointer with(const Node* old, Path path, NodePointer value);
/// Without what is at the path, which is there and not empty.
NodePointer without(const Node& old, Path path);

/// Equal as texts are: 1 and 1.0 are different documents, so are 0.0 and -0.0 and members in another order.
bool same(const Json& a, const Json& b);
bool same(const Node& a, const Node& b);
/// As same(), without the members at `paths` (names joined by dots); `at` is the path of both.
bool sameBut(const Node& a, const Node& b, const std::string& at, const std::vector<std::string>& paths);

}  // namespace tree
}  // namespace sepx::ui
