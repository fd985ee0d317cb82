/* words.h: long lists of words, of which those of one length are one text. */
#pragma once

#include "base/span.h"

/* Finds a word in a text of words that all have its length, in byte order with one blank between
 * them. Returns its place in the text, or {NULL, 0}. */
struct span words_find(struct span words, struct span word);
