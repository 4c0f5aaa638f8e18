/// What shells are given at their start so that they mark prompts and commands (OSC 133) and tell their directory (OSC 7).
///
/// Each reads the person's own startup files first, does nothing a second time, leaves `$?` as it is, and adds nothing to
/// the history.
enum ShellScripts {
  /// Read through `ENV` by a login shell in POSIX mode, which reads nothing else; it leaves that mode at once.
  static let bash = #"""
    # Read by bash in place of its startup files: it reads those first, then marks prompts and commands.
    set +o posix
    exec 9<&-
    if [ -n "${TERMIND_ENV+x}" ]; then ENV=$TERMIND_ENV; else unset ENV; fi
    unset TERMIND_ENV
    shopt -u inherit_errexit 2>/dev/null
    case ${HISTFILE-} in */.sh_history) HISTFILE=~/.bash_history ;; esac
    if [ -r /etc/profile ]; then . /etc/profile; fi
    if [ -r ~/.bash_profile ]; then . ~/.bash_profile
    elif [ -r ~/.bash_login ]; then . ~/.bash_login
    elif [ -r ~/.profile ]; then . ~/.profile
    fi
    if [ -z "${__termind_zero-}" ]; then
      __termind_zero=0
      __termind_encode() {
        local LC_ALL=C byte i
        REPLY=
        for ((i = 0; i < ${#1} && i < 4096; i++)); do
          byte=${1:i:1}
          case $byte in
            [a-zA-Z0-9/._~-]) REPLY+=$byte ;;
            *) printf -v byte %d "'$byte"; printf -v byte %%%02X $((byte & 255)); REPLY+=$byte ;;
          esac
        done
      }
      __termind_line() {
        local line REPLY
        line=$(HISTTIMEFORMAT= builtin history 1)
        [[ $line != "$__termind_seen" && $line =~ ^\ *[0-9]+[\ *]\ (.*)$ ]] || return
        __termind_encode "${BASH_REMATCH[1]}"
        printf ';cmdline_url=%s' "$REPLY"
      }
      __termind_before() {
        local status=$? now
        if [[ -n ${__termind_ran-} ]]; then
          now=${EPOCHREALTIME-}
          now=${now/[.,]/}
          if [[ -n $now ]]; then now=";duration_ms=$(((now - __termind_ran) / 1000))"; fi
          printf '\e]133;D;%d%s\a' "$status" "$now"
          __termind_ran=
        fi
        return "$status"
      }
      __termind_after() {
        local status=$? REPLY
        __termind_encode "$PWD"
        printf '\e]7;file://%s%s\a' "$HOSTNAME" "$REPLY"
        if [[ $PS1 != *'133;B'* ]]; then PS1='\[\e]133;A\a\]'$PS1'\[\e]133;B\a\]'; fi
        if [[ ${PS0-} != *'133;C'* ]]; then
          PS0=${PS0-}'${__termind_zero:$((__termind_ran=${EPOCHREALTIME/[.,]/}+0,1)):0}\e]133;C$(__termind_line)\a'
        fi
        __termind_seen=$(HISTTIMEFORMAT= builtin history 1)
        return "$status"
      }
      PROMPT_COMMAND=$'__termind_before\n'${PROMPT_COMMAND-}
      if [[ ${#PROMPT_COMMAND[@]} -gt 1 ]]; then
        PROMPT_COMMAND+=(__termind_after)
      else
        PROMPT_COMMAND+=$'\n__termind_after'
      fi
    fi
    """#

  /// The `.zshenv` of a directory in memory that `ZDOTDIR` names, and that it removes.
  static let zsh = #"""
    # The .zshenv of a directory that is gone by now: the person's own files come next, then prompts are marked.
    command rm -rf -- "$ZDOTDIR"
    if [[ -n ${TERMIND_ZDOTDIR+x} ]]; then ZDOTDIR=$TERMIND_ZDOTDIR; else unset ZDOTDIR; fi
    unset TERMIND_ZDOTDIR
    if [[ -r ${ZDOTDIR:-$HOME}/.zshenv ]]; then . "${ZDOTDIR:-$HOME}/.zshenv"; fi
    if [[ -o interactive && -z ${__termind_zero-} ]]; then
      typeset -g __termind_zero=0 __termind_ran=
      zmodload zsh/datetime 2>/dev/null
      __termind_encode() {
        emulate -L zsh -o no_multibyte -o extended_glob
        local MATCH MBEGIN MEND
        typeset -g REPLY=${${1[1,4096]}//(#m)[^a-zA-Z0-9\/._~-]/%${(l:2::0:)$(([##16] #MATCH))}}
      }
      __termind_before() {
        local exit=$? now=
        if [[ -n $__termind_ran ]]; then
          if [[ -n ${EPOCHREALTIME-} ]]; then
            printf -v now ';duration_ms=%d' $(((EPOCHREALTIME - __termind_ran) * 1000))
          fi
          printf '\e]133;D;%d%s\a' $exit "$now"
          __termind_ran=
        fi
        return $exit
      }
      __termind_after() {
        local exit=$? REPLY
        precmd_functions=(__termind_before ${precmd_functions:#__termind_*} __termind_after)
        preexec_functions=(${preexec_functions:#__termind_*} __termind_command)
        __termind_encode "$PWD"
        printf '\e]7;file://%s%s\a' "$HOST" "$REPLY"
        if [[ $PS1 != *'133;B'* ]]; then PS1=$'%{\e]133;A\a%}'$PS1$'%{\e]133;B\a%}'; fi
        return $exit
      }
      __termind_command() {
        local REPLY
        __termind_ran=${EPOCHREALTIME:-0}
        if [[ -n $1 ]]; then
          __termind_encode "$1"
          printf '\e]133;C;cmdline_url=%s\a' "$REPLY"
        else
          printf '\e]133;C\a'
        fi
      }
      precmd_functions=(__termind_after)
      preexec_functions=(__termind_command)
    fi
    """#

  /// Run after the configuration files.
  static let fish = #"""
    if status is-interactive; and not set -q __termind_on
      set -g __termind_on
      function __termind_prompt --on-event fish_prompt
        printf '\e]7;file://%s%s\a' $hostname (string escape --style=url -- $PWD)
        printf '\e]133;A\a'
      end
      function __termind_command --on-event fish_preexec
        printf '\e]133;C;cmdline_url=%s\a' (string join \n -- $argv[1] | string collect | string escape --style=url)
      end
      function __termind_end --on-event fish_postexec
        printf '\e]133;D;%d;duration_ms=%d\a' $status $CMD_DURATION
      end
      functions -q fish_prompt; and functions -c fish_prompt __termind_own_prompt
      function fish_prompt
        functions -q __termind_own_prompt; and __termind_own_prompt
        printf '\e]133;B\a'
      end
    end
    """#
}
