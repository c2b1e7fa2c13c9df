// SPDX-License-Identifier: Apache-2.0
// Mnemonics: letters that reach the entries of menus with Alt. They are assigned automatically and differ within a
// menu, so that every action can be reached by keyboard in every language. GUI thread.
#pragma once

#include <QList>
#include <QString>

class QAction;
class QMenu;
class QMenuBar;

namespace sepx::app {

/// The text as a label, with ampersands escaped: an ampersand in a file name is not a mnemonic.
QString asLabel(QString text);
/// The label without its mnemonic and its key, as it is spoken and searched.
QString withoutMnemonic(const QString& label);
/// Gives each visible entry a letter or digit of its label that no other entry of the list has.
void assignMnemonics(const QList<QAction*>& actions);
/// The same for the bar and all menus below it.
void assignMnemonics(QMenuBar* bar);
void assignMnemonics(QMenu* menu);

}  // namespace sepx::app
