// SPDX-License-Identifier: Apache-2.0
/// \file
/// Converts single records to bytes and back. A read function returns nothing where the bytes hold
/// no such record; bytes behind its last field are ignored, as the format demands.
#pragma once

#include <optional>

#include "recording/mcap/format.hpp"

namespace hild::mcap {

/// Append a whole record, opcode and length included.
void append(std::string& out, const Header& header);
void append(std::string& out, const Schema& schema);
void append(std::string& out, const Channel& channel);
void append(std::string& out, const Attachment& attachment);
void append(std::string& out, const Metadata& metadata);

/// Read the content of a record.
[[nodiscard]] std::optional<Header> read_header(std::span<const std::byte> content);
[[nodiscard]] std::optional<Schema> read_schema(std::span<const std::byte> content);
[[nodiscard]] std::optional<Channel> read_channel(std::span<const std::byte> content);
[[nodiscard]] std::optional<Message> read_message(std::span<const std::byte> content);
[[nodiscard]] std::optional<Metadata> read_metadata(std::span<const std::byte> content);
/// `intact`: whether its checksum, where it has one, is right.
[[nodiscard]] std::optional<Attachment> read_attachment(std::span<const std::byte> content,
                                                        bool& intact);
/// Reads the head of a chunk from the beginning of its content, after which the records follow.
[[nodiscard]] std::optional<ChunkHead> read_chunk_head(std::span<const std::byte> content);

/// Bytes of the content of a chunk before its records, without compression.
inline constexpr std::size_t plain_chunk_head = 8 + 8 + 8 + 4 + 4 + 8;

}  // namespace hild::mcap
