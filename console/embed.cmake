# Write the files at PATHS, which are called NAMES, into the C source INTO as the table http_console_files, each
# packed by gzip without the moment at which it was packed.
# cmake "-DNAMES=a;b" "-DPATHS=/…/a;/…/b" -DINTO=… -P embed.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/pack.cmake)
set(types_html "text/html; charset=utf-8")
set(types_css "text/css; charset=utf-8")
set(types_js "text/javascript; charset=utf-8")
set(types_json "application/json")
set(types_jsonl "application/json")
set(types_svg "image/svg+xml")

set(arrays "")
set(rows "")
set(number 0)
foreach(name path IN ZIP_LISTS NAMES PATHS)
    pack_file(${path} ${INTO}.gz bytes)
    string(REGEX REPLACE "^.*\\." "" ending ${name})
    string(APPEND arrays "static const unsigned char file_${number}[] = {${bytes}};\n")
    string(APPEND rows "    {\"${name}\", \"${types_${ending}}\", file_${number}, sizeof file_${number}},\n")
    math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${INTO} "/* Made from console/ by console/embed.cmake. */\n#include \"http/http_console.h\"\n\n${arrays}
const struct http_console_file http_console_files[] = {\n${rows}    {0},\n};\n")
