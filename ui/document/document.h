// SPDX-License-Identifier: Apache-2.0
// The whole state of the program as one value: a tree of JSON of which copies share all that they have in common, so
// that a snapshot costs what changed, however long the lists beside it are. Keys are dotted paths with indices:
// "flow.points[0].e". The document does not know what the keys mean (the property registry does); keys that nobody
// knows stay where they are and are saved again. A value type: copies are independent, const access is safe from any
// thread.
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

/// The elements of a list in a document, in their order. Refers to the document.
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

  /// The value at a path; a null Json when nothing is there. The reference lives as long as this document. Of an object
  /// or a list it is made when it is asked for first: list() costs nothing.
  const Json& at(std::string_view path) const;
  bool has(std::string_view path) const;
  bool isObject(std::string_view path) const;
  bool isList(std::string_view path) const;
  /// Of the list at a path that is not inside an element of another list; empty where there is none.
  ListView list(std::string_view path) const;

  /// A document with `value` at `path`; missing objects are made, an index equal to the size appends.
  [[nodiscard]] Document with(std::string_view path, Json value) const;
  /// A document that has at `path` what `other` has there; shared with it but for elements of lists.
  [[nodiscard]] Document withPartOf(const Document& other, std::string_view path) const;
  /// A document without the element or member at `path`.
  [[nodiscard]] Document without(std::string_view path) const;

  /// What pane `pane` (from 1) of a split window shows, under the names that an exhibit knows: pane 2's "flow@2" is
  /// "flow" there. The section "panes" belongs to the window, not to a pane. Cheap: sections are shared.
  Document pane(int pane) const;
  /// This document with `state` in that pane, in place of all that was there; what other panes hold stays.
  [[nodiscard]] Document withPane(int pane, const Document& state) const;
  /// Whether there is anything of that pane.
  bool hasPane(int pane) const;
  /// Whether every section is the very same object in both: equal for sure, and known without looking inside.
  bool sharesAll(const Document& other) const;
  /// The same of the member at `path`, which is there.
  bool shares(const Document& other, std::string_view path) const;

  /// {"version":1, sections…}. Numbers read back to the same double; a non-finite number becomes null.
  Json toJson() const;
  /// BadInput when it is not an object, has no version, or a newer one.
  static Result<Document> fromJson(const Json& json);

  /// Equal documents have equal hashes on every machine (FNV-1a over the compact JSON).
  std::uint64_t hash() const;
  bool operator==(const Document& other) const;
  /// Equal but for what is at `paths` (names of members joined by dots) in either.
  bool sameBut(const Document& other, const std::vector<std::string>& paths) const;

 private:
  tree::Found find(std::string_view path) const;
  /// Of members alone; null where nothing is.
  tree::NodePointer part(tree::Path path) const;
  Document put(tree::Path path, tree::NodePointer value) const;

  std::map<std::string, tree::NodePointer, std::less<>> sections_;
};

/// A window has at most so many panes.
inline constexpr int kMostPanes = 4;

/// "flow@2.p" is "flow.p" of pane 2; a key without a pane's number is of pane 1. Nothing for another number.
struct PaneKey {
  int pane = 1;
  std::string key;
};
std::optional<PaneKey> splitPaneKey(std::string_view key);
/// The other way: "flow.p" of pane 2 is "flow@2.p".
std::string joinPaneKey(std::string_view key, int pane);

/// Session files. Writes go to a temporary file beside the target that is renamed into place.
Result<Document> readSession(const std::string& path);
Result<void> writeSession(const Document& document, const std::string& path);

}  // namespace sepx::ui
