// SPDX-License-Identifier: Apache-2.0
// The script language (docs/scripts.md) as plain data: parsed here, run by workbench/script_runner. The first line is
// `script 1`; then follows one step per line, with # comments and strings in double quotes. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::ui {

/// Limits of the interface scale in pixels per point, for the step `scale` and the flag --scale.
inline constexpr double kLeastScale = 0.5, kMostScale = 4;
/// Largest width and height of a window in pixels, for the step `resize`.
inline constexpr int kMostSide = 16384;
/// Longest line of a script. A longer one is rejected without being parsed.
inline constexpr std::size_t kLongestStep = 20'000;  // bytes

enum class StepKind {
  Open,
  Drop,
  Save,
  Exhibit,
  Set,
  Vary,
  Type,
  Key,
  Undo,
  Redo,
  AddPoint,
  Drag,
  Click,
  Hover,
  Press,
  Release,
  Scroll,
  ClickControl,
  SetControl,
  Resize,
  Theme,
  Scale,
  Play,
  Pause,
  StepFrames,
  WaitSettled,
  WaitFrames,
  WaitTrained,
  WaitRunEnded,
  WaitFor,
  Expect,
  ExpectError,
  Shot,
  Export
};

/// A position on a canvas: data coordinates, or window pixels ("@px,py").
struct ScriptPoint {
  double x = 0, y = 0;
  bool pixels = false;
};

struct ScriptStep {
  StepKind kind = StepKind::Open;
  bool tried = false;           ///< prefix `try`: a step that fails, or an expectation that does not hold, is skipped
  int line = 0;                 ///< in its file, from 1
  std::string source;           ///< the line as written
  std::string canvas;           ///< prefix `on CANVAS`, or a view before a position; empty: the exhibit's own
  std::string text;             ///< path, name, key, chord or string of the step
  std::string op;               ///< == != < <= > >= ~ has
  std::string value;            ///< as written, quotes removed
  double tolerance = 0;         ///< after +-
  std::vector<double> numbers;  ///< theta of add point, N of undo/scroll/step/wait frames/wait steps, W and H of
                                ///< resize, the scale; lowest value, highest value and distance of two values of a vary
  ScriptPoint from, to;         ///< click, hover, scroll, press, release use `from`
  double seconds = 0;           ///< drag, set: after `in`; wait: after `within`
  /// View names of an export; further keys and values of a set, alternating.
  std::vector<std::string> words{};
  // Only for an export.
  std::string preset{};  ///< after `as`
  bool whole = false;    ///< charts are exported whole, even if they are zoomed
};

/// Whether the step waits for work that takes time (training, a value that is computed) and whose result the following
/// steps need. The end of an animation does not count: it is only watched.
bool waitsForWork(const ScriptStep& step);

/// The number of values that a step `vary` chooses from, and one of them as text; `index` in [0, valuesOf).
std::int64_t valuesOf(const ScriptStep& vary);
std::string varied(const ScriptStep& vary, std::int64_t index);

struct Script {
  std::string name;  ///< for messages: file name
  std::vector<ScriptStep> steps;
};

/// BadInput with file and line, the word that is not understood and what is expected.
Result<Script> parseScript(std::string_view text, std::string name);
/// Lines of a lesson's `steps` block: no header line; `firstLine` is the line number of the block's first line in its
/// file.
Result<std::vector<ScriptStep>> parseSteps(std::string_view text, const std::string& name, int firstLine);
/// The same, but lines that are not understood are skipped, and the error of each is added to `messages`.
std::vector<ScriptStep> readSteps(std::string_view text, const std::string& name, int firstLine,
                                  std::vector<std::string>& messages);

}  // namespace sepx::ui
