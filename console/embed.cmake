# Write FILES, which lie in FROM, into the C source INTO as the table http_console_files.
# cmake -DFROM=… -DFILES=a;b -DINTO=… -P embed.cmake
set(types_html "text/html; charset=utf-8")
set(types_css "text/css; charset=utf-8")
set(types_js "text/javascript; charset=utf-8")
set(types_svg "image/svg+xml")

set(arrays "")
set(rows "")
set(number 0)
foreach(file IN LISTS FILES)
    file(READ ${FROM}/${file} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "^.*\\." "" ending ${file})
    string(APPEND arrays "static const unsigned char file_${number}[] = {${bytes}};\n")
    string(APPEND rows "    {\"${file}\", \"${types_${ending}}\", file_${number}, sizeof file_${number}},\n")
    math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${INTO} "/* Made from console/ by console/embed.cmake. */\n#include \"http/http_console.h\"\n\n${arrays}
const struct http_console_file http_console_files[] = {\n${rows}    {0},\n};\n")
