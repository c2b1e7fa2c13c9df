// SPDX-License-Identifier: Apache-2.0
// The part of the document that belongs to the window and to no pane: number of panes, active pane, linked cameras and
// shared colour limits. Pure.
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

/// Number of panes of a choice of panes.layout; 1 for any other word.
int panesOfLayout(std::string_view layout);
/// Number of panes that the document shows, and which of them, from 1, is active.
int paneCount(const Document& document);
int activePane(const Document& document);
bool sharesLimits(const Document& document);

/// panes.layout, panes.active, panes.linked, panes.limits.
void declareWindowProperties(PropertyRegistry& registry);

/// Copies the camera of pane `by`, the section `view` of its document, to all panes that show the same exhibit.
Document withLinkedCameras(Document document, int by, const PropertyRegistry& registry, const std::string& view);

/// Keys that undo does not restore, of all panes: those that are not undoable, or a whole group ("flow.view") where
/// none of its keys is.
std::vector<std::string> carriedPaths(const PropertyRegistry& registry);
/// The document without `paths`, so that what differs is the user's work.
Document withoutPaths(const Document& document, const std::vector<std::string>& paths);

}  // namespace sepx::ui
