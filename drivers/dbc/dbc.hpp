// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads the DBC format. Load time only: allocates. Files may come from anybody: what cannot be
/// read is refused in words, in time and memory that grow with the file as sorting does.
///
/// Read: VERSION, NS_, BS_ (skipped), BU_, VAL_TABLE_, BO_ with SG_, BO_TX_BU_, BA_DEF_,
/// BA_DEF_DEF_ and BA_ (GenMsgCycleTime, GenMsgStartDelayTime, GenMsgSendType, VFrameFormat,
/// GenSigStartValue), VAL_, SIG_VALTYPE_, SG_MUL_VAL_. All other sections are skipped up to their
/// `;`. BA_ and VAL_ of what the file does not define are left aside, as other tools do. Texts that
/// are not UTF-8 are taken to be Latin-1. In texts `\"` is a quote and `\\` a backslash.
#pragma once

#include <cstddef>
#include <string_view>

#include "drivers/dbc/database.hpp"
#include "hild/core/result.hpp"

namespace hild::can {

constexpr std::size_t most_dbc_bytes = std::size_t{16} << 20;  ///< of a file
constexpr std::size_t most_dbc_messages = 100'000;             ///< of a file

/// Reads the text of a file. Error: "FILE:LINE: what was found, what was expected, what to do".
/// `VECTOR__INDEPENDENT_SIG_MSG` (id 0xC0000000), which is no message, is skipped.
[[nodiscard]] Result<Database> read_dbc(std::string_view text, std::string_view file_name);

}  // namespace hild::can
