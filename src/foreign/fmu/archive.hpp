// SPDX-License-Identifier: Apache-2.0
/// \file
/// The files of an FMU, unpacked into a folder of the process that goes when it is no longer
/// needed; when the process was killed, with the next that makes one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "hild/core/descriptor.hpp"
#include "hild/core/result.hpp"

namespace hild::fmu {

class Folder {
 public:
  /// Below the folder for temporary files. Removes those of this user that no process holds.
  [[nodiscard]] static Result<Folder> make();
  Folder(Folder&& other) noexcept
      : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  Folder& operator=(Folder&&) = delete;
  ~Folder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  Folder(std::filesystem::path path, Descriptor lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}
  std::filesystem::path path_;
  Descriptor lock_;
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
