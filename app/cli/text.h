// SPDX-License-Identifier: Apache-2.0
// Sentences with values in them: the pattern is translated, then filled in. Numbers are the same in every locale. Any
// thread.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "engine/core/result.h"
#include "engine/core/sentence.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/properties/tr_plural.h"

namespace sepx::app::cli {

using ui::tr;

/// tr(pattern) with {} replaced (ui/properties/tr_format.h).
template <class... Values>
std::string trf(fmt::format_string<const Values&...> pattern, const Values&... values) {
  return ui::trFormat(pattern, values...);
}

/// The same for a text of the engine.
inline std::string trf(const Sentence& sentence) {
  return ui::trFormat(sentence);
}

/// "1 layer", "2 layers": both patterns with one {}.
template <class Count>
std::string counted(Count count, fmt::format_string<Count&> one, fmt::format_string<Count&> many) {
  return ui::trPlural(one, many, count);
}

/// `return failf(ErrorKind::Usage, N_("…{}…"), value);`
template <class... Values>
tl::unexpected<Error> failf(ErrorKind kind, fmt::format_string<const Values&...> pattern, const Values&... values) {
  return fail(kind, trf(pattern, values...));
}

/// Footer of the help of a verb that draws: the common flags that apply to it.
inline std::string commonFlagsWords() {
  return tr(
      N_("Options of every binary:\n  --size WxH                  size of the picture: pixels of a PNG, points of an "
         "SVG or PDF (default 1280x720)\n  --scale X                   pixels per point of a PNG (default 1)\n  "
         "--theme NAME                dark (default), light, contrast or projector\n  --compute, --device, --threads, "
         "--seed, --out-dir: see sepx --help"));
}

/// A number for a person: six significant digits, no trailing zeros.
inline std::string displayText(double value) {
  return fmt::format("{:.6g}", value);
}

}  // namespace sepx::app::cli
