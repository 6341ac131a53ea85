// SPDX-License-Identifier: Apache-2.0
/// \file
/// Unpacks the files of an FMU into a folder of this process. The folder is removed when it is no
/// longer needed; if the process was killed, by the next process that makes one.
#pragma once

#include <cstdint>
#include <filesystem>

#include "hild/core/descriptor.hpp"
#include "hild/core/result.hpp"

namespace hild::fmu {

class Folder {
 public:
  /// Makes a folder below the folder for temporary files. Removes folders of this user that no
  /// process holds any more.
  [[nodiscard]] static Result<Folder> make();
  Folder(Folder&&) noexcept = default;
  ~Folder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  Folder(std::filesystem::path path, Descriptor lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}
  std::filesystem::path path_;
  Descriptor lock_;  // none: this was moved away
};

/// The limits of what an archive may hold.
struct Bounds {
  std::int64_t files = 10'000;
  std::uint64_t bytes = std::uint64_t{1} << 30U;  ///< unpacked
};

/// Unpacks modelDescription.xml, binaries/ and resources/ into `to`; of equal names, the first.
/// Error: it is not an archive, is damaged, has a name that leads out of the folder, or holds more
/// files or bytes than allowed.
[[nodiscard]] Result<void> unpack(const std::filesystem::path& archive,
                                  const std::filesystem::path& to, const Bounds& bounds = {});

/// Whether a name in an archive stays below the folder it is unpacked to.
[[nodiscard]] bool stays_inside(std::string_view name);

}  // namespace hild::fmu
