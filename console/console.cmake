# The files of the page as a C source of the build folder; embed.cmake writes it.
set(console_folder ${PROJECT_SOURCE_DIR}/console)
set(console_source ${PROJECT_BINARY_DIR}/http_console_files.c)
file(GLOB_RECURSE console_files CONFIGURE_DEPENDS RELATIVE ${console_folder}
    ${console_folder}/*.html ${console_folder}/*.css ${console_folder}/*.js ${console_folder}/*.svg)
list(SORT console_files)
list(TRANSFORM console_files PREPEND ${console_folder}/ OUTPUT_VARIABLE console_paths)
add_custom_command(
    OUTPUT ${console_source}
    COMMAND ${CMAKE_COMMAND} -DFROM=${console_folder} "-DFILES=${console_files}"
            -DINTO=${console_source} -P ${console_folder}/embed.cmake
    DEPENDS ${console_paths} ${console_folder}/embed.cmake
    VERBATIM)
