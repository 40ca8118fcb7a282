#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>

/// libcurl 7.80, which brought CURLOPT_PREREQFUNCTION.
static const unsigned int oldest_version = 0x075000;

static const char *const names[] = {
#ifdef __APPLE__
    "libcurl.4.dylib",
#else
    "libcurl.so.4",
    "libcurl-gnutls.so.4",
#endif
};

/// Every function that is used, by its name without "curl_".
#define FUNCTIONS(F) \
    F(global_init) F(version) F(version_info) \
    F(easy_init) F(easy_cleanup) F(easy_strerror) F(easy_send) F(easy_recv) \
    F(easy_setopt) F(easy_getinfo) \
    F(multi_init) F(multi_cleanup) F(multi_setopt) F(multi_add_handle) F(multi_remove_handle) \
    F(multi_perform) F(multi_poll) F(multi_wakeup) F(multi_info_read) \
    F(slist_append) F(slist_free_all) F(url) F(url_cleanup) F(url_set) F(url_get) F(free)

#define MEMBER(name) __typeof__(&curl_##name) name;
static struct {
    FUNCTIONS(MEMBER)
} curl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_bound = false;

static bool bind_from(void *library) {
#define FIND(name) \
    *(void **)(&curl.name) = dlsym(library, "curl_" #name); \
    if (!curl.name) return false;
    FUNCTIONS(FIND)
    return curl.version_info(CURLVERSION_NOW)->version_num >= oldest_version
        && curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

static void bind_once(void) {
    for (size_t index = 0; index < sizeof names / sizeof names[0] && !is_bound; index++) {
        void *library = dlopen(names[index], RTLD_LAZY | RTLD_LOCAL);
        if (library) is_bound = bind_from(library);
    }
}

bool fmsg_curl_bind(void) {
    pthread_once(&once, bind_once);
    return is_bound;
}

const char *fmsg_curl_version(void) { return curl.version(); }

CURL *fmsg_curl_easy_init(void) { return curl.easy_init(); }
void fmsg_curl_easy_cleanup(CURL *easy) { curl.easy_cleanup(easy); }
const char *fmsg_curl_easy_strerror(CURLcode code) { return curl.easy_strerror(code); }
CURLcode fmsg_curl_easy_send(CURL *easy, const void *bytes, size_t count, size_t *sent) {
    return curl.easy_send(easy, bytes, count, sent);
}
CURLcode fmsg_curl_easy_recv(CURL *easy, void *bytes, size_t capacity, size_t *received) {
    return curl.easy_recv(easy, bytes, capacity, received);
}

CURLcode fmsg_curl_easy_setopt_long(CURL *easy, CURLoption option, long value) {
    return curl.easy_setopt(easy, option, value);
}
CURLcode fmsg_curl_easy_setopt_size(CURL *easy, CURLoption option, curl_off_t value) {
    return curl.easy_setopt(easy, option, value);
}
CURLcode fmsg_curl_easy_setopt_string(CURL *easy, CURLoption option, const char *value) {
    return curl.easy_setopt(easy, option, value);
}
CURLcode fmsg_curl_easy_setopt_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl.easy_setopt(easy, option, value);
}
CURLcode fmsg_curl_easy_setopt_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl.easy_setopt(easy, option, value);
}
CURLcode fmsg_curl_easy_setopt_data(CURL *easy, CURLoption option, curl_write_callback value) {
    return curl.easy_setopt(easy, option, value);
}
CURLcode fmsg_curl_easy_setopt_progress(CURL *easy, CURLoption option,
                                        curl_xferinfo_callback value) {
    return curl.easy_setopt(easy, option, value);
}
CURLcode fmsg_curl_easy_setopt_prereq(CURL *easy, CURLoption option,
                                      curl_prereq_callback value) {
    return curl.easy_setopt(easy, option, value);
}

CURLcode fmsg_curl_easy_getinfo_long(CURL *easy, CURLINFO info, long *value) {
    return curl.easy_getinfo(easy, info, value);
}
CURLcode fmsg_curl_easy_getinfo_size(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl.easy_getinfo(easy, info, value);
}
CURLcode fmsg_curl_easy_getinfo_string(CURL *easy, CURLINFO info, const char **value) {
    return curl.easy_getinfo(easy, info, value);
}
CURLcode fmsg_curl_easy_getinfo_socket(CURL *easy, CURLINFO info, curl_socket_t *value) {
    return curl.easy_getinfo(easy, info, value);
}

CURLM *fmsg_curl_multi_init(void) { return curl.multi_init(); }
CURLMcode fmsg_curl_multi_cleanup(CURLM *multi) { return curl.multi_cleanup(multi); }
CURLMcode fmsg_curl_multi_setopt_long(CURLM *multi, CURLMoption option, long value) {
    return curl.multi_setopt(multi, option, value);
}
CURLMcode fmsg_curl_multi_add_handle(CURLM *multi, CURL *easy) {
    return curl.multi_add_handle(multi, easy);
}
CURLMcode fmsg_curl_multi_remove_handle(CURLM *multi, CURL *easy) {
    return curl.multi_remove_handle(multi, easy);
}
CURLMcode fmsg_curl_multi_perform(CURLM *multi, int *running) {
    return curl.multi_perform(multi, running);
}
CURLMcode fmsg_curl_multi_poll(CURLM *multi, struct curl_waitfd *extra, unsigned int count,
                               int milliseconds, int *ready) {
    return curl.multi_poll(multi, extra, count, milliseconds, ready);
}
CURLMcode fmsg_curl_multi_wakeup(CURLM *multi) { return curl.multi_wakeup(multi); }

CURL *fmsg_curl_multi_next_done(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl.multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

struct curl_slist *fmsg_curl_slist_append(struct curl_slist *list, const char *text) {
    return curl.slist_append(list, text);
}
void fmsg_curl_slist_free_all(struct curl_slist *list) { curl.slist_free_all(list); }

CURLU *fmsg_curl_url(void) { return curl.url(); }
void fmsg_curl_url_cleanup(CURLU *url) { curl.url_cleanup(url); }
CURLUcode fmsg_curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
    return curl.url_set(url, part, text, flags);
}
CURLUcode fmsg_curl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) {
    return curl.url_get(url, part, text, flags);
}
void fmsg_curl_free(void *text) { curl.free(text); }
