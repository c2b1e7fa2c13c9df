// SPDX-License-Identifier: Apache-2.0
// Measures of the weight matrices of one layer of a run at one step, compared with the embedding, and of one matrix at
// the steps that the run keeps. Made in jobs; any thread.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/train/layer_matrices.h"
#include "ui/race/run_model.h"

namespace sepx::ui {

struct MatricesRequest {
  ModelRequest model;
  int layer = 0, head = -1;  ///< -1: all heads
  train::LayerMatrix which = train::LayerMatrix::Up;
  bool operator==(const MatricesRequest&) const = default;
};

/// The displayed name, with the factors of a product separated: "W_O W_V".
std::string shownName(train::LayerMatrix which);

/// A row of the table.
struct MatrixRow {
  train::LayerMatrix which = train::LayerMatrix::Up;
  int rows = 0, columns = 0;
  train::MatrixReading reading;
};

struct MatricesResult {
  std::int64_t step = -1;
  ModelSource source = ModelSource::Checkpoint;
  int layer = 0, head = -1;
  train::LayerMatrix which = train::LayerMatrix::Up;
  bool hasEmbedding = false;  ///< the embedding is available at this step
  train::EmbeddingVector::Kind embedding = train::EmbeddingVector::Kind::Vector;
  double embeddingCorner = std::nan("");             ///< max|e_i|/min|e_i|
  std::vector<MatrixRow> all;                        ///< those available at the step; large layers: only the chosen one
  int rows = 0, columns = 0;                         ///< of the chosen one
  std::shared_ptr<const std::vector<float>> values;  ///< of the chosen one, row-major; null: there is none
  double limit = 1;                                  ///< 99.5 % of the moduli lie below it
  std::string sentence;                              ///< why `values` is null
  /// Null: there is none.
  const MatrixRow* row(train::LayerMatrix one) const;
  const MatrixRow* chosen() const { return row(which); }
};
using MatricesPointer = std::shared_ptr<const MatricesResult>;

/// Fails with BadInput and a one-sentence message if the layer or head does not exist or the parameters cannot be read.
Result<MatricesPointer> makeMatrices(const MatricesRequest& request);

/// Measures of one matrix at one step; NaN if they are not available at the step.
struct MatrixPoint {
  std::int64_t step = 0;
  double ratio = std::nan(""), cosine = std::nan(""), corner = std::nan("");
};
struct HistoryRequest {
  MatricesRequest of;               ///< run, matrix, layer and head; its step is ignored
  std::vector<std::int64_t> steps;  ///< the steps to be read
  std::vector<bool> stored;         ///< by step: it has stored matrices, not only a checkpoint
  std::vector<bool> saved;          ///< by step: it has a checkpoint
  bool operator==(const HistoryRequest&) const = default;
};
/// One point per step, until it is cancelled. The numbers of a step that cannot be read are NaN.
std::vector<MatrixPoint> makeHistory(const HistoryRequest& request, const std::function<bool()>& cancelled);

}  // namespace sepx::ui
