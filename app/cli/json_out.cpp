// SPDX-License-Identifier: Apache-2.0
// JSON output of every verb; see json_out.h.
#include "app/cli/json_out.h"

#include <cmath>

namespace sepx::app::cli {
namespace {

int replaceNonFinite(Json& value) {
  if (value.is_number_float() && !std::isfinite(value.get<double>())) {
    value = nullptr;
    return 1;
  }
  int count = 0;
  if (value.is_structured()) {
    for (Json& element : value)
      count += replaceNonFinite(element);
  }
  return count;
}

}  // namespace

Json toJson(const dynamics::State& state) {
  Json array = Json::array();
  for (const double component : state)
    array.push_back(component);
  return array;
}

Json toJson(const dynamics::Jacobian& matrix) {
  Json rows = Json::array();
  for (int i = 0; i < matrix.rows(); ++i) {
    Json row = Json::array();
    for (int j = 0; j < matrix.cols(); ++j)
      row.push_back(matrix(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json orNull(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json orNull(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json orNull(const std::optional<double>& value) {
  return value ? orNull(*value) : Json(nullptr);
}

Json orNull(const std::optional<std::string>& text) {
  return text ? Json(*text) : Json(nullptr);
}

Json beginDocument(const std::string& verb) {
  Json document = Json::object();
  document["schema"] = "sepx." + verb + "/1";
  return document;
}

std::string finishDocument(Json document) {
  document["nonfinite"] = replaceNonFinite(document);
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sepx::app::cli
