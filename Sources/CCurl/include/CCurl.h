/// libcurl, found at first use instead of at program start: it brings some thirty libraries,
/// which a program that makes no request must not pay for.
///
/// Types and constants are those of <curl/curl.h>. Each function stands for the libcurl function
/// of the same name; the variadic ones come once for each type of argument. None may be called
/// before `fmsg_curl_bind` has returned true.
#ifndef FMSG_CCURL_H
#define FMSG_CCURL_H

#include <stdbool.h>

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/// Loads libcurl and initialises it, once for the process, whichever thread comes first.
/// False when there is no usable libcurl.
bool fmsg_curl_bind(void);

/// One line about libcurl and the libraries below it, such as "libcurl/7.88.1 OpenSSL/3.0.19".
const char *fmsg_curl_version(void);

CURL *fmsg_curl_easy_init(void);
void fmsg_curl_easy_cleanup(CURL *easy);
const char *fmsg_curl_easy_strerror(CURLcode code);
CURLcode fmsg_curl_easy_send(CURL *easy, const void *bytes, size_t count, size_t *sent);
CURLcode fmsg_curl_easy_recv(CURL *easy, void *bytes, size_t capacity, size_t *received);

CURLcode fmsg_curl_easy_setopt_long(CURL *easy, CURLoption option, long value);
CURLcode fmsg_curl_easy_setopt_size(CURL *easy, CURLoption option, curl_off_t value);
CURLcode fmsg_curl_easy_setopt_string(CURL *easy, CURLoption option, const char *value);
CURLcode fmsg_curl_easy_setopt_pointer(CURL *easy, CURLoption option, const void *value);
CURLcode fmsg_curl_easy_setopt_list(CURL *easy, CURLoption option, struct curl_slist *value);
/// For `CURLOPT_WRITEFUNCTION`, `CURLOPT_HEADERFUNCTION` and `CURLOPT_READFUNCTION`, which have
/// one shape.
CURLcode fmsg_curl_easy_setopt_data(CURL *easy, CURLoption option, curl_write_callback value);
CURLcode fmsg_curl_easy_setopt_progress(CURL *easy, CURLoption option,
                                        curl_xferinfo_callback value);
CURLcode fmsg_curl_easy_setopt_prereq(CURL *easy, CURLoption option,
                                      curl_prereq_callback value);

CURLcode fmsg_curl_easy_getinfo_long(CURL *easy, CURLINFO info, long *value);
CURLcode fmsg_curl_easy_getinfo_size(CURL *easy, CURLINFO info, curl_off_t *value);
CURLcode fmsg_curl_easy_getinfo_string(CURL *easy, CURLINFO info, const char **value);
CURLcode fmsg_curl_easy_getinfo_socket(CURL *easy, CURLINFO info, curl_socket_t *value);

CURLM *fmsg_curl_multi_init(void);
CURLMcode fmsg_curl_multi_cleanup(CURLM *multi);
CURLMcode fmsg_curl_multi_setopt_long(CURLM *multi, CURLMoption option, long value);
CURLMcode fmsg_curl_multi_add_handle(CURLM *multi, CURL *easy);
CURLMcode fmsg_curl_multi_remove_handle(CURLM *multi, CURL *easy);
CURLMcode fmsg_curl_multi_perform(CURLM *multi, int *running);
CURLMcode fmsg_curl_multi_poll(CURLM *multi, struct curl_waitfd *extra, unsigned int count,
                               int milliseconds, int *ready);
CURLMcode fmsg_curl_multi_wakeup(CURLM *multi);
/// The next transfer that ended and its result; null when there is none.
CURL *fmsg_curl_multi_next_done(CURLM *multi, CURLcode *result);

struct curl_slist *fmsg_curl_slist_append(struct curl_slist *list, const char *text);
void fmsg_curl_slist_free_all(struct curl_slist *list);

CURLU *fmsg_curl_url(void);
void fmsg_curl_url_cleanup(CURLU *url);
CURLUcode fmsg_curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags);
CURLUcode fmsg_curl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags);
void fmsg_curl_free(void *text);

#endif
