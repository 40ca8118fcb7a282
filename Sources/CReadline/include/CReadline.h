// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef FMSG_CREADLINE_H
#define FMSG_CREADLINE_H

#include <stdbool.h>
#include <stddef.h>

// GNU readline by its callback interface. It has one line and one terminal, so all of this is to be
// called by one thread. Signals are not readline's here: the caller tells of them.

/// What became of the line by what was typed.
typedef enum {
    /// It is still being typed.
    creadline_typing,
    /// It is whole: creadline_line has it.
    creadline_entered,
    /// The editor is wanted for it: creadline_line has what there is of it.
    creadline_editor_wanted,
    /// The input has ended, or its end was typed on an empty line.
    creadline_ended,
} creadline_outcome;

/// Prepares readline. UTF-8 is typed and shown whatever the locale. `name` is what an `$if` of an
/// inputrc compares.
void creadline_start(const char *name);

/// Shows the prompt, and `line` after it, and takes the terminal: keys come as they are typed.
/// Looks in the prompt stand between \001 and \002.
void creadline_begin(const char *prompt, const char *line);

/// Gives the terminal back. What was typed of a line is lost.
void creadline_end(void);

/// Reads what was typed: at least a byte must be there.
creadline_outcome creadline_read(void);

/// The line that was entered, to be freed; NULL when there is none.
char *creadline_line(void);

/// Whether something other than the line is shown, such as a search: the prompt is then not to be
/// touched.
bool creadline_is_busy(void);

/// Clears prompt and line off the screen: the cursor is where they began, and something else can be
/// written there.
void creadline_clear(void);

/// Shows prompt and line again, at the cursor, which is at the beginning of a row.
void creadline_show(const char *prompt);

/// The line as it stands, as UTF-8, and the bytes of it before the cursor.
const char *creadline_typed(size_t *cursor);

/// Takes the terminal's new size in.
void creadline_take_size(void);

/// Forgets the line that is being typed, and any search or argument. It stays on the screen, with
/// ^C after it.
void creadline_forget(void);

/// Gives the terminal back, or takes it again, while the line stays.
void creadline_release_terminal(void);
void creadline_retake_terminal(void);

// History, oldest first.
void creadline_add_history(const char *line);
void creadline_clear_history(void);

/// Called when completion is asked for, with the line, the bytes before the cursor, and the byte
/// where what is replaced begins. Gives a list made with malloc, ended by NULL: what all candidates
/// begin with first, then, if there are several, each of them; NULL for none. `is_whole` is whether
/// a blank can follow a single one.
typedef char **(*creadline_completer)(const char *line, size_t cursor, size_t start,
                                      bool *is_whole);

/// Called to write the candidates of the last call, whole lines.
typedef void (*creadline_displayer)(void);

void creadline_set_completer(creadline_completer completer, creadline_displayer displayer);

#endif
