// SPDX-License-Identifier: Apache-2.0
/// \file
/// Converts single records to bytes and back. A read function returns false where the bytes hold no
/// such record; bytes behind its last field are ignored, as the format demands.
#pragma once

#include "recording/mcap/format.hpp"

namespace hild::mcap {

/// Append a whole record, opcode and length included.
void append(std::string& out, const Header& header);
void append(std::string& out, const Schema& schema);
void append(std::string& out, const Channel& channel);
void append(std::string& out, const Attachment& attachment);
void append(std::string& out, const Metadata& metadata);

/// Read the content of a record.
[[nodiscard]] bool read(Bytes content, Header& header);
[[nodiscard]] bool read(Bytes content, Schema& schema);
[[nodiscard]] bool read(Bytes content, Channel& channel);
[[nodiscard]] bool read(Bytes content, Message& message);
[[nodiscard]] bool read(Bytes content, Metadata& metadata);
/// `intact`: whether its checksum, where it has one, is right.
[[nodiscard]] bool read(Bytes content, Attachment& attachment, bool& intact);
/// Reads the head of a chunk from the beginning of its content, after which the records follow.
[[nodiscard]] bool read(Bytes content, ChunkHead& head);

/// Bytes of the content of a chunk before its records, without compression.
inline constexpr std::size_t plain_chunk_head = 8 + 8 + 8 + 4 + 4 + 8;

}  // namespace hild::mcap
