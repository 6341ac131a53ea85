// SPDX-License-Identifier: Apache-2.0
/// \file
/// FMUs made of those of the build by changing files in them.
#pragma once

#include <zip.h>

#include <filesystem>
#include <fstream>

#include "foreign/fmu/archive.hpp"
#include "foreign/fmu/description.hpp"
#include "foreign/fmu/fmus.hpp"

namespace hild::testing {

/// A file in a folder of its own.
class Archive {
 public:
  Archive() : folder_(std::move(*fmu::Folder::make())), path_(folder_.path() / "x.fmu") {}
  /// Adds or replaces a file; an archive may hold a name twice when asked to.
  void add(const std::string& name, const std::string& text) const {
    zip_t* z = ::zip_open(path_.c_str(), ZIP_CREATE, nullptr);
    ASSERT_NE(z, nullptr);
    zip_source_t* source = ::zip_source_buffer(z, text.data(), text.size(), 0);
    ASSERT_GE(::zip_file_add(z, name.c_str(), source, ZIP_FL_OVERWRITE), 0);
    ASSERT_EQ(::zip_close(z), 0);
  }
  void copy(const std::string& model, int version) const {
    std::filesystem::copy_file(fmu_file(model, version), path_,
                               std::filesystem::copy_options::overwrite_existing);
  }
  void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::string refusal() const {
    const auto loaded = fmu::load(path_);
    return loaded ? "loaded" : loaded.error().message;
  }

 private:
  fmu::Folder folder_;
  std::filesystem::path path_;
};

inline std::string description_of(const std::string& model, int version) {
  const auto folder = fmu::Folder::make();
  EXPECT_TRUE(fmu::unpack(fmu_file(model, version), folder->path()));
  std::ifstream in(folder->path() / "modelDescription.xml");
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::string with(std::string text, const std::string& what, const std::string& instead) {
  const auto at = text.find(what);
  EXPECT_NE(at, text.npos) << what;
  return at == text.npos ? text : text.replace(at, what.size(), instead);
}

inline std::string parse_error(const std::string& xml) {
  const auto d = fmu::parse(xml);
  return d ? "parsed" : d.error().message;
}

}  // namespace hild::testing
