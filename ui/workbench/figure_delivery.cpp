// SPDX-License-Identifier: Apache-2.0
// See figure_delivery.h.
#include "ui/workbench/figure_delivery.h"

#include "engine/core/file.h"
#include "engine/render/pdf_writer.h"
#include "engine/render/png.h"
#include "engine/render/recipe.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

std::string FigureDelivery::svg() const {
  std::vector<render::PlacedScene> placed;
  for (std::size_t i = 0; i < scenes.size(); ++i)
    placed.push_back({&scenes[i], origins[i]});
  return render::toSvg(placed, page, {title, recipe});
}

std::string FigureDelivery::png() const {
  return render::encodePng(pixels, {{render::kRecipeKey, recipe}});
}

Result<Clip> FigureDelivery::toFile(const std::string& bytes) const {
  return writeFile(request.path, bytes).map([] { return Clip(); });
}

Result<Clip> FigureDelivery::writeCsv() const {
  std::string known;
  for (const Table& one : numbers.tables) {
    if (table.empty() || one.name == table) return toFile(toCsv(one));
    known += (known.empty() ? "" : ", ") + one.name;
  }
  if (known.empty())
    return fail(ErrorKind::CheckFailed, request.path + ": " + tr("there are no tables in this picture"));
  return fail(ErrorKind::Usage,
              request.path + ": " + tr("there is no table of that name in this picture; available: ") + known);
}

Result<Clip> FigureDelivery::write() const {
  switch (format) {
    case FigureFormat::Png:
      return toFile(png());
    case FigureFormat::Svg:
      return toFile(svg());
    case FigureFormat::Pdf: {
      const auto pdf = render::toPdf(svg(), {page.paperWidth, page.paperHeight, title, recipe});
      if (!pdf) return fail(pdf.error().kind, request.path + ": " + pdf.error().message);
      return toFile(*pdf);
    }
    case FigureFormat::Html: {
      const auto html = webPage(web);
      if (!html) return fail(html.error().kind, request.path + ": " + html.error().message);
      return toFile(*html);
    }
    case FigureFormat::Csv:
      return writeCsv();
    case FigureFormat::Npz:
      return writeNpz(numbers, recipe, request.path).map([] { return Clip(); });
    case FigureFormat::Clipboard:
      return Clip{{}, png(), svg()};
    default:
      return fail(ErrorKind::Internal, "a film is not written as one piece");
  }
}

}  // namespace sepx::ui
