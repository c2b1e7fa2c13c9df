// SPDX-License-Identifier: Apache-2.0
// The tree behind a Document. Nodes are immutable: a new version shares every unchanged member of an object and every
// unchanged chunk of a list with the previous one. So moving the view copies no list, and adding an element copies one
// chunk and not the list. Elements of lists are plain JSON. Const objects may be used from any thread.
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
  std::vector<std::pair<std::string, NodePointer>> members;  ///< of an Object, in order
  std::vector<Chunk> chunks;                                 ///< of a List; no chunk is empty
  mutable Json whole;           ///< the value of a Value; otherwise built on request by json()
  mutable std::once_flag made;  ///< guards `whole` of an object or a list

  /// Number of members or elements.
  std::size_t size() const;
  const Element& element(std::size_t index) const;
};

/// Numbers that are not finite become null.
NodePointer make(Json value);
/// The node as JSON, built on the first call and then cached in the node. The first call costs time proportional to the
/// contents.
const Json& json(const Node& node);
/// The same without caching.
Json copied(const Node& node);

/// The target of a path below a node: a node, or a list element or a value inside one. Both are null if the path does
/// not exist.
struct Found {
  const Node* node = nullptr;
  const Json* value = nullptr;
};
Found find(const Node& node, Path path);

/// A copy of `old` (may be null) with `value` at the path. A value of another kind that is on the path is replaced.
/// Null for an index beyond the end of its list.
NodePointer with(const Node* old, Path path, NodePointer value);
/// A copy of `old` without the target of the path. The path must exist and must not be empty.
NodePointer without(const Node& old, Path path);

/// Whether the JSON texts would be equal: 1 and 1.0 differ, and so do 0.0 and -0.0, and members in another order.
bool same(const Json& a, const Json& b);
bool same(const Node& a, const Node& b);
/// As same(), but ignores the members at `paths` (names joined by dots); `at` is the path of both nodes.
bool equalExcept(const Node& a, const Node& b, const std::string& at, const std::vector<std::string>& paths);

}  // namespace tree
}  // namespace sepx::ui
