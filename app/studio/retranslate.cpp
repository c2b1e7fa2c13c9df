// SPDX-License-Identifier: Apache-2.0
// Another language while the window is open: menus and docks are filled anew; where they stand and what is open stays.
// Words of Qt's own dialogs come from Qt's translations, where they are installed.
#include <utility>

#include "app/studio/inspector.h"
#include "app/studio/main_window.h"
#include "app/studio/presenting.h"
#include "app/studio/text.h"
#include "ui/properties/language.h"

#include <QApplication>
#include <QDockWidget>
#include <QLibraryInfo>
#include <QLocale>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>
#include <QTranslator>

namespace sepx::app {

void MainWindow::followLanguage() {
  const std::string language = ui::language();
  if (std::exchange(language_, language) == language) return;
  const auto translator = std::exchange(qtWords_, std::make_unique<QTranslator>());
  if (translator) QApplication::removeTranslator(translator.get());
  if (language != ui::kEnglish &&
      qtWords_->load(QLocale(QString::fromStdString(language)), QStringLiteral("qtbase"), QStringLiteral("_"),
                     QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
    QApplication::installTranslator(qtWords_.get());
  if (!translator) return;  // the window was built in this language
  for (const Fold& fold : folds_) {
    QWidget* const old = fold.dock->widget();
    fold.dock->setWidget(nullptr);
    old->deleteLater();
  }
  delete std::exchange(paletteField_, nullptr);
  fillDocks();
  nameBars();
  presenting_->followLanguage();
  listedAt_ = ~0ull;
  buildMenus();
  theme_.clear();  // sizes follow the words
  wake();
}

}  // namespace sepx::app
