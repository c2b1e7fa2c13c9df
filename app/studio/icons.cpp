// SPDX-License-Identifier: Apache-2.0
// See icons.h.
#include "app/studio/icons.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <QApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>

namespace sepx::app {

namespace {

constexpr double kGrid = 16;
constexpr double kStroke = 1.25;
constexpr double kTurn = 6.283185307179586;

class LineIcon final : public QIconEngine {
 public:
  explicit LineIcon(IconDrawing drawing) : drawing_(std::move(drawing)) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
    constexpr auto role = QPalette::WindowText;  // also on the background of a selected row (palette.cpp)
    const double side = std::min(rect.width(), rect.height());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->translate(rect.center().x() + 0.5 - side / 2, rect.center().y() + 0.5 - side / 2);
    painter->scale(side / kGrid, side / kGrid);
    painter->setPen(
        QPen(QApplication::palette().color(group, role), kStroke, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    for (const IconLine& line : drawing_) {
      if (line.size() == 1) {
        painter->drawPoint(line.front());
      } else {
        painter->drawPolyline(line.data(), int(line.size()));
      }
    }
    painter->restore();
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    if (size.isEmpty()) return {};
    QPixmap picture(size);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return picture;
  }

  QIconEngine* clone() const override { return new LineIcon(*this); }

 private:
  IconDrawing drawing_;
};

/// Angles in turns, clockwise from the right.
IconLine arc(QPointF centre, double radius, double from, double to) {
  constexpr int kSteps = 24;
  IconLine line;
  for (int i = 0; i <= kSteps; ++i) {
    const double angle = kTurn * (from + (to - from) * i / kSteps);
    line.emplace_back(centre.x() + radius * std::cos(angle), centre.y() + radius * std::sin(angle));
  }
  return line;
}

IconLine box(double left, double top, double right, double bottom) {
  return {{left, top}, {right, top}, {right, bottom}, {left, bottom}, {left, top}};
}

IconDrawing lens(IconDrawing sign) {
  sign.push_back(arc({7, 7}, 4.75, 0, 1));
  sign.push_back({{10.5, 10.5}, {14, 14}});
  return sign;
}

using Drawings = std::map<std::string, IconDrawing, std::less<>>;

Drawings fileDrawings() {
  const IconLine sheet{{3.5, 1.5}, {9.5, 1.5}, {12.5, 4.5}, {12.5, 14.5}, {3.5, 14.5}, {3.5, 1.5}};
  const IconLine corner{{9.5, 1.5}, {9.5, 4.5}, {12.5, 4.5}};
  return {
      {"file.new", {sheet, corner, {{8, 7}, {8, 11.5}}, {{5.75, 9.25}, {10.25, 9.25}}}},
      {"file.open",
       {{{1.5, 13}, {1.5, 3.5}, {6, 3.5}, {7.5, 5.5}, {12.5, 5.5}, {12.5, 7.5}},
        {{1.5, 13}, {4, 7.5}, {15, 7.5}, {12.5, 13}, {1.5, 13}}}},
      {"file.save",
       {{{2.5, 2.5}, {11.5, 2.5}, {13.5, 4.5}, {13.5, 13.5}, {2.5, 13.5}, {2.5, 2.5}},
        {{5, 2.5}, {5, 6}, {10.5, 6}, {10.5, 2.5}},
        {{4.5, 13.5}, {4.5, 9}, {11.5, 9}, {11.5, 13.5}}}},
      {"file.export",
       {{{8, 10}, {8, 1.75}}, {{4.75, 5}, {8, 1.75}, {11.25, 5}}, {{3, 7.5}, {3, 14}, {13, 14}, {13, 7.5}}}},
      {"edit.undo", {{{5.5, 2.5}, {2.5, 5.5}, {5.5, 8.5}}, {{2.5, 5.5}, {9, 5.5}}, arc({9, 9.25}, 3.75, -0.25, 0.3)}},
      {"edit.redo",
       {{{10.5, 2.5}, {13.5, 5.5}, {10.5, 8.5}}, {{13.5, 5.5}, {7, 5.5}}, arc({7, 9.25}, 3.75, 0.75, 0.2)}},
      {"edit.copy-picture",
       {box(1.5, 3.5, 14.5, 13),
        {{1.5, 11}, {5.5, 7.5}, {8.5, 10.5}, {11, 8.5}, {14.5, 11.5}},
        arc({10.5, 6}, 1, 0, 1)}},
      {"edit.preferences",
       {{{2, 4.5}, {14, 4.5}},
        {{2, 8}, {14, 8}},
        {{2, 11.5}, {14, 11.5}},
        {{5, 3}, {5, 6}},
        {{11, 6.5}, {11, 9.5}},
        {{7, 10}, {7, 13}}}},
  };
}

Drawings viewDrawings() {
  return {
      {"view.reset", {arc({8, 8.5}, 5.25, -0.15, 0.65), {{12.5, 1.75}, {12.5, 5.5}, {8.75, 5.5}}}},
      {"view.start", {{{2, 8}, {8, 2.5}, {14, 8}}, {{3.75, 6.75}, {3.75, 13.5}, {12.25, 13.5}, {12.25, 6.75}}}},
      {"view.zoom-in", lens({{{4.75, 7}, {9.25, 7}}, {{7, 4.75}, {7, 9.25}}})},
      {"view.zoom-out", lens({{{4.75, 7}, {9.25, 7}}})},
      {"view.palette", lens({})},
      {"view.full-screen",
       {{{2, 6}, {2, 2}, {6, 2}},
        {{10, 2}, {14, 2}, {14, 6}},
        {{14, 10}, {14, 14}, {10, 14}},
        {{6, 14}, {2, 14}, {2, 10}}}},
      {"view.split-one", {box(1.5, 2.5, 14.5, 13.5)}},
      {"view.split-two", {box(1.5, 2.5, 14.5, 13.5), {{8, 2.5}, {8, 13.5}}}},
      {"view.split-four", {box(1.5, 2.5, 14.5, 13.5), {{8, 2.5}, {8, 13.5}}, {{1.5, 8}, {14.5, 8}}}},
      {"view.link-cameras",
       {{{6.5, 9.5}, {9.5, 6.5}},
        {{7.5, 5}, {9.5, 3}, {11.25, 2.5}, {13.5, 4.75}, {13, 6.5}, {11, 8.5}},
        {{8.5, 11}, {6.5, 13}, {4.75, 13.5}, {2.5, 11.25}, {3, 9.5}, {5, 7.5}}}},
      {"view.share-limits",
       {box(2, 2, 5.5, 14), {{5.5, 5}, {7.5, 5}}, {{5.5, 11}, {7.5, 11}}, {{14, 5}, {9.5, 5}}, {{14, 11}, {9.5, 11}}}},
      {"play.toggle", {{{4.5, 2.5}, {13, 8}, {4.5, 13.5}, {4.5, 2.5}}}},
      {"add-point", {arc({7, 9}, 4.5, 0, 1), {{7, 7}, {7, 11}}, {{5, 9}, {9, 9}}, {{12, 4}, {14, 2}}}},
      {"delete-point", {arc({8, 8}, 5.5, 0, 1), {{5.5, 8}, {10.5, 8}}}},
      {"help.explain", {arc({8, 8}, 6, 0, 1), {{8, 7.25}, {8, 11.5}}, {{8, 4.75}, {8, 4.8}}}},
      {"help.keys",
       {box(1, 4, 15, 12.5),
        {{4, 6.75}, {4.3, 6.75}},
        {{7.85, 6.75}, {8.15, 6.75}},
        {{11.7, 6.75}, {12, 6.75}},
        {{5, 10}, {11, 10}}}},
      {"window.library",
       {box(1.5, 2.5, 14.5, 13.5), {{5.5, 2.5}, {5.5, 13.5}}, {{2.8, 5}, {4.2, 5}}, {{2.8, 7.5}, {4.2, 7.5}}}},
      {"window.inspector",
       {box(1.5, 2.5, 14.5, 13.5), {{10, 2.5}, {10, 13.5}}, {{11.3, 5}, {13.2, 5}}, {{11.3, 7.5}, {13.2, 7.5}}}},
      {"jobs.cancel", {{{4, 4}, {12, 12}}, {{12, 4}, {4, 12}}}},
      {"jobs.cancel-page", {arc({8, 8}, 6, 0, 1), box(5.75, 5.75, 10.25, 10.25)}},
  };
}

Drawings kindDrawings() {
  return {
      {"lesson", {{{8, 4}, {2, 2.75}, {2, 12}, {8, 13.25}, {14, 12}, {14, 2.75}, {8, 4}, {8, 13.25}}}},
      {"playing", {{{4.5, 2.5}, {13, 8}, {4.5, 13.5}, {4.5, 2.5}}, {{6, 5.5}, {10, 8}, {6, 10.5}}}},
      {"model",
       {{{8, 1.5}, {14, 4.75}, {14, 11.25}, {8, 14.5}, {2, 11.25}, {2, 4.75}, {8, 1.5}},
        {{2, 4.75}, {8, 8}, {14, 4.75}},
        {{8, 8}, {8, 14.5}}}},
      {"layer", {{{8, 4}, {14, 7}, {8, 10}, {2, 7}, {8, 4}}, {{2, 10}, {8, 13}, {14, 10}}}},
      {"run", {{{2, 2}, {2, 14}, {14, 14}}, {{4, 4}, {6, 9}, {9, 11}, {14, 12}}}},
      {"session",
       {{{3.5, 1.5}, {9.5, 1.5}, {12.5, 4.5}, {12.5, 14.5}, {3.5, 14.5}, {3.5, 1.5}},
        {{9.5, 1.5}, {9.5, 4.5}, {12.5, 4.5}}}},
  };
}

}  // namespace

QIcon lineIcon(IconDrawing drawing) {
  return QIcon(new LineIcon(std::move(drawing)));
}

QIcon commandIcon(std::string_view command) {
  static const Drawings all = [] {
    Drawings both = fileDrawings();
    both.merge(viewDrawings());
    return both;
  }();
  auto found = all.find(command);
  // Commands of an exhibit begin with its name.
  if (found == all.end()) found = all.find(command.substr(command.find('.') + 1));
  return found == all.end() ? QIcon() : lineIcon(found->second);
}

QIcon kindIcon(std::string_view kind) {
  static const Drawings all = kindDrawings();
  const auto found = all.find(kind);
  return lineIcon(found == all.end() ? all.at("session") : found->second);
}

}  // namespace sepx::app
