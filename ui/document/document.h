// SPDX-License-Identifier: Apache-2.0
// The whole state of the program as one value: a JSON tree. Copies share their common parts, so the cost of a snapshot
// depends on what changed and not on the length of the other lists. Keys are dotted paths with indices:
// "flow.points[0].e". The document does not know what the keys mean (the property registry does); unknown keys stay in
// place and are saved again. A value type: copies are independent, and const access is safe from any thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "ui/document/document_tree.h"

namespace sepx::ui {

/// The elements of a list in a document, in order. It points into the document, which must outlive it.
class ListView {
 public:
  explicit ListView(const tree::Node* list) : list_(list) {}
  std::size_t size() const { return list_ ? list_->size() : 0; }
  bool empty() const { return size() == 0; }
  const Json& operator[](std::size_t index) const { return *list_->element(index); }

  class Iterator {
   public:
    Iterator(const tree::Node* list, std::size_t chunk) : list_(list), chunk_(chunk) {}
    const Json& operator*() const { return *(*list_->chunks[chunk_].elements)[at_]; }
    Iterator& operator++() {
      if (++at_ == list_->chunks[chunk_].elements->size()) {
        ++chunk_;
        at_ = 0;
      }
      return *this;
    }
    bool operator==(const Iterator& other) const { return chunk_ == other.chunk_ && at_ == other.at_; }

   private:
    const tree::Node* list_;
    std::size_t chunk_, at_ = 0;
  };
  Iterator begin() const { return {list_, 0}; }
  Iterator end() const { return {list_, list_ ? list_->chunks.size() : 0}; }

 private:
  const tree::Node* list_;
};

class Document {
 public:
  static constexpr int kVersion = 1;

  /// The value at a path, or a null Json if nothing is there. The reference is valid as long as this document. The JSON
  /// of an object or a list is built on the first call; list() builds nothing.
  const Json& at(std::string_view path) const;
  bool has(std::string_view path) const;
  bool isObject(std::string_view path) const;
  bool isList(std::string_view path) const;
  /// The list at a path that does not lead into an element of another list; empty if there is none.
  ListView list(std::string_view path) const;

  /// A copy with `value` at `path`. Missing objects are created; an index equal to the size of its list appends.
  [[nodiscard]] Document with(std::string_view path, Json value) const;
  /// A copy that has at `path` what `other` has there, or nothing if `other` has nothing. The value is shared with
  /// `other`, except for an element of a list.
  [[nodiscard]] Document withPartOf(const Document& other, std::string_view path) const;
  /// A copy without the element or member at `path`.
  [[nodiscard]] Document without(std::string_view path) const;

  /// The state of pane `pane` (from 1) of a split window, under the names that an exhibit uses: "flow@2" of pane 2
  /// becomes "flow". The section "panes" belongs to the window and is not included. Cheap, because sections are shared.
  Document pane(int pane) const;
  /// A copy in which `state` replaces the whole state of that pane. The other panes are unchanged.
  [[nodiscard]] Document withPane(int pane, const Document& state) const;
  /// Whether the document has a section of that pane.
  bool hasPane(int pane) const;
  /// Whether both documents share every section. They are then equal, which is known without comparing contents.
  bool sharesAll(const Document& other) const;
  /// Whether both documents share the member at `path`; false if there is no such member.
  bool shares(const Document& other, std::string_view path) const;

  /// {"version":1, sections…}. Numbers read back to the same double; a non-finite number becomes null.
  Json toJson() const;
  /// BadInput if `json` is not an object, has no valid version, or has a newer one.
  static Result<Document> fromJson(const Json& json);

  /// Equal documents have equal hashes on every machine (FNV-1a over the compact JSON).
  std::uint64_t hash() const;
  bool operator==(const Document& other) const;
  /// Whether both are equal when the members at `paths` (member names joined by dots) are ignored in both.
  bool equalExcept(const Document& other, const std::vector<std::string>& paths) const;

 private:
  tree::Found find(std::string_view path) const;
  /// The node at a path of member names only; null if there is none.
  tree::NodePointer part(tree::Path path) const;
  Document put(tree::Path path, tree::NodePointer value) const;

  std::map<std::string, tree::NodePointer, std::less<>> sections_;
};

/// Largest number of panes of a window.
inline constexpr int kMostPanes = 4;

/// "flow@2.p" is the key "flow.p" of pane 2; a key without a pane number belongs to pane 1. Empty for a number outside
/// 1 to kMostPanes.
struct PaneKey {
  int pane = 1;
  std::string key;
};
std::optional<PaneKey> splitPaneKey(std::string_view key);
/// The inverse: "flow.p" of pane 2 becomes "flow@2.p".
std::string joinPaneKey(std::string_view key, int pane);

/// Session files. A write goes to a temporary file beside the target, which is then renamed into place.
Result<Document> readSession(const std::string& path);
Result<void> writeSession(const Document& document, const std::string& path);

}  // namespace sepx::ui
