// SPDX-License-Identifier: Apache-2.0
#include "engine/render/scene.h"

namespace sepx::render {

Point toPage(const Scene& scene, Point data) {
  const Rect& plot = scene.plot;
  const Rect& window = scene.window;
  return {plot.min.x + (data.x - window.min.x) / window.width() * plot.width(),
          plot.max.y - (data.y - window.min.y) / window.height() * plot.height()};
}

Point toData(const Scene& scene, Point page) {
  const Rect& plot = scene.plot;
  const Rect& window = scene.window;
  return {window.min.x + (page.x - plot.min.x) / plot.width() * window.width(),
          window.min.y + (plot.max.y - page.y) / plot.height() * window.height()};
}

}  // namespace sepx::render
