// SPDX-License-Identifier: Apache-2.0
// Pictures one after the other into a folder of PNGs, or through ffmpeg into an MP4 or WebM. What is written stands
// beside the target until it is whole. Frame thread; add() may leave work to advance(), so that nothing waits.
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
  /// A film that was not finished leaves nothing behind. Waits for what is being written; any thread.
  virtual ~Film() = default;
  /// Takes over a copy. Only when advance() said that there is nothing left to do.
  virtual Result<void> add(const gpu::Pixels& picture) = 0;
  /// Goes on with what add() left; true: nothing is left.
  virtual Result<bool> advance() = 0;
  /// After the last picture; true: the film is at its place.
  virtual Result<bool> finish() = 0;
};

}  // namespace sepx::ui
