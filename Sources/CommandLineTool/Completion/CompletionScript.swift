/// The completion script of a shell: a thin layer that hands the line to the program itself (see
/// ``CompletionRequest``), so that what it proposes always is what the program understands.
public struct CompletionScript: Sendable {
    /// The programs that it serves: the main one first, then those of its external commands.
    let programs: [String]

    public init(_ parser: CommandLineParser) {
        programs =
            [parser.program]
            + parser.commands.filter(\.isExternal).map { "\(parser.program)-\($0.name)" }
    }

    /// The name of the shell function.
    private var function: String { "_\(programs[0])" }

    public func text(for shell: CompletionRequest.Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private var bash: String {
        """
        # bash completion for \(programs.joined(separator: ", ")). It asks the program itself.

        \(function)() {
            local program=$1 reply mode= entry word tab=$'\\t' width=0 index
            # A path that bash has not expanded is looked for on PATH.
            [[ $program == */* && ! -x $program ]] && program=${program##*/}
            COMPREPLY=()
            reply=$("$program" \(CompletionRequest.marker) bash \\
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

        complete -o nosort -F \(function) \(programs.joined(separator: " ")) 2>/dev/null ||
            complete -F \(function) \(programs.joined(separator: " "))

        """
    }

    private var zsh: String {
        """
        #compdef \(programs.joined(separator: " "))
        # zsh completion for \(programs.joined(separator: ", ")). It asks the program itself.

        \(function)() {
            local program=${(Q)words[1]} entry width=0
            local -a reply values shown
            # A path that zsh has not expanded is looked for on PATH.
            [[ $program == */* && ! -x $program ]] && program=${program:t}
            reply=("${(@f)$("$program" \(CompletionRequest.marker) zsh \\
                "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null </dev/null)}")
            case $reply[1] in
                files) compset -P 1 '--*='; _files; return ;;
                folders) compset -P 1 '--*='; _files -/; return ;;
            esac
            for entry in "${(@)reply[2,-1]}"; do
                values+=("${entry%%$'\\t'*}")
                ((${#values[-1]} <= width)) || width=${#values[-1]}
            done
            for entry in "${(@)reply[2,-1]}"; do
                if [[ $entry == *$'\\t'* ]]; then
                    shown+=("${(r:width:)${entry%%$'\\t'*}}  -- ${entry#*$'\\t'}")
                else
                    shown+=("$entry")
                fi
            done
            (($#values)) && compadd -l -V \(programs[0]) -d shown -a values
        }

        if [[ $funcstack[1] == \(function) ]]; then
            \(function) "$@"
        else
            compdef \(function) \(programs.joined(separator: " "))
        fi

        """
    }

    private var fish: String {
        let function = "_\(function)_complete"
        let lines = programs.map { "complete -c \($0) -f -k -a '(\(function))'" }
        return """
            # fish completion for \(programs.joined(separator: ", ")). It asks the program itself.

            function \(function)
                set -l words (commandline -opc)
                set -l current (commandline -ct)
                set -l program $words[1]
                set -e words[1]
                # An open quote is not part of the word.
                set -l typed (string replace -r '^["\\']' '' -- $current)
                set -l reply (command $program \(CompletionRequest.marker) fish $words "$typed" \\
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
                        string join \\n -- $reply
                end
            end

            \(lines.joined(separator: "\n"))

            """
    }
}
