// SPDX-License-Identifier: Apache-2.0
// The user's preferences, as fields made from Settings::properties(). Each change takes effect and is stored at once;
// there is nothing to confirm. GUI thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/studio/fields.h"
#include "ui/workbench/settings.h"

#include <QDialog>

class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace sepx::app {

class Preferences final : public QDialog {
  Q_OBJECT

 public:
  /// `settings` must outlive the dialog.
  explicit Preferences(ui::Settings& settings, QWidget* parent = nullptr);
  /// Call after a frame: shows why settings could not be stored, unless another message is shown.
  void showUnsaved();

 signals:
  /// A setting has another value now.
  void changed();

 protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Row {
    Field field;
    QLabel* name = nullptr;
    QString label;
  };
  void addGroup(QVBoxLayout* column, const char* title, const std::vector<std::string>& keys);
  void addRow(QGridLayout* form, const ui::Property& property);
  bool set(const std::string& key, const ui::Value& value);
  void say(const std::string& sentence);
  void restoreDefaults();
  void fit();
  void refresh();

  ui::Settings& settings_;
  std::vector<Row> rows_;
  QScrollArea* scroll_ = nullptr;
  QLabel* refused_ = nullptr;  ///< why the last value was rejected, or not stored
  bool placed_ = false;        ///< it was placed on the screen
};

}  // namespace sepx::app
