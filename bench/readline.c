/* The barest program over readline: what the prompt of `fmsg repl` is measured against. With a URL it
   makes one request before its first prompt.

   Usage: readline
          FMSG_TOKEN=... readline URL */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

#include <readline/history.h>
#include <readline/readline.h>

static size_t drop(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    (void)context;
    return size * count;
}

static int request(const char *url, const char *token) {
    char authorization[4096];
    int length = snprintf(authorization, sizeof authorization, "Authorization: Bearer %s", token);
    if (length < 0 || (size_t)length >= sizeof authorization) return 0;
    CURL *easy = curl_easy_init();
    struct curl_slist *headers = curl_slist_append(NULL, authorization);
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, drop);
    return curl_easy_perform(easy) == CURLE_OK;
}

int main(int argc, char **argv) {
    const char *token = getenv("FMSG_TOKEN");
    if (argc > 1 && (token == NULL || !request(argv[1], token))) return 1;
    char *line;
    while ((line = readline("> ")) != NULL) {
        add_history(line);
        puts(line);
        free(line);
    }
    return 0;
}
