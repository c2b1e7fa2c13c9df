// SPDX-License-Identifier: Apache-2.0
// Converts an SVG document of this program (svg_writer.h) to PDF. Lines stay lines, text stays text with embedded
// subsets of its faces, and every picture is one image. librsvg and cairo draw it; qpdf adds the title and the recipe
// (XMP) and removes everything that depends on the time. The same document gives the same bytes. Any thread.
#pragma once

#include <string>

#include "engine/core/result.h"

namespace sepx::render {

struct PdfOptions {              ///< options for one page
  double width = 0, height = 0;  ///< of the page, points
  std::string title;
  std::string recipe;  ///< JSON under Separatrix-Recipe; empty: none
};

/// Fails with Internal and the library's reason, because the document was made by this program.
Result<std::string> toPdf(const std::string& svg, const PdfOptions& options);

}  // namespace sepx::render
