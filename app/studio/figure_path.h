// SPDX-License-Identifier: Apache-2.0
// The formats of a figure, as the user chooses them, and the matching file name: a typed extension selects the format,
// and a selected format determines the extension. Pure functions.
#pragma once

#include <array>
#include <string>

#include "ui/properties/tr.h"

#include <QString>
#include <QStringList>

namespace sepx::app {

struct FigureFormatChoice {
  const char* key;    ///< "pdf"; also the file extension, except for "frames"
  const char* label;  ///< N_()
};
inline constexpr std::array<FigureFormatChoice, 9> kFigureFormats{{{"pdf", N_("PDF, vectors")},
                                                                   {"svg", N_("SVG, vectors")},
                                                                   {"png", N_("PNG, pixels")},
                                                                   {"html", N_("Page to take home (HTML)")},
                                                                   {"csv", N_("Numbers: one table (CSV)")},
                                                                   {"npz", N_("Numbers: all of them (NPZ)")},
                                                                   {"mp4", N_("Film (MP4)")},
                                                                   {"webm", N_("Film (WebM)")},
                                                                   {"frames", N_("Film: a folder of PNG files")}}};

/// Filters of a file dialog, one for each format that is a file: "PDF, vectors (*.pdf)".
QStringList figureFilters();
/// The filter that a suffix (".paths.csv") belongs to.
QString figureFilter(const QString& suffix);
/// The suffix (".pdf") of a filter of figureFilters(); `suffix` itself if it has this format, as it may name a table.
QString figureSuffix(const QString& filter, const QString& suffix);

/// The file name of a figure: `typed` as it is if it has the extension of a figure, which then selects the format; else
/// with `suffix` appended. A table that `suffix` names (".paths.csv") is part of the extension: "x.csv" becomes
/// "x.paths.csv".
QString figurePath(const QString& typed, const QString& suffix);
/// `name` with `suffix` in place of its extension, if that is one of a figure.
QString withFigureSuffix(const QString& name, const QString& suffix);

/// A title as a file name, without an extension.
QString fileNameOf(QString title);

}  // namespace sepx::app
