// SPDX-License-Identifier: GPL-3.0-or-later
#include "CReadline.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/history.h>
#include <readline/readline.h>

static creadline_outcome outcome;
static char *entered;
static bool wants_editor;

static void take_line(char *line) {
    // Now, or readline shows the prompt once more.
    rl_callback_handler_remove();
    entered = line;
    outcome = line ? wants_editor ? creadline_editor_wanted : creadline_entered : creadline_ended;
    wants_editor = false;
}

static int call_editor(int count, int key) {
    wants_editor = true;
    return rl_newline(count, key);
}

void creadline_start(const char *name) {
    // readline asks the environment by itself.
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) setenv("LC_ALL", "C.UTF-8", 1);
    rl_readline_name = name;
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_change_environment = 0;
    // A question in the middle of a line would stop everything else.
    rl_completion_query_items = -1;
    rl_add_defun("edit-and-execute-command", call_editor, -1);
    rl_initialize();
    rl_variable_bind("page-completions", "off");
    rl_bind_keyseq_in_map("\\C-x\\C-e", call_editor, emacs_standard_keymap);
    rl_bind_keyseq_in_map("\\C-x\\C-e", call_editor, vi_insertion_keymap);
    rl_bind_key_in_map('v', call_editor, vi_movement_keymap);
    using_history();
}

void creadline_begin(const char *prompt, const char *line) {
    outcome = creadline_typing;
    using_history();
    rl_reset_screen_size();
    rl_callback_handler_install(prompt, take_line);
    if (*line) {
        rl_insert_text(line);
        rl_redisplay();
    }
}

void creadline_end(void) { rl_callback_handler_remove(); }

creadline_outcome creadline_read(void) {
    rl_callback_read_char();
    return outcome;
}

char *creadline_line(void) {
    char *line = entered;
    entered = NULL;
    return line;
}

bool creadline_is_busy(void) {
    return RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH | RL_STATE_NUMERICARG |
                      RL_STATE_METANEXT | RL_STATE_MULTIKEY | RL_STATE_VIMOTION |
                      RL_STATE_CHARSEARCH | RL_STATE_MOREINPUT | RL_STATE_COMPLETING) != 0;
}

void creadline_clear(void) {
    rl_clear_visible_line();
    fflush(rl_outstream);
}

void creadline_show(const char *prompt) {
    rl_set_prompt(prompt);
    rl_on_new_line();
    rl_forced_update_display();
    fflush(rl_outstream);
}

const char *creadline_typed(size_t *cursor) {
    *cursor = rl_point > 0 ? (size_t)rl_point : 0;
    return rl_line_buffer;
}

void creadline_take_size(void) { rl_reset_screen_size(); }

void creadline_forget(void) {
    rl_callback_sigcleanup();
    rl_free_line_state();
    rl_point = rl_end;
    rl_redisplay();
    fputs("^C", rl_outstream);
    rl_crlf();
    rl_replace_line("", 0);
    fflush(rl_outstream);
}

void creadline_release_terminal(void) {
    fflush(rl_outstream);
    rl_deprep_terminal();
}

void creadline_retake_terminal(void) { rl_prep_terminal(1); }

void creadline_add_history(const char *line) {
    add_history(line);
    using_history();
}

void creadline_clear_history(void) { clear_history(); }

static creadline_completer find_candidates;
static creadline_displayer show_candidates;

static char **complete(const char *text, int start, int end) {
    (void)text;
    (void)end;
    rl_attempted_completion_over = 1;
    bool is_whole = true;
    char **candidates =
        find_candidates(rl_line_buffer, (size_t)rl_point, (size_t)start, &is_whole);
    rl_completion_suppress_append = !is_whole;
    rl_completion_suppress_quote = 1;
    return candidates;
}

static void display(char **matches, int count, int longest) {
    (void)matches;
    (void)count;
    (void)longest;
    rl_crlf();
    fflush(rl_outstream);
    show_candidates();
    rl_on_new_line();
    rl_forced_update_display();
}

// Where readline lets a word begin; the completer knows words better.
static char *word_breaks(void) { return " \t\n|;"; }

void creadline_set_completer(creadline_completer completer, creadline_displayer displayer) {
    find_candidates = completer;
    show_candidates = displayer;
    rl_attempted_completion_function = complete;
    rl_completion_display_matches_hook = display;
    rl_completion_word_break_hook = word_breaks;
    rl_completer_quote_characters = "";
    rl_sort_completion_matches = 0;
    rl_ignore_completion_duplicates = 0;
}
