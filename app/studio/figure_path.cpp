// SPDX-License-Identifier: Apache-2.0
// See figure_path.h.
#include "app/studio/figure_path.h"

#include <string_view>

#include "app/studio/text.h"

namespace sepx::app {

namespace {

constexpr std::string_view kFolder = "frames";

/// The last extension, such as ".csv" of ".paths.csv".
QString lastEnding(const QString& name) {
  const auto dot = name.lastIndexOf(u'.');
  return dot > name.lastIndexOf(u'/') ? name.mid(dot) : QString();
}

bool isFigureEnding(const QString& ending) {
  for (const FigureFormatChoice& one : kFigureFormats) {
    if (one.key != kFolder && ending.compare(u'.' + QString::fromLatin1(one.key), Qt::CaseInsensitive) == 0)
      return true;
  }
  return false;
}

QString filterOf(const FigureFormatChoice& format) {
  return QStringLiteral("%1 (*.%2)").arg(text(format.label), QString::fromLatin1(format.key));
}

}  // namespace

QStringList figureFilters() {
  QStringList filters;
  for (const FigureFormatChoice& one : kFigureFormats)
    if (one.key != kFolder) filters << filterOf(one);
  return filters;
}

QString figureFilter(const QString& suffix) {
  for (const FigureFormatChoice& one : kFigureFormats)
    if (lastEnding(suffix) == u'.' + QString::fromLatin1(one.key)) return filterOf(one);
  return {};
}

QString figureSuffix(const QString& filter, const QString& suffix) {
  if (figureFilter(suffix) == filter) return suffix;
  for (const FigureFormatChoice& one : kFigureFormats)
    if (one.key != kFolder && filter == filterOf(one)) return u'.' + QString::fromLatin1(one.key);
  return suffix;
}

QString withFigureSuffix(const QString& name, const QString& suffix) {
  QString base = name;
  if (isFigureEnding(lastEnding(name))) base.chop(lastEnding(name).size());
  return base + suffix;
}

QString figurePath(const QString& typed, const QString& suffix) {
  if (typed.isEmpty() || typed.endsWith(suffix)) return typed;
  const QString ending = lastEnding(typed);
  if (!isFigureEnding(ending)) return typed + suffix;
  if (ending.compare(lastEnding(suffix), Qt::CaseInsensitive) == 0) return withFigureSuffix(typed, suffix);
  // The writer recognises only extensions in lower case.
  return withFigureSuffix(typed, ending.toLower());
}

QString fileNameOf(QString title) {
  for (QChar& character : title) {
    if (!character.isLetterOrNumber() && !QStringLiteral(" -_.()").contains(character)) character = u'-';
  }
  return title.simplified();
}

}  // namespace sepx::app
