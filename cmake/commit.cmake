# Write the header INTO with the commit of the sources in FROM: git's, or that in the file COMMIT of a
# source archive, which git archive fills in. cmake -DFROM=… -DINTO=… -P commit.cmake
set(commit "unknown")
if(EXISTS ${FROM}/.git)
    execute_process(COMMAND git -C ${FROM} rev-parse HEAD
        OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND git -C ${FROM} diff-index --quiet HEAD RESULT_VARIABLE changed)
    if(changed)
        string(APPEND commit " with changes")
    endif()
else()
    file(STRINGS ${FROM}/COMMIT line REGEX "^[0-9a-f]+$")
    if(line)
        set(commit ${line})
    endif()
endif()
file(CONFIGURE OUTPUT ${INTO} CONTENT "#define MOCKDDB_COMMIT \"${commit}\"\n")
