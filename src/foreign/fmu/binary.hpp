// SPDX-License-Identifier: Apache-2.0
/// \file
/// The shared object of an FMU: finds and opens it, looks up its functions, and makes instances.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

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

/// Makes an instance; null when the FMU refuses, with its words in the host's messages.
using Instantiate =
    std::function<std::unique_ptr<fmi::Instance>(const ModelDescription& d, Host& host)>;

/// Opens binaries/PLATFORM/ of an unpacked FMU, to make instances of it. The error lists the
/// platforms that are there, or the functions that are missing.
[[nodiscard]] Result<Instantiate> open_binary(const ModelDescription& d, Kind kind,
                                              const std::filesystem::path& folder);

}  // namespace hild::fmu
