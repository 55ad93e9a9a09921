/* Bytes as base64, in both directions. */

#ifndef TOOLWIRE_BASE64_H
#define TOOLWIRE_BASE64_H

#include "buffer.h"

/* Fills the tables; to be called once, before anything else here. */
void prepare_base64(void);

/* Writes bytes as a JSON string of base64 with padding. */
bool write_base64(Buffer *buffer, const uint8_t *bytes, size_t size);

/* Reads base64, standard or URL-safe, padded or not: first how many bytes it stands for, then
   the bytes. False where it is no such text. */
bool base64_size(const uint8_t *text, size_t size, size_t *bytes);
bool write_base64_decoded(Buffer *buffer, const uint8_t *text, size_t size);

#endif
