# fish completion for fmsg, fmsg-repl, fmsg-host. It asks the program itself.

function __fmsg_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    # An open quote is not part of the word.
    set -l typed (string replace -r '^["\']' '' -- $current)
    set -l reply (command $program __complete fish $words "$typed" \
        2>/dev/null </dev/null)
    # A value after = is completed by itself.
    set -l before (string match -r -- '^--[^=]*=' $current)
    set -l rest (string replace -r -- '^--[^=]*=' '' $current)
    switch "$reply[1]"
        case files
            string replace -r -- '^' "$before" (__fish_complete_path "$rest")
        case folders
            string replace -r -- '^' "$before" (__fish_complete_directories "$rest" '')
        case '*'
            set -e reply[1]
            string join \n -- $reply
    end
end

complete -c fmsg -f -k -a '(__fmsg_complete)'
complete -c fmsg-repl -f -k -a '(__fmsg_complete)'
complete -c fmsg-host -f -k -a '(__fmsg_complete)'
