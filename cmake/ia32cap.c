/* ia32cap.c: for libmockddb.a with libcrypto inside, which has this variable only as a common
 * symbol: objcopy cannot make those local. */
unsigned int OPENSSL_ia32cap_P[4];
