# Write the licences in FILES into the C source INTO as one packed text. cmake -DFILES=a;b -DINTO=… -P licenses.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/pack.cmake)
file(WRITE ${INTO}.txt "")
foreach(file IN LISTS FILES)
    get_filename_component(name ${file} NAME_WE)
    string(REPLACE "LICENSE" "mockddb" name ${name})
    file(READ ${file} text)
    file(APPEND ${INTO}.txt "==== ${name} ====\n\n${text}\n")
endforeach()
pack_file(${INTO}.txt ${INTO}.gz bytes)
file(REMOVE ${INTO}.txt)
file(WRITE ${INTO} "/* Made from LICENSE and packages/licenses/ by cmake/licenses.cmake. */
#include \"base/licenses.h\"

static const unsigned char packed[] = {${bytes}};
const struct span licenses_packed = {(const char *)packed, sizeof packed};\n")
