// SPDX-License-Identifier: Apache-2.0
#include "engine/render/pdf_writer.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#define POINTERHOLDER_TRANSITION 4  // qpdf: std::shared_ptr throughout
#include <cairo-pdf.h>
#include <cairo.h>
#include <fmt/format.h>
#include <librsvg/rsvg.h>
#include <qpdf/Buffer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFWriter.hh>

#include "engine/core/resource_limits.h"
#include "engine/core/try.h"
#include "engine/render/recipe.h"
#include "engine/render/svg_text.h"

namespace sepx::render {

namespace {

struct Unref {
  void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
};

/// Does not throw: its callers, cairo and librsvg, do not handle exceptions and would continue with a part of the file.
cairo_status_t append(void* closure, const unsigned char* data, unsigned length) noexcept {
  try {
    static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
  } catch (const std::bad_alloc&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
}

tl::unexpected<Error> notMade(const std::string& why) {
  return fail(ErrorKind::Internal, fmt::format("the PDF could not be created: {}", why));
}

Result<std::string> draw(const std::string& svg, const PdfOptions& options) {
  const std::unique_ptr<GInputStream, decltype(&g_object_unref)> stream(
      g_memory_input_stream_new_from_data(svg.data(), static_cast<gssize>(svg.size()), nullptr), &g_object_unref);
  GError* error = nullptr;
  // Unlimited: an embedded picture exceeds libxml2's limit for untrusted documents, and this document was made by this
  // program.
  const std::unique_ptr<RsvgHandle, Unref> handle(
      rsvg_handle_new_from_stream_sync(stream.get(), nullptr, RSVG_HANDLE_FLAG_UNLIMITED, nullptr, &error));
  const auto failed = [&error] {
    const std::string why = error ? error->message : "unknown reason";
    g_clear_error(&error);
    return notMade(why);
  };
  if (!handle) return failed();
  std::string out;
  const std::unique_ptr<cairo_surface_t, Unref> surface(
      cairo_pdf_surface_create_for_stream(&append, &out, options.width, options.height));
  const std::unique_ptr<cairo_t, Unref> cairo(cairo_create(surface.get()));
  const RsvgRectangle page{0, 0, options.width, options.height};
  if (!rsvg_handle_render_document(handle.get(), cairo.get(), &page, &error)) return failed();
  cairo_show_page(cairo.get());
  cairo_surface_finish(surface.get());
  const cairo_status_t status = cairo_surface_status(surface.get());
  if (status != CAIRO_STATUS_SUCCESS) return notMade(cairo_status_to_string(status));
  return out;
}

std::string xmp(const PdfOptions& options) {
  std::string text =
      "<?xpacket begin=\"\xEF\xBB\xBF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
      "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
      "xmlns:separatrix=\"urn:separatrix:\">\n";
  text += "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">" + svg::escaped(options.title) +
          "</rdf:li></rdf:Alt></dc:title>\n";
  if (!options.recipe.empty())
    text += fmt::format("<separatrix:{0}>{1}</separatrix:{0}>\n", kRecipeKey, svg::escaped(options.recipe));
  return text + "</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end=\"w\"?>";
}

/// If qpdf has no memory to read an object, it treats the object as damaged: it adds a warning and continues with null
/// in its place. Finds such a warning.
bool ranOutOfMemory(QPDF& pdf) {
  const std::string why = std::bad_alloc().what();
  const std::vector<QPDFExc> warnings = pdf.getWarnings();
  return std::any_of(warnings.begin(), warnings.end(), [&](const QPDFExc& one) {  // C++17 under clang: no ranges
    return std::string_view(one.what()).find(why) != std::string_view::npos;
  });
}

Result<std::string> withMetadata(const std::string& drawn, const PdfOptions& options) {
  QPDF pdf;
  pdf.setSuppressWarnings(true);  // cairo repeats a picture that is used twice in one dictionary
  pdf.processMemoryFile("figure", drawn.data(), drawn.size());
  QPDFObjectHandle metadata = QPDFObjectHandle::newStream(&pdf, xmp(options));
  metadata.getDict().replaceKey("/Type", QPDFObjectHandle::newName("/Metadata"));
  metadata.getDict().replaceKey("/Subtype", QPDFObjectHandle::newName("/XML"));
  pdf.getRoot().replaceKey("/Metadata", pdf.makeIndirectObject(metadata));
  QPDFObjectHandle info = QPDFObjectHandle::newDictionary();  // without cairo's dates
  info.replaceKey("/Title", QPDFObjectHandle::newUnicodeString(options.title));
  info.replaceKey("/Creator", QPDFObjectHandle::newUnicodeString("Separatrix"));
  pdf.getTrailer().replaceKey("/Info", pdf.makeIndirectObject(info));
  QPDFWriter writer(pdf);
  writer.setOutputMemory();
  writer.setDeterministicID(true);
  writer.write();
  if (ranOutOfMemory(pdf)) return notMade(outOfMemory());
  const std::shared_ptr<Buffer> buffer = writer.getBufferSharedPointer();
  return std::string(reinterpret_cast<const char*>(buffer->getBuffer()), buffer->getSize());
}

}  // namespace

Result<std::string> toPdf(const std::string& svg, const PdfOptions& options) {
  SEPX_ASSIGN(const std::string drawn, draw(svg, options));
  try {
    return withMetadata(drawn, options);
  } catch (const std::bad_alloc&) {
    return notMade(outOfMemory());
  } catch (const std::exception& error) {
    return notMade(error.what());
  }
}

}  // namespace sepx::render
