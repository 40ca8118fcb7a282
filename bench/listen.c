/* The barest reader of events: what `fmsg watch` is measured against. It opens the WebSocket, says
   `ready`, and prints the text of each frame as a line.

   Usage: FMSG_API_URL=http://127.0.0.1:PORT FMSG_TOKEN=... listen */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned char buffer[1 << 20];
static size_t filled;
static int host;

static int fail(const char *what) {
    fprintf(stderr, "listen: %s\n", what);
    return 1;
}

/* Reads what has come, at least a byte; 0 at the end. */
static int fill(void) {
    if (filled == sizeof buffer) return 0;
    ssize_t count = read(host, buffer + filled, sizeof buffer - filled);
    if (count <= 0) return 0;
    filled += (size_t)count;
    return 1;
}

static void drop(size_t count) {
    filled -= count;
    memmove(buffer, buffer + count, filled);
}

static int print_line(const unsigned char *text, size_t length) {
    static char line[1 << 20];
    if (length >= sizeof line) return 0;
    memcpy(line, text, length);
    line[length++] = '\n';
    return write(STDOUT_FILENO, line, length) == (ssize_t)length;
}

static int open_socket(const char *url, const char *token) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    unsigned short port;
    if (sscanf(url, "http://127.0.0.1:%hu", &port) != 1) return 0;
    address.sin_port = htons(port);
    host = socket(AF_INET, SOCK_STREAM, 0);
    if (host < 0 || connect(host, (struct sockaddr *)&address, sizeof address) != 0) return 0;
    int on = 1;
    setsockopt(host, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    char request[8192];
    int length = snprintf(request, sizeof request,
                          "GET /fmsg/ws HTTP/1.1\r\nHost: 127.0.0.1:%hu\r\n"
                          "Authorization: Bearer %s\r\nConnection: Upgrade\r\n"
                          "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                          "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
                          port, token);
    if (length < 0 || (size_t)length >= sizeof request) return 0;
    if (write(host, request, (size_t)length) != length) return 0;
    const unsigned char *end;
    while ((end = memmem(buffer, filled, "\r\n\r\n", 4)) == NULL) {
        if (!fill()) return 0;
    }
    if (memcmp(buffer, "HTTP/1.1 101", 12) != 0) return 0;
    drop((size_t)(end - buffer) + 4);
    return 1;
}

int main(void) {
    const char *url = getenv("FMSG_API_URL"), *token = getenv("FMSG_TOKEN");
    if (url == NULL || token == NULL) return fail("FMSG_API_URL and FMSG_TOKEN must be set");
    if (!open_socket(url, token)) return fail("no event socket is to be had");
    if (!print_line((const unsigned char *)"ready", 5)) return 1;
    while (1) {
        size_t header = 2, length = filled < 2 ? 0 : buffer[1] & 0x7F;
        if (length == 126) header = 4;
        if (length == 127) header = 10;
        if (header > 2 && filled >= header) {
            length = 0;
            for (size_t index = 2; index < header; index++) length = length << 8 | buffer[index];
        }
        if (filled < header || filled - header < length) {
            if (!fill()) return fail("the host has gone");
            continue;
        }
        unsigned char *payload = buffer + header;
        switch (buffer[0] & 0x0F) {
        case 1:
            if (!print_line(payload, length)) return 1;
            break;
        case 8: return fail("the host closed the socket");
        case 9: {
            if (length > 125) return fail("a ping is too long");
            /* A pong with a mask of zeros. */
            unsigned char pong[6 + 125] = {0x8A, (unsigned char)(0x80 | length)};
            memcpy(pong + 6, payload, length);
            if (write(host, pong, 6 + length) < 0) return 1;
        }
        }
        drop(header + length);
    }
}
