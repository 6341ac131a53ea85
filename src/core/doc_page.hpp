// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where the pages of the documentation are, for words that cite one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace hild {

/// The path of the page `name`, such as "control": beside the installed program (share/doc/hild),
/// else in the tree the program was built in; where it is in neither, words that name it. Touches
/// the disk, and allocates: not for the real-time side. Every message, help and generated text that
/// cites a page asks here, so that who reads it can open what it names; tests/rooms keeps it so.
std::string doc_page(std::string_view name);

/// The same for a program of this path.
std::string doc_page(std::string_view name, const std::filesystem::path& program);

}  // namespace hild
