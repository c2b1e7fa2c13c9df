// SPDX-License-Identifier: Apache-2.0
// An SVG document of ours (svg_writer.h) as PDF: lines stay lines, text stays text with subsets of its faces embedded,
// every picture is one image. librsvg and cairo draw it, qpdf adds title and recipe (XMP) and takes out what depends on
// the time. The same bytes for the same document. Any thread.
#pragma once

#include <string>

#include "engine/core/result.h"

namespace sepx::render {

struct PdfOptions {              ///< of one page
  double width = 0, height = 0;  ///< of the page, points
  std::string title;
  std::string recipe;  ///< JSON under Separatrix-Recipe; empty: none
};

/// Internal with the library's reason: the document is ours.
Result<std::string> toPdf(const std::string& svg, const PdfOptions& options);

}  // namespace sepx::render
