// SPDX-License-Identifier: Apache-2.0
// See mnemonics.h.
#include "app/studio/mnemonics.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QSet>

namespace sepx::app {

namespace {

/// Index in `text` of the letter to underline: the start of a word rather than its middle; -1 when all are taken.
int freeLetter(const QString& text, const QSet<QChar>& taken) {
  const auto isFree = [&](int at) { return text[at].isLetterOrNumber() && !taken.contains(text[at].toLower()); };
  for (int at = 0; at < text.size(); ++at) {
    if ((at == 0 || text[at - 1] == u' ') && isFree(at)) return at;
  }
  for (int at = 0; at < text.size(); ++at) {
    if (isFree(at)) return at;
  }
  return -1;
}

}  // namespace

QString asLabel(QString text) {
  return text.replace(u'&', QStringLiteral("&&"));
}

QString withoutMnemonic(const QString& label) {
  QString result;
  const QString words = label.section(u'\t', 0, 0);
  for (int at = 0; at < words.size(); ++at) {
    if (words[at] == u'&' && at + 1 < words.size()) ++at;
    result += words[at];
  }
  return result;
}

void assignMnemonics(const QList<QAction*>& actions) {
  QSet<QChar> taken;
  for (QAction* action : actions) {
    if (action->isSeparator() || !action->isVisible()) continue;
    const QString words = withoutMnemonic(action->text());
    const QString key = action->text().contains(u'\t') ? u'\t' + action->text().section(u'\t', 1) : QString();
    const int at = freeLetter(words, taken);
    QString label = asLabel(words) + key;
    if (at >= 0) {
      taken.insert(words[at].toLower());
      label = asLabel(words.left(at)) + u'&' + asLabel(words.mid(at)) + key;
    }
    if (action->text() != label) action->setText(label);
    if (action->iconText() != words) action->setIconText(words);
  }
}

void assignMnemonics(QMenu* menu) {
  assignMnemonics(menu->actions());
  for (QAction* action : menu->actions()) {
    if (action->menu()) assignMnemonics(action->menu());
  }
}

void assignMnemonics(QMenuBar* bar) {
  assignMnemonics(bar->actions());
  for (QAction* action : bar->actions()) {
    if (action->menu()) assignMnemonics(action->menu());
  }
}

}  // namespace sepx::app
