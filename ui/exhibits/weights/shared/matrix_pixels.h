// SPDX-License-Identifier: Apache-2.0
// Which entries a picture of the matrix needs: how many of them a pixel stands for, and how far beyond the view it
// reaches, so that moving asks for nothing new. Pure.
#pragma once

#include "engine/attention/histogram.h"
#include "engine/attention/tiles.h"
#include "ui/exhibits/weights/shared/matrix_layout.h"
#include "ui/exhibits/weights/shared/matrix_results.h"

namespace sepx::ui {

/// Entries along a side of the block under a pixel: 1, 2, 3, 4, 6, 8, 12, … `scale`: pixels per point.
Eigen::Index stepFor(const MatrixLayout& layout, double scale);
/// The view with half of it again at every side, in whole blocks, inside the matrix.
attention::Crop cropFor(const MatrixLayout& layout, Eigen::Index step);
/// Whether the view, and near its edge what comes next, is in `crop`.
bool holds(const attention::Crop& crop, const MatrixLayout& layout, Eigen::Index step);
/// The same with at most `side` blocks along a side, each the one of largest modulus of those it stands for.
MatrixPicture shrunk(const MatrixPicture& picture, int side);
/// Means of blocks are smaller than extremes: a coarse picture of means takes the extremes' size, so that it does not
/// look empty until the exact one comes.
void strengthen(MatrixPicture& picture, const attention::Histogram& histogram);

}  // namespace sepx::ui
