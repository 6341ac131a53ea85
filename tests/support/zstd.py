# SPDX-License-Identifier: Apache-2.0
"""Zstandard by the library's own interface, for readers that are made from specifications alone."""
import ctypes

_library = ctypes.CDLL("libzstd.so.1")
_library.ZSTD_decompress.restype = ctypes.c_size_t
_library.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]


def expand(data, size):
    """The bytes that were compressed, which are `size`."""
    room = ctypes.create_string_buffer(max(size, 1))
    n = _library.ZSTD_decompress(room, size, bytes(data), len(data))
    if n != size:
        raise ValueError(f"{len(data)} bytes are no {size} compressed by Zstandard")
    return room.raw[:size]
