#ifndef FMSG_CMICROHTTPD_H
#define FMSG_CMICROHTTPD_H

#include <microhttpd.h>

// Swift cannot call variadic functions: each is wrapped here for the one use that is made of it.

// Starts a daemon on a numeric IPv4 or IPv6 address with a pool of threads. Request
// targets are handed over without percent-decoding. NULL on failure, with the reason in errno.
struct MHD_Daemon *fmsg_httpd_start(
    const char *address, uint16_t port, unsigned int threads, unsigned int idle_seconds,
    MHD_AccessHandlerCallback handler, MHD_RequestCompletedCallback completed, void *context);

// The port that the daemon listens on, 0 when it is unknown.
uint16_t fmsg_httpd_port(struct MHD_Daemon *daemon);

// Writes the address of the peer, in network order, and gives its length: 4, 16, or 0 when it is
// unknown.
size_t fmsg_httpd_peer(struct MHD_Connection *connection, unsigned char bytes[16]);

// Ends an upgraded connection and closes its socket.
void fmsg_httpd_close_upgraded(struct MHD_UpgradeResponseHandle *handle);

#endif
