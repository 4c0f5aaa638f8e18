/// What `termind --help` prints.
nonisolated enum UsageText {
  static let text = """
    Usage: termind [COMMAND]

    Without a command, opens a new window in this terminal.

      attach [WINDOW]        show a detached window here: the last one used, or the one named
      run [--] CMD [ARGS]    open a window whose first pane runs CMD on this machine
      ssh [OPTIONS] HOST     open a window whose first pane connects to [user@]HOST
      open HOST… [OPTIONS]   open a window with hosts, --tag TAG or --template NAME in one workspace
      cp [-r] SRC… DST       copy files; either side may be HOST:PATH (see Docs/CommandLine.md)
      get [-r] HOST:PATH… [DIR]   copy from a host
      put [-r] FILE… HOST:[PATH]  copy to a host
      mirror SRC DST         make a directory hold what another one holds [--delete] [--dry-run]
      ls [--json]            list the windows of the running server
      ctl VERB [OPTIONS]     drive the running server from a script (see Docs/Control.md)
      host VERB [OPTIONS]    list, show, add, edit or rm saved hosts; likewise identity, key,
                             known-host, snippet and template (see Docs/CommandLine.md)
      snippet run NAME --on HOST…  run a snippet on hosts, or on those of --tag TAG
      import KIND [FILE]     import ssh-config, known-hosts, putty or csv; shows first what it does
      export KIND [--json]   print hosts, known-hosts or ssh-config; never secrets
      quit [--force]         end the server and every session
      doctor [--json]        show what this terminal can do, where data lies, and what is wrong
      --demo                 open a window on a private demonstration
      --version              print the version
      --help                 print this text

    Environment:
      TERMIND_HOME=DIR       keep configuration, data, state and socket under DIR

    """
  /// What `--help` of the commands that copy prints.
  static let copying = """
    Usage: termind cp [OPTIONS] SRC… DST
           termind get [OPTIONS] HOST:PATH… [DIR]
           termind put [OPTIONS] FILE… HOST:[PATH]
           termind mirror [OPTIONS] SRC DST

    SRC and DST are paths here, or HOST:PATH; a host with a port is [USER@HOST:PORT].

      -r, --recursive   copy directories too (mirror always does)
      --overwrite       replace what has the same name
      --newer           replace it when it is older or of another size
      --skip            leave it
      --keep-both       take another name
      --delete          mirror: delete what only DST has, once all is copied
      -n, --dry-run     mirror: only tell what would be done
      --contents        mirror: compare by every byte
      -v, --verbose     tell each file
      -q, --quiet       tell problems only
      --json            tell everything, one object a line

    Docs/CommandLine.md has the exit codes and the rest.

    """
}
