"""What Darwin's loader would read in a program of 64 bits: load commands, undefined symbols, the signature."""

import hashlib
import struct

MAGIC = 0xFEEDFACF
PROCESSORS = {0x0100000C: "arm64", 0x01000007: "x86_64"}
PROCESSOR_NAMES = {"arm64": "arm64", "x64": "x86_64"}  # of platforms
EXECUTABLE = 2
SYMTAB, LOAD_DYLIB, CODE_SIGNATURE, LOAD_DYLINKER, MAIN, BUILD_VERSION = 2, 0xC, 0x1D, 0xE, 0x80000028, 0x32
OTHER_DYLIBS = {0x80000018, 0x8000001F, 0x20, 0x80000023}  # weak, re-exported, lazy, upward
UNDEFINED, TYPE, STAB = 0, 0xE, 0xE0
AD_HOC = 2


class MachO:
    def __init__(self, data):
        self.data = data
        magic, processor, _, self.kind, count, size, _, _ = struct.unpack_from("<8I", data)
        if magic != MAGIC:
            raise ValueError("it is no Mach-O file of 64 bits")
        self.processor = PROCESSORS.get(processor)
        self.commands = []
        at, end = 32, 32 + size
        for _ in range(count):
            command, length = struct.unpack_from("<2I", data, at)
            self.commands.append((command, data[at : at + length]))
            at += length
        if at != end:
            raise ValueError("the load commands have another size than the header says")

    def find(self, kind):
        return [body for command, body in self.commands if command == kind]

    def libraries(self):
        """The dynamic libraries, in the order by which symbols name them."""
        bodies = [body for command, body in self.commands if command in {LOAD_DYLIB, *OTHER_DYLIBS}]
        return [body[struct.unpack_from("<I", body, 8)[0] :].rstrip(b"\0").decode() for body in bodies]

    def undefined(self):
        """(name, number of the library from 1 on) of each symbol that another file defines."""
        (body,) = self.find(SYMTAB)
        symbols, count, strings, _ = struct.unpack_from("<4I", body, 8)
        for i in range(count):
            name, kind, _, description, _ = struct.unpack_from("<IBBHQ", self.data, symbols + 16 * i)
            if not kind & STAB and kind & TYPE == UNDEFINED:
                start = strings + name
                yield self.data[start : self.data.index(b"\0", start)].decode(), description >> 8

    def signature(self):
        """Returns (flags, whether the hash of each page is right) of the code directory."""
        (body,) = self.find(CODE_SIGNATURE)
        start, _ = struct.unpack_from("<2I", body, 8)
        magic, _, count = struct.unpack_from(">3I", self.data, start)
        assert magic == 0xFADE0CC0
        places = [struct.unpack_from(">2I", self.data, start + 12 + 8 * i) for i in range(count)]
        at = start + dict(places)[0]
        fields = struct.unpack_from(">9I4B", self.data, at)
        magic, _, _, flags, hashes, _, _, slots, limit, size, kind, _, page_bits = fields
        assert (magic, kind, size, limit) == (0xFADE0C02, 2, 32, start)
        page = 1 << page_bits
        for i in range(slots):
            covered = self.data[i * page : min((i + 1) * page, limit)]
            expected = self.data[at + hashes + 32 * i : at + hashes + 32 * (i + 1)]
            if hashlib.sha256(covered).digest() != expected:
                return flags, False
        return flags, slots == -(-limit // page)


def fault(data, processor):
    """Why macOS does not load a program that is for this processor and needs nothing but the system's library, or None."""
    file = MachO(data)
    undefined = dict(file.undefined())
    signed = bool(file.find(CODE_SIGNATURE))
    flags, fits = file.signature() if signed else (0, False)
    requirements = {
        "it is a program for the processor": (file.processor, file.kind) == (PROCESSOR_NAMES[processor], EXECUTABLE),
        "it has one beginning": len(file.find(MAIN)) == 1,
        "it is for macOS": [struct.unpack_from("<I", body, 8)[0] for body in file.find(BUILD_VERSION)] == [1],
        "it needs the system's C library only": file.libraries() == ["/usr/lib/libSystem.B.dylib"],
        "its symbols are of that library": {"_malloc", "_kqueue"} <= set(undefined) and set(undefined.values()) == {1},
        # arm64 runs nothing that is not signed
        "it has an ad-hoc signature": bool(flags & AD_HOC) or (processor == "x64" and not signed),
        "the signature fits each page": fits or not signed,
    }
    return next((f"this is not so: {what}" for what, is_so in requirements.items() if not is_so), None)
