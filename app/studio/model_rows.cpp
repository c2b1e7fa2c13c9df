// SPDX-License-Identifier: Apache-2.0
// See model_rows.h.
#include "app/studio/model_rows.h"
#include "app/studio/text.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/number.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

#include <QPainter>
#include <QPainterPath>
#include <QStyledItemDelegate>
#include <QTreeWidget>

namespace sepx::app {

namespace {

constexpr int kStackRole = Qt::UserRole + 1, kLayerRole = Qt::UserRole + 2, kSparkRole = Qt::UserRole + 3;
constexpr double kMostLayers = 1000;
constexpr double kSparkMargin = 3;  // points
constexpr int kDigits = 2;

double number(const ui::Value& value) {
  const auto* real = std::get_if<double>(&value);
  return real ? *real : std::numeric_limits<double>::quiet_NaN();
}

/// Lines from -1 to 1 across the cell, the zero line faint.
class SparkDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    const QVariantList values = index.data(kSparkRole).toList();
    if (values.size() < 2) return;
    const QRectF box = QRectF(option.rect).adjusted(kSparkMargin, kSparkMargin, -kSparkMargin, -kSparkMargin);
    const auto at = [&](qsizetype i, double value) {
      const double x = box.left() + box.width() * double(i) / double(values.size() - 1);
      return QPointF(x, box.center().y() - std::clamp(value, -1.0, 1.0) * box.height() / 2);
    };
    QPainterPath line;
    bool pen = false;
    for (qsizetype i = 0; i < values.size(); ++i) {
      const double value = values[i].toDouble();
      if (!std::isfinite(value)) {
        pen = false;
        continue;
      }
      pen ? line.lineTo(at(i, value)) : line.moveTo(at(i, value));
      pen = true;
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    QColor faint = option.palette.color(QPalette::Text);
    faint.setAlphaF(0.25f);
    painter->setPen(QPen(faint, 1));
    painter->drawLine(at(0, 0), at(values.size() - 1, 0));
    painter->setPen(QPen(option.palette.color(QPalette::Highlight), 1.5));
    painter->drawPath(line);
    painter->restore();
  }
};

}  // namespace

void drawSparkLines(QTreeWidget* list) {
  list->setItemDelegateForColumn(1, new SparkDelegate(list));
}

ModelRows::ModelRows(ui::Workbench& workbench, QTreeWidgetItem* group) : workbench_(workbench), group_(group) {}

ui::Value ModelRows::value(const std::string& key) const {
  return workbench_.get(workbench_.inPane(key, workbench_.activePane())).value_or(ui::Value());
}

ModelRows::Shown ModelRows::read() const {
  Shown now;
  if (workbench_.exhibitKey() != "weights") return now;
  now.model = ui::toString(value("weights.model"));
  now.stack = ui::toString(value("weights.stack"));
  now.layer = number(value("weights.layer"));
  const double count = number(value("weights.board.count"));
  for (int i = 0; i < std::min(count, kMostLayers); ++i) {
    const std::string at = "weights.board[" + std::to_string(i) + "].";
    now.layers.push_back({ui::toString(value(at + "stack")), number(value(at + "layer")), value(at + "symmetry")});
  }
  return now;
}

void ModelRows::fill(QTreeWidgetItem* row, const Layer& from, bool chosen) const {
  QString name = text(N_("layer %1")).arg(int(from.layer));
  if (from.stack != "self") name = QString::fromStdString(from.stack) + QStringLiteral(", ") + name;
  const double s = number(from.symmetry);
  row->setText(0, name);
  row->setText(1, std::isfinite(s) ? QString::fromStdString(formatFixed(s, kDigits)) : QStringLiteral("–"));
  row->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
  row->setToolTip(0, text(N_("%1: symmetry s = %2")).arg(name, row->text(1)));
  row->setData(0, kStackRole, QString::fromStdString(from.stack));
  row->setData(0, kLayerRole, from.layer);
  QFont font = row->font(0);
  font.setBold(chosen);
  row->setFont(0, font);
  row->setFont(1, font);
}

void ModelRows::refresh() {
  Shown now = read();
  if (now == shown_) return;
  const bool other = now.model != shown_.model;
  shown_ = std::move(now);
  if (shown_.model.empty()) {
    delete std::exchange(model_, nullptr);
    return;
  }
  if (!model_) {
    model_ = new QTreeWidgetItem;
    group_->insertChild(0, model_);
  }
  if (other) model_->setExpanded(true);
  model_->setText(0, QString::fromStdString(shown_.model));
  QVariantList spark;
  while (model_->childCount() > int(shown_.layers.size()))
    delete model_->takeChild(model_->childCount() - 1);
  for (std::size_t i = 0; i < shown_.layers.size(); ++i) {
    const Layer& layer = shown_.layers[i];
    if (model_->childCount() <= int(i)) new QTreeWidgetItem(model_);
    fill(model_->child(int(i)), layer, layer.stack == shown_.stack && layer.layer == shown_.layer);
    spark << number(layer.symmetry);
  }
  model_->setData(1, kSparkRole, spark);
  model_->setToolTip(0, model_->text(0));
  model_->setToolTip(1, text(N_("Symmetry s by layer, from -1 to 1")));
}

bool ModelRows::activate(QTreeWidgetItem* item) {
  if (!model_ || (item != model_ && item->parent() != model_)) return false;
  if (item == model_) return true;
  const int pane = workbench_.activePane();
  const std::string group = "library";
  const std::string stack = item->data(0, kStackRole).toString().toStdString();
  static_cast<void>(workbench_.set(workbench_.inPane("weights.stack", pane), stack, group));
  static_cast<void>(
      workbench_.set(workbench_.inPane("weights.layer", pane), item->data(0, kLayerRole).toDouble(), group));
  workbench_.seal();
  return true;
}

}  // namespace sepx::app
