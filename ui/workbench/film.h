// SPDX-License-Identifier: Apache-2.0
// Writes a sequence of pictures to a folder of PNG files, or through ffmpeg to an MP4 or WebM file. The output is
// written beside the target and moved there when it is complete. Frame thread; add() may leave work to advance(), so
// that no call waits.
#pragma once

#include <memory>
#include <string>

#include "engine/core/result.h"
#include "engine/gpu/frame_target.h"

namespace sepx::ui {

struct FilmOptions {
  std::string path;  ///< ending in /: a folder
  gpu::Extent extent;
  double framesPerSecond = 30;
  std::string recipe;
  bool waits = false;  ///< advance() returns only when there is nothing left to do
};

class Film {
 public:
  /// OutputFailed with path and reason, also when ffmpeg is not installed.
  static Result<std::unique_ptr<Film>> create(FilmOptions options);
  /// An unfinished film leaves no files behind. Waits for pending writes; any thread.
  virtual ~Film() = default;
  /// Adds a copy of the picture. Call it only after advance() has returned true.
  virtual Result<void> add(const gpu::Pixels& picture) = 0;
  /// Continues the work that add() left. True if none is left.
  virtual Result<bool> advance() = 0;
  /// Call it after the last picture, until it returns true: the film is then at its place.
  virtual Result<bool> finish() = 0;
};

}  // namespace sepx::ui
