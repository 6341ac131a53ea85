// SPDX-License-Identifier: Apache-2.0
/// \file
/// The numbered files of a recorder: "run.mcap" stands for run-0001.mcap, run-0002.mcap and so on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hild::framelog {

/// The file of this number. By their names files are in their order up to 9999, and by their
/// numbers always.
[[nodiscard]] std::string numbered(const std::filesystem::path& file, std::int64_t number);

/// The numbers of the files that are there, rising. Those of earlier runs are among them.
[[nodiscard]] std::vector<std::int64_t> numbers_of(const std::filesystem::path& file);

/// Removes the files with the lowest numbers until `keep` are left, 0: none; those in `open` stay.
/// Returns the files that could not be removed, each with the reason.
std::vector<std::string> remove_oldest(const std::filesystem::path& file, std::size_t keep,
                                       const std::vector<std::string>& open);

}  // namespace hild::framelog
