// SPDX-License-Identifier: Apache-2.0
// The wall of the patterns of all heads on the page Sentence, and charts of their numbers by layer. Pure functions.
#pragma once

#include <string>

#include "ui/sentence/sentence_shown.h"

namespace sepx::ui {

/// "layer 0, head 3"
std::string headWords(const HeadPattern& head);

/// A small picture of every head's pattern; a click chooses the head.
PictureContent headsWall(const SentenceShown& shown);
/// Entropy (or distance) by layer: the mean over the heads, and the range from the smallest to the largest value.
ChartContent depthChart(const SentenceShown& shown, double HeadPattern::*member, const std::string& name);
/// The name of the number by which the wall is sorted.
std::string orderWords(HeadOrder order);

}  // namespace sepx::ui
