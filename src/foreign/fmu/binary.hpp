// SPDX-License-Identifier: Apache-2.0
/// \file
/// The shared object of an FMU: finds and opens it, looks up its functions, and makes instances.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "foreign/fmi/fmi2.hpp"
#include "foreign/fmi/fmi3.hpp"
#include "foreign/fmu/description.hpp"
#include "foreign/fmu/messages.hpp"

namespace hild::fmu {

/// What instances call back. It outlives them.
struct Host {
  Messages messages{};
  fmi::v2::Callbacks callbacks{};
};

/// An opened shared object, from which instances are made.
class Binary {
 public:
  /// Opens binaries/PLATFORM/ of an unpacked FMU. The error lists the platforms that are there, or
  /// the functions that are missing.
  [[nodiscard]] static Result<Binary> open(const ModelDescription& d, Kind kind,
                                           const std::filesystem::path& folder);

  /// Makes an instance; null when the FMU refuses, with its words in the host's messages.
  [[nodiscard]] std::unique_ptr<fmi::Instance> instantiate(const ModelDescription& d,
                                                           Host& host) const;

 private:
  explicit Binary(Kind kind) : kind_(kind) {}
  Kind kind_;
  std::filesystem::path resources_;
  std::optional<fmi::v2::Functions> two_;
  std::optional<fmi::v3::Functions> three_;
};

}  // namespace hild::fmu
