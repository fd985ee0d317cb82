# Write the licences in FILES into the C source INTO as one text. cmake -DFILES=a;b -DINTO=… -P licenses.cmake
set(bytes "")
foreach(file IN LISTS FILES)
    get_filename_component(name ${file} NAME_WE)
    string(REPLACE "LICENSE" "mockddb" name ${name})
    string(HEX "==== ${name} ====\n\n" heading)
    file(READ ${file} text HEX)
    string(APPEND bytes ${heading} ${text} "0a")
endforeach()
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE ${INTO} "/* Made from LICENSE and packages/licenses/ by cmake/licenses.cmake. */
#include \"base/licenses.h\"

const unsigned char licenses_text[] = {${bytes}0};\n")
