// SPDX-License-Identifier: Apache-2.0
// See model_rows.h.
#include "app/studio/model_rows.h"
#include "app/studio/icons.h"
#include "app/studio/text.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/number.h"
#include "ui/exhibits/model_name.h"

#include <QFileInfo>
#include <QPainter>
#include <QPainterPath>
#include <QStyledItemDelegate>
#include <QTreeWidget>

namespace sepx::app {

namespace {

constexpr int kSparkRole = Qt::UserRole + 1;
constexpr double kSparkMargin = 3;  // points
constexpr int kDigits = 2;

/// Draws values from -1 to 1 as lines across the cell, with a faint zero line.
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
    painter->setPen(QPen(option.palette.color(QPalette::Link), 1.5));
    painter->drawPath(line);
    painter->restore();
  }
};

}  // namespace

QString modelWords(const std::string& path, const std::string& assets) {
  QString name = QString::fromStdString(ui::modelName(path, assets));
  const QString shipped = QFileInfo(QString::fromStdString(assets) + QStringLiteral("/models")).canonicalFilePath();
  const QString file = QFileInfo(QString::fromStdString(path)).canonicalFilePath();
  if (assets.empty() || shipped.isEmpty() || !file.startsWith(shipped + u'/') || name.isEmpty()) return name;
  name[0] = name[0].toUpper();
  return text(N_("%1 (bundled)")).arg(name);
}

void drawSparkLines(QTreeWidget* list) {
  list->setItemDelegateForColumn(1, new SparkDelegate(list));
}

ModelRows::ModelRows(ui::Workbench& workbench, QTreeWidgetItem* group) : workbench_(workbench), group_(group) {}

void ModelRows::fill(QTreeWidgetItem* row, const ui::ModelTree::Row& from) const {
  const QString name = QString::fromStdString(from.name);
  QString number = from.value ? QString::fromStdString(formatFixed(*from.value, kDigits)) : QStringLiteral("–");
  row->setText(0, name);
  row->setText(1, number.replace(u'-', u'−'));
  row->setIcon(0, kindIcon("layer"));
  row->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
  for (const int column : {0, 1})
    row->setToolTip(column, QStringLiteral("%1: %2 = %3").arg(name, QString::fromStdString(shown_.measure), number));
  QFont font = row->font(0);
  font.setBold(from.chosen);
  row->setFont(0, font);
  row->setFont(1, font);
}

QString ModelRows::name() const {
  const std::string& assets = workbench_.options().assets;
  const ui::Document& document = workbench_.paneDocument();
  const auto keys = workbench_.exhibit(workbench_.activePane()).checkpoints(document);
  const ui::Json* const path = keys ? &document.at(keys->key) : nullptr;
  // A document without a file name shows a model that ships with the program.
  if (!path || !path->is_string() || path->get_ref<const std::string&>().empty())
    return modelWords(assets + "/models/" + shown_.title, assets);
  return modelWords(path->get<std::string>(), assets);
}

void ModelRows::refresh() {
  ui::ModelTree now = workbench_.exhibit(workbench_.activePane()).modelTree();
  if (now == shown_) return;
  const bool other = now.title != shown_.title;
  shown_ = std::move(now);
  // The numbers have their own heading beside that of the models.
  group_->setText(1, QString::fromStdString(shown_.rows.empty() ? std::string() : shown_.measure));
  group_->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
  group_->setToolTip(1, QString::fromStdString(shown_.about));
  if (shown_.title.empty()) {
    delete std::exchange(model_, nullptr);
    return;
  }
  if (!model_) {
    model_ = new QTreeWidgetItem;
    model_->setIcon(0, kindIcon("model"));
    group_->insertChild(0, model_);
  }
  if (other) model_->setExpanded(true);
  model_->setText(0, name());
  QVariantList spark;
  while (model_->childCount() > int(shown_.rows.size()))
    delete model_->takeChild(model_->childCount() - 1);
  for (std::size_t i = 0; i < shown_.rows.size(); ++i) {
    if (model_->childCount() <= int(i)) new QTreeWidgetItem(model_);
    fill(model_->child(int(i)), shown_.rows[i]);
    spark << shown_.rows[i].value.value_or(std::numeric_limits<double>::quiet_NaN());
  }
  model_->setData(1, kSparkRole, spark);
  model_->setToolTip(0, model_->text(0));
  model_->setToolTip(1, QString::fromStdString(shown_.about));
}

bool ModelRows::activate(QTreeWidgetItem* item) {
  if (!model_ || (item != model_ && item->parent() != model_)) return false;
  if (item == model_) return true;
  const int row = model_->indexOfChild(item);
  if (row < 0 || row >= int(shown_.rows.size())) return true;
  for (const auto& [key, value] : shown_.rows[std::size_t(row)].shows)
    static_cast<void>(workbench_.set(workbench_.inPane(key, workbench_.activePane()), value, "library"));
  workbench_.seal();
  return true;
}

}  // namespace sepx::app
