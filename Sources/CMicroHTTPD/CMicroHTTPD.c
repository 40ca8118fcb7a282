#include "CMicroHTTPD.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>

static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text)
{
    (void) context;
    (void) connection;
    return strlen(text);
}

static void discard_log(void *context, const char *format, va_list arguments)
{
    (void) context;
    (void) format;
    (void) arguments;
}

struct MHD_Daemon *fmsg_httpd_start(
    const char *address, uint16_t port, unsigned int threads, unsigned int idle_seconds,
    MHD_AccessHandlerCallback handler, MHD_RequestCompletedCallback completed, void *context)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    struct sockaddr *bound = NULL;
    // Not epoll: with it MHD_quiesce_daemon races with its own threads, and aborts the process.
    unsigned int flags = MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_UPGRADE | MHD_USE_ERROR_LOG;
    if (inet_pton(AF_INET, address, &v4.sin_addr) == 1) {
        bound = (struct sockaddr *) &v4;
    } else if (inet_pton(AF_INET6, address, &v6.sin6_addr) == 1) {
        bound = (struct sockaddr *) &v6;
        flags |= MHD_USE_IPv6;
    } else {
        errno = EADDRNOTAVAIL;
        return NULL;
    }
    return MHD_start_daemon(
        flags, port, NULL, NULL, handler, context,
        MHD_OPTION_EXTERNAL_LOGGER, discard_log, NULL,
        MHD_OPTION_SOCK_ADDR, bound,
        MHD_OPTION_THREAD_POOL_SIZE, threads,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
        MHD_OPTION_CONNECTION_LIMIT, 4096u,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t) 64 * 1024,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
        MHD_OPTION_END);
}

uint16_t fmsg_httpd_port(struct MHD_Daemon *daemon)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info == NULL ? 0 : info->port;
}

size_t fmsg_httpd_peer(struct MHD_Connection *connection, unsigned char bytes[16])
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (info == NULL || info->client_addr == NULL) return 0;
    if (info->client_addr->sa_family == AF_INET) {
        memcpy(bytes, &((const struct sockaddr_in *) info->client_addr)->sin_addr, 4);
        return 4;
    }
    if (info->client_addr->sa_family != AF_INET6) return 0;
    memcpy(bytes, &((const struct sockaddr_in6 *) info->client_addr)->sin6_addr, 16);
    return 16;
}

void fmsg_httpd_close_upgraded(struct MHD_UpgradeResponseHandle *handle)
{
    MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}
