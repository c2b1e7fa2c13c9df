// SPDX-License-Identifier: Apache-2.0
// See export_dialog.h. The preview is in export_preview.cpp.
#include "app/studio/export_dialog.h"

#include <algorithm>
#include <cmath>

#include "app/studio/fields.h"
#include "app/studio/figure_path.h"
#include "app/studio/text.h"
#include "ui/canvas/theme.h"
#include "ui/page/exhibit.h"
#include "ui/properties/tr.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace sepx::app {

namespace {

constexpr const char* kKept = "studio.export";
constexpr const char* kOwnSize = "custom";
constexpr double kMillimetres = 25.4 / 72;  // per point
constexpr double kDotsPerInch = 72;         // at one pixel per point

QString keyOf(const QComboBox* box) {
  return box->currentData().toString();
}

void choose(QComboBox* box, const QString& key) {
  if (const int at = box->findData(key); at >= 0) box->setCurrentIndex(at);
}

}  // namespace

ExportDialog::ExportDialog(const ui::Workbench& workbench, ui::Settings& settings, ui::FigureRequest asShown,
                           QWidget* parent)
    : QDialog(parent), workbench_(workbench), settings_(settings), asShown_(std::move(asShown)) {
  setObjectName(QStringLiteral("export"));
  setWindowTitle(text(N_("Export figure")));
  auto* across = new QHBoxLayout;
  preview_ = new QLabel;
  preview_->setObjectName(QStringLiteral("export.preview"));
  preview_->setAccessibleName(text(N_("Preview of the figure")));
  preview_->setAlignment(Qt::AlignCenter);
  preview_->setWordWrap(true);
  preview_->setFrameShape(QFrame::StyledPanel);
  const int unit = fontMetrics().height();
  // Fits beside the fields inside the window below, even if that window is small for its type size.
  const QSize room = parent ? parent->size() : QSize(100 * unit, 100 * unit);
  preview_->setMinimumSize(std::min(26 * unit, room.width() * 2 / 5), std::min(20 * unit, room.height() * 3 / 5));
  auto* picture = new QVBoxLayout;
  picture->addWidget(preview_, 1);
  remark_ = new QLabel;
  remark_->setObjectName(QStringLiteral("export.remark"));
  remark_->setAccessibleName(text(N_("What the figure lacks")));
  remark_->setWordWrap(true);
  remark_->hide();
  picture->addWidget(remark_);
  across->addLayout(picture, 1);
  auto* side = new QVBoxLayout;
  auto* form = makeForm();
  addFormat(form);
  addViews(form);
  addSize(form);
  addLook(form);
  addFilm(form);
  addPage(form);
  side->addLayout(form);
  side->addStretch(1);
  across->addLayout(side);
  auto* column = new QVBoxLayout(this);
  column->addLayout(across, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  buttons->button(QDialogButtonBox::Cancel)->setText(text(N_("Cancel")));
  auto* go = buttons->addButton(text(N_("Export…")), QDialogButtonBox::AcceptRole);
  go->setObjectName(QStringLiteral("export.go"));
  go->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  column->addWidget(buttons);
  due_.setSingleShot(true);
  connect(&due_, &QTimer::timeout, this, &ExportDialog::startPreview);
  connect(&stepping_, &QTimer::timeout, this, &ExportDialog::stepPreview);
  recall();
  refresh();
}

ExportDialog::~ExportDialog() = default;

QComboBox* ExportDialog::addChoice(QGridLayout* form, const char* name, const char* label) {
  auto* box = new QComboBox;
  box->setObjectName(QString::fromLatin1("export.") + QString::fromLatin1(name));
  QLabel* beside = placeField(form, box, QString());
  nameField(box, beside, text(label));
  connect(box, &QComboBox::activated, this, &ExportDialog::refresh);
  return box;
}

QDoubleSpinBox* ExportDialog::addNumber(QGridLayout* form, const char* name, const char* label, double min, double max,
                                        int digits) {
  auto* box = new QDoubleSpinBox;
  box->setObjectName(QString::fromLatin1("export.") + QString::fromLatin1(name));
  box->setLocale(QLocale::c());
  box->setRange(min, max);
  box->setDecimals(digits);
  box->setKeyboardTracking(false);
  QLabel* beside = placeField(form, box, QString());
  nameField(box, beside, text(label));
  connect(box, &QDoubleSpinBox::valueChanged, this, &ExportDialog::refresh);
  return box;
}

void ExportDialog::addFormat(QGridLayout* form) {
  format_ = addChoice(form, "format", N_("Format"));
  for (const FigureFormatChoice& one : kFigureFormats)
    format_->addItem(text(one.label), QString::fromLatin1(one.key));
  table_ = addChoice(form, "table", N_("Table"));
  for (const Table& table : workbench_.exhibit(workbench_.activePane()).numbers().tables) {
    const QString words = text(N_("%1 (%2 rows)")).arg(QString::fromStdString(table.name)).arg(table.rows());
    table_->addItem(words, QString::fromStdString(table.name));
  }
  pane_ = addChoice(form, "pane", N_("Pane"));
  const int panes = workbench_.panes();
  if (panes > 1) pane_->addItem(text(N_("All panes")), 0);
  for (int pane = 1; pane <= panes; ++pane)
    pane_->addItem(QString::number(pane) + u' ' + QString::fromStdString(workbench_.exhibit(pane).title()), pane);
}

/// One check box for each view that can be a panel, in the order of the pages; if none is checked, whole pages are
/// exported. The views that were checked last on a page are checked again.
void ExportDialog::addViews(QGridLayout* form) {
  views_ = new QScrollArea;
  views_->setObjectName(QStringLiteral("export.views"));
  views_->setFrameShape(QFrame::NoFrame);
  views_->setWidgetResizable(true);
  views_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  views_->setFocusPolicy(Qt::NoFocus);  // the check boxes take the focus
  QLabel* beside = placeField(form, views_, QString());
  nameField(views_, beside, text(N_("Panels")));
  if (beside) beside->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  views_->setToolTip(text(N_("Checked views become panels (a), (b), … of one size. None checked: the page as it is.")));
  listViews();
  connect(pane_, &QComboBox::activated, this, &ExportDialog::listViews);
}

void ExportDialog::listViews() {
  constexpr int kMostRows = 6;
  auto* list = new QWidget;
  auto* column = new QVBoxLayout(list);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  panels_.clear();
  const int only = pane_->currentData().toInt();
  for (int pane = 1; pane <= workbench_.panes(); ++pane) {
    if (only > 0 && pane != only) continue;
    for (const ui::FigurePanel& panel : workbench_.exhibit(pane).panels()) {
      const QString label = QString::fromStdString(panel.label).replace(u'&', QStringLiteral("&&"));
      const bool several = only == 0 && workbench_.panes() > 1;
      auto* box = new QCheckBox(several ? text(N_("%1 (pane %2)")).arg(label).arg(pane) : label);
      box->setObjectName(QString::fromStdString("export.view." + ui::panelName(workbench_, pane, panel)));
      box->setProperty("view", QString::fromStdString(ui::panelName(workbench_, pane, panel)));
      const QString name =
          QString::fromStdString(panel.name) + (pane > 1 ? QStringLiteral("@%1").arg(pane) : QString());
      box->setChecked(checked_.contains(name));
      connect(box, &QCheckBox::toggled, this, [this, name](bool on) {
        checked_.removeAll(name);
        if (on) checked_.append(name);
        fitHeight();
        refresh();
      });
      column->addWidget(box);
      panels_.push_back(box);
    }
  }
  const int rows = std::max(1, static_cast<int>(panels_.size()));
  const int high = list->sizeHint().height();
  views_->setWidget(list);
  views_->setFixedHeight(rows <= kMostRows ? high : kMostRows * high / rows);
}

std::vector<std::string> ExportDialog::chosenViews() const {
  std::vector<std::string> chosen;
  for (const QCheckBox* box : panels_)
    if (box->isChecked()) chosen.push_back(box->property("view").toString().toStdString());
  return chosen;
}

/// Adapts the height to the panels if the size is a preset for papers: each panel has the shape of a chart.
void ExportDialog::fitHeight() {
  const QString key = keyOf(preset_);
  if (key == QLatin1String(kOwnSize) || key == QLatin1String("slide")) return;
  takePreset();
}

void ExportDialog::addSize(QGridLayout* form) {
  preset_ = addChoice(form, "preset", N_("Size"));
  for (const auto& preset : ui::figurePresets())
    preset_->addItem(text(preset.label), QString::fromStdString(preset.key));
  preset_->addItem(text(N_("Custom size")), QString::fromLatin1(kOwnSize));
  connect(preset_, &QComboBox::activated, this, &ExportDialog::takePreset);
  constexpr double kLeast = 36, kMost = 14400;  // points
  width_ = addNumber(form, "width", N_("Width"), kLeast, kMost, 1);
  height_ = addNumber(form, "height", N_("Height"), kLeast, kMost, 1);
  for (auto* box : {width_, height_}) {
    box->setSuffix(QStringLiteral(" pt"));
    connect(box, &QDoubleSpinBox::valueChanged, this, [this] { choose(preset_, QString::fromLatin1(kOwnSize)); });
  }
  scale_ = addNumber(form, "scale", N_("Pixels per point"), 0.25, 20, 2);
  scale_->setValue(4);
  size_ = new QLabel;
  size_->setObjectName(QStringLiteral("export.size"));
  size_->setProperty("role", "name");
  size_->setAccessibleName(text(N_("Size of the figure")));
  form->addWidget(size_, form->rowCount(), 1);
  textSize_ = addNumber(form, "text", N_("Text size"), 0, 72, 1);
  textSize_->setSuffix(QStringLiteral(" pt"));
  textSize_->setSpecialValueText(text(N_("from the theme")));
}

void ExportDialog::addLook(QGridLayout* form) {
  theme_ = addChoice(form, "theme", N_("Theme"));
  for (const std::string& key : ui::themeKeys()) {
    const ui::Theme* theme = ui::findTheme(key);
    theme_->addItem(theme && !theme->name.empty() ? text(theme->name) : QString::fromStdString(key),
                    QString::fromStdString(key));
  }
  const auto addToggle = [this, form](const char* name, const char* label) {
    auto* box = new QCheckBox;
    box->setObjectName(QString::fromLatin1("export.") + QString::fromLatin1(name));
    placeField(form, box, QString());
    nameField(box, nullptr, text(label));
    box->setChecked(true);
    connect(box, &QCheckBox::toggled, this, &ExportDialog::refresh);
    return box;
  };
  legend_ = addToggle("legend", N_("Legend"));
  caption_ = addToggle("caption", N_("Caption below"));
  part_ = addToggle("part", N_("The part of charts that is shown"));
  for (int pane = 1; pane <= workbench_.panes(); ++pane)
    zoomed_ = zoomed_ || !workbench_.exhibit(pane).chartParts().empty();
}

void ExportDialog::addFilm(QGridLayout* form) {
  seconds_ = addNumber(form, "seconds", N_("Length"), 0, 3600, 1);
  seconds_->setSuffix(QStringLiteral(" s"));
  seconds_->setSpecialValueText(text(N_("whole playback")));
  rate_ = addNumber(form, "rate", N_("Frames per second"), 1, 120, 0);
  rate_->setValue(30);
}

void ExportDialog::recall() {
  const auto setting = [this](const char* key) { return QString::fromStdString(ui::toString(settings_.get(key))); };
  choose(theme_, setting("settings.figure.theme"));
  caption_->setChecked(ui::isTrue(settings_.get("settings.figure.caption")));
  choose(preset_, setting("settings.figure.preset"));
  // Several panes side by side do not fit in one column.
  if (workbench_.panes() > 1 && keyOf(preset_) == QLatin1String("single-column"))
    choose(preset_, QStringLiteral("double-column"));
  takePreset();
  const QJsonObject kept = QJsonDocument::fromJson(QByteArray::fromStdString(settings_.kept(kKept))).object();
  for (const QJsonValue& name : kept.value(QStringLiteral("views")).toArray())
    if (name.isString()) checked_.append(name.toString());
  listViews();
  choose(format_, kept.value(QStringLiteral("format")).toString());
  scale_->setValue(kept.value(QStringLiteral("scale")).toDouble(scale_->value()));
  legend_->setChecked(kept.value(QStringLiteral("legend")).toBool(true));
  rate_->setValue(kept.value(QStringLiteral("rate")).toDouble(rate_->value()));
  if (kept.value(QStringLiteral("preset")).toString() == QLatin1String(kOwnSize)) {
    width_->setValue(kept.value(QStringLiteral("width")).toDouble(width_->value()));
    height_->setValue(kept.value(QStringLiteral("height")).toDouble(height_->value()));
    textSize_->setValue(kept.value(QStringLiteral("text")).toDouble(textSize_->value()));
    choose(preset_, QString::fromLatin1(kOwnSize));
  }
  fitHeight();
}

void ExportDialog::remember() {
  constexpr qsizetype kMostNames = 100;
  const QJsonObject kept{
      {QStringLiteral("format"), keyOf(format_)},
      {QStringLiteral("scale"), scale_->value()},
      {QStringLiteral("legend"), legend_->isChecked()},
      {QStringLiteral("rate"), rate_->value()},
      {QStringLiteral("preset"), keyOf(preset_)},
      {QStringLiteral("width"), width_->value()},
      {QStringLiteral("height"), height_->value()},
      {QStringLiteral("text"), textSize_->value()},
      {QStringLiteral("views"),
       QJsonArray::fromStringList(checked_.mid(std::max(qsizetype(0), checked_.size() - kMostNames)))}};
  settings_.keep(kKept, QJsonDocument(kept).toJson(QJsonDocument::Compact).toStdString());
  // A setting that cannot be stored still applies until the program ends. The export matters more than a message about
  // that.
  const auto set = [this](const char* key, const ui::Value& value) {
    static_cast<void>(settings_.set(key, value, ui::OnFailure::Ignore));
  };
  set("settings.figure.theme", keyOf(theme_).toStdString());
  set("settings.figure.caption", caption_->isChecked());
  if (keyOf(preset_) != QLatin1String(kOwnSize)) set("settings.figure.preset", keyOf(preset_).toStdString());
}

void ExportDialog::takePreset() {
  const std::string key = keyOf(preset_).toStdString();
  for (const auto& preset : ui::figurePresets()) {
    if (preset.key != key) continue;
    const QSignalBlocker quiet[]{QSignalBlocker(width_), QSignalBlocker(height_), QSignalBlocker(textSize_)};
    const bool window = preset.width <= 0;
    width_->setValue(window ? asShown_.width : preset.width);
    height_->setValue(window ? asShown_.height : preset.height);
    textSize_->setValue(preset.textSize);
    if (const std::size_t panels = chosenViews().size(); panels > 0 && preset.key != "slide" && !window)
      height_->setValue(ui::heightOfPanels(request(), panels));
  }
  refresh();
}

int ExportDialog::shownPane() const {
  const int pane = pane_->currentData().toInt();
  return pane > 0 ? pane : workbench_.activePane();
}

std::string ExportDialog::format() const {
  return keyOf(format_).toStdString();
}

QString ExportDialog::suffix() const {
  const QString key = keyOf(format_);
  if (key == QLatin1String("frames")) return QStringLiteral("/");
  if (key == QLatin1String("csv") && table_->currentIndex() > 0) return u'.' + keyOf(table_) + QStringLiteral(".csv");
  return u'.' + key;
}

ui::FigureRequest ExportDialog::request() const {
  ui::FigureRequest request;
  request.width = width_->value();
  request.height = height_->value();
  request.textSize = textSize_->value();
  request.scale = scale_->value();
  request.theme = keyOf(theme_).toStdString();
  request.pane = pane_->currentData().toInt();
  request.legend = legend_->isChecked();
  request.caption = caption_->isChecked();
  request.views = chosenViews();
  request.part = part_->isChecked();
  request.seconds = seconds_->value();
  request.framesPerSecond = rate_->value();
  if (format() != "html") return request;
  request.lesson = workbench_.lesson() && lesson_->isChecked();
  if (!request.lesson) request.sweep = sweep();
  return request;
}

void ExportDialog::setRowShown(QWidget* field, bool shown) {
  field->setVisible(shown);
  for (auto* label : findChildren<QLabel*>()) {
    if (label->buddy() == field) label->setVisible(shown);
  }
}

void ExportDialog::refresh() {
  if (!pictures_) return;  // while the fields are being made
  const std::string key = format();
  const bool film = key == "mp4" || key == "webm" || key == "frames";
  const bool numbers = key == "csv" || key == "npz";
  const bool pixels = key == "png" || film;
  setRowShown(table_, key == "csv");
  setRowShown(pane_, workbench_.panes() > 1);
  for (QWidget* field : std::initializer_list<QWidget*>{preset_, width_, height_, textSize_, theme_, legend_})
    setRowShown(field, !numbers);
  setRowShown(caption_, !numbers && !film);
  setRowShown(views_, !numbers && !panels_.empty());
  setRowShown(part_, !numbers && zoomed_);
  setRowShown(scale_, pixels);
  size_->setVisible(!numbers);
  setRowShown(seconds_, film);
  setRowShown(rate_, film);
  showPageFields(key == "html");
  describeSize();
  maker_.reset();
  stepping_.stop();
  remark_->hide();
  if (numbers) return describeNumbers();
  constexpr int kRestMs = 300;  // until the user has finished changing values
  due_.start(kRestMs);
}

void ExportDialog::describeSize() {
  const bool pixels = scale_->isVisibleTo(this);
  QString words = text(N_("%1 × %2 mm"))
                      .arg(width_->value() * kMillimetres, 0, 'f', 0)
                      .arg(height_->value() * kMillimetres, 0, 'f', 0);
  if (pixels) {
    words = text(N_("%1 × %2 pixels, %3 dpi"))
                .arg(std::lround(width_->value() * scale_->value()))
                .arg(std::lround(height_->value() * scale_->value()))
                .arg(std::lround(kDotsPerInch * scale_->value()));
  }
  size_->setText(words);
}

}  // namespace sepx::app
