// SPDX-License-Identifier: Apache-2.0
/// \file
/// Single records to bytes and back. What comes back from bytes is nothing where they do not hold
/// such a record; bytes behind its last field are left alone, as the format wants.
#pragma once

#include <optional>

#include "recording/mcap/format.hpp"

namespace hild::mcap {

/// Appended whole, opcode and length included.
void append(std::string& out, const Header& header);
void append(std::string& out, const Schema& schema);
void append(std::string& out, const Channel& channel);
void append(std::string& out, const Attachment& attachment);
void append(std::string& out, const Metadata& metadata);

/// From the content of a record.
[[nodiscard]] std::optional<Header> read_header(std::span<const std::byte> content);
[[nodiscard]] std::optional<Schema> read_schema(std::span<const std::byte> content);
[[nodiscard]] std::optional<Channel> read_channel(std::span<const std::byte> content);
[[nodiscard]] std::optional<Message> read_message(std::span<const std::byte> content);
[[nodiscard]] std::optional<Metadata> read_metadata(std::span<const std::byte> content);
/// `intact`: whether its checksum, where it has one, is right.
[[nodiscard]] std::optional<Attachment> read_attachment(std::span<const std::byte> content,
                                                        bool& intact);
/// From as much of the content as there is; the records follow.
[[nodiscard]] std::optional<ChunkHead> read_chunk_head(std::span<const std::byte> content);

/// Bytes of the content of a chunk before its records, without compression.
inline constexpr std::size_t plain_chunk_head = 8 + 8 + 8 + 4 + 4 + 8;

}  // namespace hild::mcap
