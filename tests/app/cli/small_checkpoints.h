// SPDX-License-Identifier: Apache-2.0
// Small checkpoints that tests of the command line create, and their forms computed from the plain definition.
#pragma once

#include <string>
#include <vector>

#include "tests/app/cli/run_sepx.h"

namespace sepx::test {

/// Row-major, [rows][columns].
using Plain = std::vector<std::vector<double>>;

/// An encoder with BERT's names: 2 layers, d_model 8, 2 heads of width 4, numbers that floats represent exactly.
inline constexpr int kSmallWidth = 8, kSmallHeads = 2, kSmallLayers = 2;

struct SmallWishes {
  std::string modelType = "bert";
  double shift = 0;       ///< added to every weight
  bool nan = false;       ///< one weight of layer 1 is NaN
  bool infinite = false;  ///< one weight of layer 1 is infinite
  int width = kSmallWidth;
};
/// Writes config.json and model.safetensors into `folder`/`name` and returns that path.
std::string writeSmallBert(const Folder& folder, const std::string& name, const SmallWishes& wishes = {});
/// The same as a LLaMA with 4 query heads of width 2 that share 2 key heads.
std::string writeSmallGrouped(const Folder& folder, const std::string& name);

/// Query and key weights of the small BERT in the layout of the file, [out, in].
Plain smallQuery(int layer, const SmallWishes& wishes = {});
Plain smallKey(int layer, const SmallWishes& wishes = {});
/// W_qk [d, d], computed by three loops. `head` -1: all heads.
Plain smallForm(int layer, int head = -1, const SmallWishes& wishes = {});
/// W_qk of the LLaMA, with query head h paired with key head `keyOf[h]`.
Plain smallGroupedForm(const std::vector<int>& keyOf);

double plainSymmetry(const Plain& form);
/// Definition 3.2, computed by loops: excess or sum over mean + gamma standard deviations.
double plainDirectionality(const Plain& form, double gamma, bool excess, int ddof);

/// The path of a shared real checkpoint. Empty, after a warning, if it does not exist.
std::string sharedCheckpoint(const std::string& name);
/// A file of reference numbers; null if it does not exist.
Json sharedReference(const std::string& name);

}  // namespace sepx::test
