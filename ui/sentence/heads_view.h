// SPDX-License-Identifier: Apache-2.0
// The wall of heads of the page Sentence, and their numbers by depth. Pure.
#pragma once

#include <string>

#include "ui/sentence/sentence_shown.h"

namespace sepx::ui {

/// "layer 0, head 3"
std::string headWords(const HeadPattern& head);

/// A small picture of every head's pattern; a click chooses the head.
PictureContent headsWall(const SentenceShown& shown);
/// Entropy (or distance) by depth: mean over the heads of a layer, and from the least to the largest.
ChartContent depthChart(const SentenceShown& shown, double HeadPattern::*member, const std::string& name);
/// How a number by which the wall is sorted is called.
std::string orderWords(HeadOrder order);

}  // namespace sepx::ui
