# Sets OUT to the bytes of FILE in C, packed by gzip without the moment at which it was packed. SCRATCH is a file that
# is written and removed.
function(pack_file FILE SCRATCH OUT)
    file(ARCHIVE_CREATE OUTPUT ${SCRATCH} PATHS ${FILE} FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
    file(READ ${SCRATCH} bytes HEX)
    file(REMOVE ${SCRATCH})
    string(SUBSTRING "${bytes}" 0 8 head)
    string(SUBSTRING "${bytes}" 16 -1 tail)
    string(CONCAT bytes ${head} 00000000 ${tail})
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    set(${OUT} "${bytes}" PARENT_SCOPE)
endfunction()
