// SPDX-License-Identifier: Apache-2.0
// See mnemonics.h.
#include "app/studio/mnemonics.h"

#include <utility>

#include <QAction>
#include <QHash>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QStringList>

namespace sepx::app {

namespace {

/// Positions in `text` of the letters that may be underlined, the starts of words before their middles.
QList<int> lettersOf(const QString& text) {
  QList<int> starts, middles;
  for (int at = 0; at < text.size(); ++at)
    if (text[at].isLetterOrNumber()) (at == 0 || text[at - 1] == u' ' ? starts : middles).append(at);
  return starts + middles;
}

/// Assigns a letter to every text of a menu, no two the same: the first one that is free. If none is free, a text gets
/// a letter whose owner can change to another one (augmenting paths), so that texts have none only if there are too few
/// letters.
class Letters {
 public:
  explicit Letters(QStringList texts) : texts_(std::move(texts)), places_(texts_.size(), -1) {
    for (int i = 0; i < texts_.size(); ++i) {
      QSet<QChar> asked;
      give(i, asked);
    }
  }
  /// Position of the letter in the text; -1: none.
  int placeOf(int text) const { return places_[text]; }

 private:
  bool give(int text, QSet<QChar>& asked) {
    for (const bool taken : {false, true}) {
      for (const int at : lettersOf(texts_[text])) {
        const QChar letter = texts_[text][at].toLower();
        if (owners_.contains(letter) != taken || asked.contains(letter)) continue;
        asked.insert(letter);
        if (taken && !give(owners_[letter], asked)) continue;
        owners_[letter] = text;
        places_[text] = at;
        return true;
      }
    }
    return false;
  }

  QStringList texts_;
  QList<int> places_;
  QHash<QChar, int> owners_;
};

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

void assignMnemonics(const QList<QAction*>& all) {
  QList<QAction*> actions;
  QStringList texts;
  for (QAction* action : all) {
    if (action->isSeparator() || !action->isVisible()) continue;
    actions.append(action);
    texts.append(withoutMnemonic(action->text()));
  }
  const Letters letters(texts);
  for (int i = 0; i < actions.size(); ++i) {
    QAction* const action = actions[i];
    const QString& words = texts[i];
    const QString key = action->text().contains(u'\t') ? u'\t' + action->text().section(u'\t', 1) : QString();
    const int at = letters.placeOf(i);
    const QString label = (at < 0 ? asLabel(words) : asLabel(words.left(at)) + u'&' + asLabel(words.mid(at))) + key;
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
