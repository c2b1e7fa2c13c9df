// SPDX-License-Identifier: Apache-2.0
#include "engine/render/font_subset.h"

#include <memory>

#include <hb-subset.h>
#include <hb.h>

#include "engine/core/file.h"
#include "engine/core/try.h"

namespace sepx::render {

namespace {

template <auto destroy>
struct Destroy {
  template <class T>
  void operator()(T* object) const {
    destroy(object);
  }
};
using Blob = std::unique_ptr<hb_blob_t, Destroy<hb_blob_destroy>>;
using Face = std::unique_ptr<hb_face_t, Destroy<hb_face_destroy>>;
using Input = std::unique_ptr<hb_subset_input_t, Destroy<hb_subset_input_destroy>>;

}  // namespace

Result<std::string> fontSubset(const FontFile& file, const std::set<char32_t>& characters) {
  SEPX_ASSIGN(const std::string bytes, readFile(file.path));
  const Blob blob(
      hb_blob_create(bytes.data(), static_cast<unsigned>(bytes.size()), HB_MEMORY_MODE_READONLY, nullptr, nullptr));
  const Face face(hb_face_create(blob.get(), static_cast<unsigned>(file.index)));
  const Input input(hb_subset_input_create_or_fail());
  if (!input) return fail(ErrorKind::Internal, "out of memory");
  for (const char32_t code : characters)
    hb_set_add(hb_subset_input_unicode_set(input.get()), code);
  hb_subset_input_set_flags(input.get(), HB_SUBSET_FLAGS_NO_HINTING);
  hb_set_t* dropped = hb_subset_input_set(input.get(), HB_SUBSET_SETS_DROP_TABLE_TAG);
  for (const hb_tag_t tag : {HB_TAG('G', 'S', 'U', 'B'), HB_TAG('G', 'P', 'O', 'S'), HB_TAG('G', 'D', 'E', 'F'),
                             HB_TAG('k', 'e', 'r', 'n'), HB_TAG('F', 'F', 'T', 'M')})
    hb_set_add(dropped, tag);
  const Face subset(hb_subset_or_fail(face.get(), input.get()));
  if (!subset) return fail(ErrorKind::BadInput, file.path + ": the font cannot be read");
  const Blob made(hb_face_reference_blob(subset.get()));
  unsigned length = 0;
  const char* data = hb_blob_get_data(made.get(), &length);
  return std::string(data, length);
}

}  // namespace sepx::render
