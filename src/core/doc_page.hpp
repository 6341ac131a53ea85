// SPDX-License-Identifier: Apache-2.0
/// \file
/// Finds the pages of the documentation, for messages that cite one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace hild {

/// The path of the page `name`, such as "control": beside the installed program (share/doc/hild),
/// else in the tree the program was built in; where it is in neither, words that name it. Touches
/// the disk, and allocates: not for the real-time side. Every message, help and generated text that
/// cites a page uses this function, so that the reader can open the page; tests/rooms checks it.
std::string doc_page(std::string_view name);

/// Likewise for a program at this path.
std::string doc_page(std::string_view name, const std::filesystem::path& program);

}  // namespace hild
