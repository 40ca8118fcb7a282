# bash completion for fmsg, fmsg-repl, fmsg-host. It asks the program itself.

_fmsg() {
    local program=$1 reply mode= entry word tab=$'\t' width=0 index
    # A path that bash has not expanded is looked for on PATH.
    [[ $program == */* && ! -x $program ]] && program=${program##*/}
    COMPREPLY=()
    reply=$("$program" __complete bash \
        "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null </dev/null) || return 0
    while IFS= read -r entry; do
        if [[ -z $mode ]]; then
            mode=$entry
        else
            word=${entry%%"$tab"*}
            ((${#word} <= width)) || width=${#word}
            COMPREPLY+=("$entry")
        fi
    done <<<"$reply"
    case $mode in
        files) compopt -o default 2>/dev/null ;;
        folders) compopt -o dirnames 2>/dev/null ;;
    esac
    # Descriptions are for choosing: never for what is inserted at once (42 and 37 are the
    # keys that insert all or each in turn).
    for index in "${!COMPREPLY[@]}"; do
        entry=${COMPREPLY[index]}
        word=${entry%%"$tab"*}
        if ((${#COMPREPLY[@]} > 1 && COMP_TYPE != 42 && COMP_TYPE != 37)) &&
            [[ $entry == *"$tab"* ]]; then
            printf -v word '%-*s  %s' "$width" "$word" "${entry#*"$tab"}"
        fi
        COMPREPLY[index]=$word
    done
}

complete -o nosort -F _fmsg fmsg fmsg-repl fmsg-host 2>/dev/null ||
    complete -F _fmsg fmsg fmsg-repl fmsg-host
