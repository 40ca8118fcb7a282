#ifndef FMSG_COPENSSL_H
#define FMSG_COPENSSL_H

#include <openssl/ssl.h>

#endif
