// SPDX-License-Identifier: Apache-2.0
// Titles, captions and tables that all pages of the Weights exhibit share. Pure.
#pragma once

#include <string>

#include "engine/core/table.h"
#include "ui/exhibits/weights/shared/weights_page.h"

namespace sepx::ui {

/// "Weights · bert-tiny · layer 0, all heads".
std::string weightsTitle(const WeightsShared& shared);
/// Model, family and, of one matrix, layer, head, scores and conventions.
std::string weightsCaption(const WeightsShared& shared, bool ofMatrix);
/// "scores" (a row a layer) and "head_scores" (a row a head) of what the board has by now.
void addScoreTables(Numbers& numbers, const WeightsShared& shared);

}  // namespace sepx::ui
