// SPDX-License-Identifier: Apache-2.0
// The difference between two documents as a list of paths and values, so that a change of one point is sent as one
// point. A document to which it is applied shares everything else with the previous document. Pure; any thread.
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
  std::optional<ui::Json> value;  ///< empty: the value was removed
};

inline constexpr std::size_t kMostDocumentChanges = 100'000;
inline constexpr std::size_t kMostPathBytes = 1024, kMostPathSegments = 64;  ///< limits for one change

/// The changes that turn `before` into `after` if they are applied in this order.
std::vector<DocumentChange> changesOf(const ui::Document& before, const ui::Document& after);
/// Whether applied() accepts this number of changes and paths of this length. If not, the whole document is sent.
bool canBeSent(const std::vector<DocumentChange>& changes);
/// BadInput names a path that cannot exist in the document, or that is longer or deeper than kMostPathBytes,
/// kMostPathSegments.
Result<ui::Document> applied(ui::Document document, const std::vector<DocumentChange>& changes);

/// Each change as `[path, value]`, or as `[path]` for a removal.
ui::Json toJson(const std::vector<DocumentChange>& changes);
Result<std::vector<DocumentChange>> changesFromJson(const ui::Json& json);

}  // namespace sepx::app
