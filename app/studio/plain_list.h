// SPDX-License-Identifier: Apache-2.0
// A list that leaves the keys it does not use to the window: letters are commands of the workbench (N: next step), not
// a search in the list. GUI thread.
#pragma once

#include <QKeyEvent>
#include <QTreeWidget>

namespace sepx::app {

class PlainList : public QTreeWidget {
  Q_OBJECT

 public:
  using QTreeWidget::QTreeWidget;

 protected:
  void keyPressEvent(QKeyEvent* event) override {
    switch (event->key()) {
      case Qt::Key_Up:
      case Qt::Key_Down:
      case Qt::Key_Left:
      case Qt::Key_Right:
      case Qt::Key_Home:
      case Qt::Key_End:
      case Qt::Key_Return:
      case Qt::Key_Enter:
        // Accepted even if the list cannot move further: an arrow key pressed here never moves the picture.
        QTreeWidget::keyPressEvent(event);
        return event->accept();
      default:
        event->ignore();
    }
  }
};

}  // namespace sepx::app
