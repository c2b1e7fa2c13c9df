// SPDX-License-Identifier: Apache-2.0
// What differs between two documents as a list of paths and values, so that a change of one point is sent as one point,
// and what is applied shares all else with the document before. Pure; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "ui/document/document.h"

namespace sepx::app {

struct DocumentChange {
  std::string path;
  std::optional<ui::Json> value;  ///< none: what was there is gone
};

inline constexpr std::size_t kMostDocumentChanges = 100'000;
inline constexpr std::size_t kMostPathBytes = 1024, kMostPathSegments = 64;  ///< of one change

/// What makes `after` of `before`, applied in this order.
std::vector<DocumentChange> changesOf(const ui::Document& before, const ui::Document& after);
/// Whether applied() takes so many changes and paths of this length; else the document is sent as a whole.
bool canBeSent(const std::vector<DocumentChange>& changes);
/// BadInput names the path that there cannot be, or that is longer or deeper than kMostPathBytes, kMostPathSegments.
Result<ui::Document> applied(ui::Document document, const std::vector<DocumentChange>& changes);

/// As `[path, value]` and `[path]`.
ui::Json toJson(const std::vector<DocumentChange>& changes);
Result<std::vector<DocumentChange>> changesFromJson(const ui::Json& json);

}  // namespace sepx::app
