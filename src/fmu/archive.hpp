// SPDX-License-Identifier: Apache-2.0
/// \file
/// The files of an FMU, unpacked into a folder of the process that goes when it is no longer
/// needed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "hild/core/result.hpp"

namespace hild::fmu {

class Folder {
 public:
  [[nodiscard]] static Result<Folder> make();
  Folder(Folder&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  Folder& operator=(Folder&&) = delete;
  ~Folder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  explicit Folder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

/// How much an archive may hold.
struct Bounds {
  std::int64_t files = 10'000;
  std::uint64_t bytes = std::uint64_t{1} << 30U;  ///< unpacked
};

/// Unpacks modelDescription.xml, binaries/ and resources/ into `to`; of names that are there twice,
/// the first. Error: no archive, a damaged one, a name that leads out of the folder, more files or
/// bytes than it may hold.
[[nodiscard]] Result<void> unpack(const std::filesystem::path& archive,
                                  const std::filesystem::path& to, const Bounds& bounds = {});

/// Whether a name in an archive stays below the folder it is unpacked to.
[[nodiscard]] bool stays_inside(std::string_view name);

}  // namespace hild::fmu
