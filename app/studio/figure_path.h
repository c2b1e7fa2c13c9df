// SPDX-License-Identifier: Apache-2.0
// The formats that a figure can have, as a person chooses them, and the file name that goes with one: the format
// follows a typed ending, the ending follows a chosen format. Pure.
#pragma once

#include <array>
#include <string>

#include "ui/properties/tr.h"

#include <QString>
#include <QStringList>

namespace sepx::app {

struct FigureFormatChoice {
  const char* key;    ///< "pdf"; the ending of the file, but for "frames"
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

/// Filters of a file dialog, one a format that is a file: "PDF, vectors (*.pdf)".
QStringList figureFilters();
/// The one of them that a suffix (".paths.csv") belongs to.
QString figureFilter(const QString& suffix);
/// ".pdf" of a filter of figureFilters(); that of CSV has the table of `suffix`, where that is CSV too.
QString figureSuffix(const QString& filter, const QString& suffix);

/// The file of a figure: `typed` as it is where it ends like a figure, so that its ending says the format; else with
/// `suffix` behind it. A table that `suffix` names (".paths.csv") is part of the ending: "x.csv" becomes "x.paths.csv".
QString figurePath(const QString& typed, const QString& suffix);
/// `name` with `suffix` in place of the ending of a figure.
QString withFigureSuffix(const QString& name, const QString& suffix);

/// A title as a file name, without an ending.
QString fileNameOf(QString title);

}  // namespace sepx::app
