// SPDX-License-Identifier: Apache-2.0
// See inspector_group.h.
#include "app/studio/inspector_group.h"

#include <algorithm>
#include <utility>

#include "app/studio/fields.h"
#include "app/studio/icons.h"
#include "app/studio/text.h"

#include <QAbstractSpinBox>
#include <QEvent>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace sepx::app {

namespace {

constexpr int kWithinGroup = 4;  // points between rows
constexpr int kLeastFold = 24;

/// Minimum height for use with a pointer, in the current font.
int targetHeight(const QWidget& widget) {
  return std::max(kLeastFold, widget.fontMetrics().height() + 4);
}

/// A line that folds and unfolds what is below it: by a click, Space or Return. The Right key unfolds, the Left key
/// folds.
class Fold final : public QToolButton {
 public:
  Fold(const QString& words, const char* role) {
    setText(words);
    setCheckable(true);
    setAutoRaise(true);
    setProperty("role", role);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    drawArrow();
    connect(this, &QToolButton::toggled, this, &Fold::drawArrow);
  }
  QSize sizeHint() const override {
    const QSize hint = QToolButton::sizeHint();
    return {hint.width(), std::max(hint.height(), targetHeight(*this))};
  }
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void keyPressEvent(QKeyEvent* event) override {
    const int key = event->key();
    const bool enters = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (enters || (key == Qt::Key_Right && !isChecked()) || (key == Qt::Key_Left && isChecked())) return click();
    QToolButton::keyPressEvent(event);
  }

 private:
  void drawArrow() {
    setIcon(lineIcon(isChecked() ? IconDrawing{{{4, 6}, {8, 10}, {12, 6}}} : IconDrawing{{{6, 4}, {10, 8}, {6, 12}}}));
  }
};

class ExplainButton final : public QToolButton {
 public:
  explicit ExplainButton(std::vector<QWidget*> with) : with_(std::move(with)) {
    with_.push_back(this);
    for (QWidget* widget : with_) {
      widget->setAttribute(Qt::WA_Hover);
      widget->installEventFilter(this);
    }
  }

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave) update();
    return false;
  }
  void paintEvent(QPaintEvent* event) override {
    const bool near = std::any_of(with_.begin(), with_.end(), [](const QWidget* one) { return one->underMouse(); });
    if (near || hasFocus()) QToolButton::paintEvent(event);
  }

 private:
  std::vector<QWidget*> with_;
};

}  // namespace

QToolButton* makeExplainButton(const std::vector<QWidget*>& with) {
  auto* button = new ExplainButton(with);
  button->setIcon(commandIcon("help.explain"));
  button->setAutoRaise(true);
  button->setToolTip(text(N_("Explain this number")));
  button->setMinimumSize(kLeastFold, kLeastFold);
  return button;
}

InspectorGroup::InspectorGroup(const QString& title, QWidget* parent) : QWidget(parent), title_(title) {
  setAccessibleName(title);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(kWithinGroup);
  heading_ = new Fold(title, "section");
  heading_->setAccessibleName(title);
  heading_->setAccessibleDescription(text(N_("Collapses or expands the group")));
  column->addWidget(heading_);
  body_ = new QWidget;
  auto* inside = new QVBoxLayout(body_);
  inside->setContentsMargins(0, 0, 0, 0);
  inside->setSpacing(kWithinGroup);
  plain_ = makePart(inside);
  column->addWidget(body_);
  connect(heading_, &QToolButton::clicked, this, &InspectorGroup::folded);
}

InspectorGroup::Part InspectorGroup::makePart(QVBoxLayout* into) {
  Part part{makeForm(), makeForm()};
  part.table->setVerticalSpacing(0);
  into->addLayout(part.form);
  into->addLayout(part.table);
  return part;
}

void InspectorGroup::makeDetails() {
  more_ = new Fold(text(N_("More")), "name");
  more_->setAccessibleName(text(N_("More of %1")).arg(title_));
  details_ = new QWidget;
  auto* inside = new QVBoxLayout(details_);
  inside->setContentsMargins(0, 0, 0, 0);
  inside->setSpacing(kWithinGroup);
  seldom_ = makePart(inside);
  body_->layout()->addWidget(more_);
  body_->layout()->addWidget(details_);
  connect(more_, &QToolButton::toggled, this, &InspectorGroup::unfolded);
}

InspectorGroup::Part& InspectorGroup::partOf(const InspectorRow& row) {
  if (!row.detail) return plain_;
  if (!details_) makeDetails();
  return seldom_;
}

void InspectorGroup::add(InspectorRow row, const QString& help) {
  const Part& part = partOf(row);
  row.about = help;
  if (row.result()) {
    const int at = part.table->rowCount();
    for (QWidget* const one : {static_cast<QWidget*>(row.name), row.line, static_cast<QWidget*>(row.symbol)}) {
      one->setToolTip(help);
      one->setWhatsThis(help);
    }
    int column = 0;
    for (QWidget* const one :
         {static_cast<QWidget*>(row.name), row.line, static_cast<QWidget*>(row.symbol), row.explain})
      part.table->addWidget(one, at, column++, Qt::AlignVCenter);
  } else {
    row.name = placeField(part.form, row.line, help);
  }
  rows_.push_back(std::move(row));
}

void InspectorGroup::addAlone(InspectorRow row) {
  QGridLayout* const form = partOf(row).form;
  form->addWidget(row.line, form->rowCount(), 0, 1, 2);
  rows_.push_back(std::move(row));
}

void InspectorGroup::present(const Shown& shown) {
  const auto setShown = [](QWidget* widget, bool visible) {
    if (widget && widget->isVisibleTo(widget->parentWidget()) != visible) widget->setVisible(visible);
  };
  const bool open = shown.open || shown.searched || title_.isEmpty();
  if (heading_->isChecked() != open) heading_->setChecked(open);
  setShown(heading_, !title_.isEmpty());
  // If there is nothing else, the heading itself shows the details.
  const bool both = shown.rows && shown.details && !shown.searched;
  setShown(more_, both);
  setShown(details_, shown.details && (!both || more_->isChecked()));
  setShown(body_, open);
  setShown(this, shown.rows || shown.details);
}

void InspectorGroup::openDetails() {
  if (more_) more_->setChecked(true);
}

void InspectorGroup::Widths::add(const Widths& other) {
  names = std::max(names, other.names);
  lines = std::max(lines, other.lines);
  alone = std::max(alone, other.alone);
}

InspectorGroup::Widths InspectorGroup::leastWidths() const {
  Widths least;
  for (const QToolButton* fold : {heading_, more_})
    if (fold) least.alone = std::max(least.alone, fold->minimumSizeHint().width());
  int names = 0, values = 0;  // of the table, which has its own columns
  const int gap = plain_.table->horizontalSpacing();
  for (const InspectorRow& row : rows_) {
    const int line = row.line->minimumSizeHint().width();
    if (row.result()) {
      names = std::max(names, row.name->minimumSizeHint().width());
      values = std::max(
          values, line + gap + row.symbol->minimumSizeHint().width() + gap + row.explain->minimumSizeHint().width());
    } else if (row.name) {
      least.names = std::max(least.names, row.name->minimumSizeHint().width());
      least.lines = std::max(least.lines, line);
    } else {
      least.alone = std::max(least.alone, line);
    }
  }
  least.alone = std::max(least.alone, names + gap + values);
  return least;
}

QList<QWidget*> InspectorGroup::tabStops() const {
  QList<QWidget*> stops{heading_};
  const auto add = [&](bool detail, bool result) {
    for (const InspectorRow& row : rows_) {
      if (row.detail != detail || row.result() != result) continue;
      QWidget* const whole = result ? row.explain : row.line;
      for (QWidget* one : QList<QWidget*>{whole} + whole->findChildren<QWidget*>()) {
        const bool inner = qobject_cast<QAbstractSpinBox*>(one->parentWidget()) != nullptr;
        const bool here = one->window() == window();  // the list of a choice is a separate window
        if ((one->focusPolicy() & Qt::TabFocus) != 0 && !one->focusProxy() && !inner && here) stops << one;
      }
    }
  };
  for (const bool detail : {false, true}) {
    if (detail && more_) stops << more_;
    add(detail, false);
    add(detail, true);
  }
  return stops;
}

}  // namespace sepx::app
