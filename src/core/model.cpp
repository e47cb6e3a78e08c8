#include "core/model.hpp"

#include <fmt/format.h>

#include <string>

namespace gpu_advisor {

Kind kind_from_text(std::string_view text) {
  if (text == "language") return Kind::language;
  if (text == "speech") return Kind::speech;
  if (text == "image") return Kind::image;
  throw invalid_argument(fmt::format("unknown kind of model: \"{}\"", text),
                         "Use language, speech or image.");
}

const char* to_text(Kind kind) {
  switch (kind) {
    case Kind::language:
      return "language";
    case Kind::speech:
      return "speech";
    case Kind::image:
      return "image";
  }
  return "";
}

void check_model(const Model& model) {
  for (const ModelColumn& column : kModelColumns) {
    const Figure& figure = model.*column.figure;
    if (!figure || *figure >= column.least) continue;
    throw invalid_argument(fmt::format("{}: {} must be at least {}, not {}", model.name,
                                       column.name, column.least, *figure),
                           "Correct the row of gpu_models; a figure that is not known is NULL.");
  }
}

}  // namespace gpu_advisor
