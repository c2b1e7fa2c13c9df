// SPDX-License-Identifier: Apache-2.0
// What of the document belongs to the window and to no pane: how many panes there are, which is active, whether cameras
// move together and colour limits are shared. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ui/document/document.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// "panes." and "workbench." keys.
bool isWindowKey(std::string_view key);
/// "flow.p" in pane 2 is "flow@2.p"; the window's keys stay as they are.
std::string keyInPane(std::string_view key, int pane);

/// How many panes a choice of panes.layout means; 1 for any other word.
int panesOfLayout(std::string_view layout);
/// How many panes the document shows, and which of them, from 1, is active.
int paneCount(const Document& document);
int activePane(const Document& document);
bool sharesLimits(const Document& document);

/// panes.layout, panes.active, panes.linked, panes.limits.
void declareWindowProperties(PropertyRegistry& registry);

/// The camera of pane `by`, the section `view` of its document, in all panes that show the same exhibit.
Document withLinkedCameras(Document document, int by, const PropertyRegistry& registry, const std::string& view);

/// What undo leaves as it is, of all panes: keys that are not undoable, or the whole group ("flow.view") where none of
/// it is.
std::vector<std::string> carriedPaths(const PropertyRegistry& registry);
/// The document without them, so that what differs is a person's work.
Document withoutPaths(const Document& document, const std::vector<std::string>& paths);

}  // namespace sepx::ui
