/* Fetches one URL with libcurl and prints what comes: what `fmsg inbox` is measured against.

   Usage: FMSG_TOKEN=... fetch URL */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    const char *token = getenv("FMSG_TOKEN");
    if (argc != 2 || token == NULL) {
        fputs("usage: FMSG_TOKEN=... fetch URL\n", stderr);
        return 64;
    }
    char authorization[4096];
    int length = snprintf(authorization, sizeof authorization, "Authorization: Bearer %s", token);
    if (length < 0 || (size_t)length >= sizeof authorization) {
        fputs("fetch: the token is too long\n", stderr);
        return 64;
    }

    CURLcode result = curl_global_init(CURL_GLOBAL_DEFAULT);
    CURL *easy = result == CURLE_OK ? curl_easy_init() : NULL;
    struct curl_slist *headers = curl_slist_append(NULL, authorization);
    if (easy == NULL || headers == NULL) {
        fputs("fetch: libcurl cannot be used\n", stderr);
        return 1;
    }
    curl_easy_setopt(easy, CURLOPT_URL, argv[1]);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, stdout);
    result = curl_easy_perform(easy);
    if (result != CURLE_OK) fprintf(stderr, "fetch: %s\n", curl_easy_strerror(result));

    curl_slist_free_all(headers);
    curl_easy_cleanup(easy);
    curl_global_cleanup();
    return result == CURLE_OK && fflush(stdout) == 0 ? 0 : 1;
}
