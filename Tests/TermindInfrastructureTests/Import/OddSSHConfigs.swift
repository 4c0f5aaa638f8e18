/// Files with everything that is odd about the format; ours must say what `ssh` says.
enum OddSSHConfigs {
  struct Sample {
    var text: String
    var aliases: [String]

    init(_ text: String, _ aliases: String...) {
      self.text = text
      self.aliases = aliases.isEmpty ? ["Foo"] : aliases
    }
  }

  static let all: [Sample] = words + values + hosts + matches + jumps + forwards + variables

  static let words = [
    Sample("ConnectTimeout none\nConnectTimeout 5\nServerAliveInterval none\n"),
    Sample("AddressFamily inet6\n", "127.1", "fe80:0::1"),
    Sample("AddressFamily inet\n", "127.1", "fe80:0::1"),

    Sample("User=\"a b\"\n"), Sample("User = a#b\n"), Sample("User a #b\n"), Sample("User a b\n"),
    Sample("User \"a\"b\n"), Sample("\"User\" x\n"), Sample("User\tx\r\n"), Sample("User  =  x\n"),
    Sample("User == x\n"), Sample("User a\\ b\n"), Sample("User \"a\\\"b\"\n"),
    Sample("User 'a b'\n"), Sample("  \tUser x \u{C}\n"), Sample("User a\\\\b\n"),
    Sample("User \"a\n"), Sample("User\n"), Sample("User \"\"\n"), Sample("User #x\n"),
    Sample("uSeR x\nUSER y\n"), Sample("User x"), Sample("\r\n#c\r\n\r\nPort 9\r\nUser x\r\n"),
    Sample("User \"a'b\"\n"), Sample("User 'a\"b'\n"), Sample("User a\"b c\"d\n"),
    Sample("User \"a\\ b\"\n"), Sample("User a\\xb\n"), Sample("# User x\nUser y # z\n"),
    Sample("Us\"er\" x\n"), Sample("User\u{B}x\n"), Sample("User x\0y\n"),
    Sample("IdentityFile \"~/a b\"\nIdentityFile ~/c\\ d\nIdentityFile=e\n"),
    Sample("User größe\n"),
  ]

  static let values = [
    Sample("Port 0\n"), Sample("Port 65536\n"), Sample("Port http\n"), Sample("Port 022\n"),
    Sample("Port +22\n"), Sample("Port -1\n"), Sample("Port x\n"), Sample("Port 22 23\n"),
    Sample("ConnectionAttempts 0x10\n"), Sample("ConnectionAttempts 7\n"),
    Sample("ServerAliveCountMax -1\n"), Sample("ServerAliveCountMax 99999999999\n"),
    Sample("ConnectTimeout none\nServerAliveInterval 1h5\n"),
    Sample("ConnectTimeout 0\nServerAliveInterval 1w\n"), Sample("ConnectTimeout 1M30S\n"),
    Sample("ConnectTimeout 5x\n"), Sample("ConnectTimeout -5\n"), Sample("ConnectTimeout 99999w\n"),
    Sample("ConnectTimeout m\n"), Sample("ServerAliveInterval none\n"),
    Sample("AddressFamily ANY\n"), Sample("AddressFamily inet4\n"), Sample("AddressFamily INET6\n"),
    Sample("Compression true\n"), Sample("Compression YES\n"), Sample("ForwardAgent true\n"),
    Sample("ForwardAgent /\n"), Sample("ForwardAgent ${HOME}\n"), Sample("ForwardAgent $NAME\n"),
    Sample("IdentitiesOnly True\n"), Sample("IdentitiesOnly maybe\n"),
    Sample("StrictHostKeyChecking true\n"), Sample("StrictHostKeyChecking off\n"),
    Sample("StrictHostKeyChecking accept-new\n"), Sample("StrictHostKeyChecking YES\n"),
    Sample("PubkeyAuthentication no\n"), Sample("PubkeyAuthentication unbound\n"),
    Sample("PubkeyAuthentication host-bound\n"), Sample("RequestTTY force\n"),
    Sample("RequestTTY true\n"), Sample("RequestTTY no\n"), Sample("SessionType none\n"),
    Sample("SessionType subsystem\n"), Sample("PreferredAuthentications a, b\n"),
    Sample("PreferredAuthentications password,publickey\n"), Sample("HostKeyAlias \"A b\"\n"),
    Sample("HostKeyAlias %h\n"), Sample("BindAddress \"\"\n"), Sample("BindAddress 1.2.3.4\n"),
    Sample("BindInterface eth0\n"), Sample("KeepAlive no\nTCPKeepAlive yes\n"),
    Sample("ChallengeResponseAuthentication no\n"), Sample("KbdInteractiveAuthentication no\n"),
    Sample("PasswordAuthentication no\n"),
    Sample("NumberOfPasswordPrompts 1\n"), Sample("HashKnownHosts yes\nCheckHostIP yes\n"),
    Sample("ExitOnForwardFailure yes\nGatewayPorts yes\n"),
    Sample("RemoteCommand a b # c\nRequestTTY yes\n"), Sample("RemoteCommand none\n"),
    Sample("RemoteCommand \"a b\" c\n"), Sample("RemoteCommand =  x%%y %n %u %h %p\n"),
    Sample("RemoteCommand ${HOME}\n"), Sample("RemoteCommand %z\n"),
    Sample("UserKnownHostsFile a none\n"), Sample("UserKnownHostsFile none\n"),
    Sample("UserKnownHostsFile a ~/b \"c d\"\nUserKnownHostsFile q\n"),
    Sample("UserKnownHostsFile ${NOPE}\n"), Sample("UserKnownHostsFile ~/%k ${HOME}/x%%y\n"),
    Sample("GlobalKnownHostsFile ~/x /y\n"), Sample("IdentityAgent none\n"),
    Sample("IdentityAgent SSH_AUTH_SOCK\n"), Sample("IdentityAgent ${NOPE}\n"),
    Sample("IdentityAgent $NAME\n"), Sample("IdentityAgent $HOME/x\n"),
    Sample("IdentityAgent ${HOME}/x\n"),
    Sample("Port 9\nIdentityAgent %d/x-%i-%u-%r-%p-%n-%k-%l-%L\n"), Sample("IdentityAgent %\n"),
    Sample("IdentityFile a\nIdentityFile a\nIdentityFile ~/.ssh/b\n"),
    Sample("IdentityFile none\nIdentityFile x\n"), Sample("IdentityFile a b\n"),
    Sample("CertificateFile a\nCertificateFile a\nCertificateFile b\n"),
    Sample("Ciphers aes128-ctr\nUser x\n"), Sample("LogLevel debug\nControlMaster auto\n"),
    Sample("IgnoreUnknown Foo*,bar\nFooBar 1\nBAR x y\nUser z\n"),
    Sample((0..<100).map { "IdentityFile k\($0)\n" }.joined()),
    Sample((0..<101).map { "IdentityFile k\($0)\n" }.joined()),
  ]

  static let hosts = [
    Sample("Host foo bar\n User x\nMatch all\n Port 3\n", "Foo", "foo", "bar"),
    Sample("Host * !foo\n User x\n", "foo", "fob"), Sample("Host !foo\n User x\n", "bar"),
    Sample("Host f?o b*r*\n User x\nHost *\n User y\n", "foo", "fo", "bar", "br", "barb"),
    Sample("Host\nPort 9\n"), Sample("Host \"\"\nPort 9\n"), Sample("Host=Foo\nPort 9\n"),
    Sample("Host = Foo Bar # Baz\nPort 9\n", "Foo", "Baz"),
    Sample("Host a,b\nPort 9\n", "a", "b"),
    Sample("HostName x.%h\n"), Sample("HostName x.%p\n"), Sample("HostName %%h\n"),
    Sample("HostName 127.1\n"), Sample("HostName FE80:0:0::1\n"), Sample("HostName Web.Example\n"),
    Sample(
      "Port 22\n",
      "127.1",
      "5",
      "0x7f.1",
      "08.1",
      "fe80::1%lo",
      "::ffff:1.2.3.4",
      "1.2.3.4.5",
      "0177.0.0.1",
      "1.2.3.256",
      "4294967295",
      "4294967296",
      "::",
      "1::",
      "::1.2.3.4",
      "2001:db8:0:0:1:0:0:1",
      "2001:DB8::",
      "1:0:0:2:0:0:0:3",
      "1:2:3:4:5:6:7:8",
      "1.2.3."
    ),
    Sample("Host web\n HostName 10.0.0.1\n User a\nHost 10.*\n User b\n", "web", "10.0.0.1"),
    Sample("User a\nHost x\n User b\n", "x"),
  ]

  static let matches = [
    Sample("Match host foo\n User x\n"), Sample("Match host FOO,x\n User x\n"),
    Sample("Match originalhost=F*\nUser x\n"), Sample("Match originalhost !foo,*\nUser x\n"),
    Sample("Match user root host \"foo\"\nUser x\n"), Sample("Match !final\nUser q\n"),
    Sample("Match final\nSendEnv Q\nMatch all\nSendEnv A\nIdentityFile q\nLocalForward 1 a:2\n"),
    Sample("HostName A.%h\nMatch host a.foo\nUser q\n"),
    Sample(
      "HostName bar\nMatch host bar\nUser q\nMatch final host bar\nPort 9\nHost bar\nCompression yes\n"
    ),
    Sample("CanonicalizeHostname yes\nMatch canonical\nPort 9\n"),
    Sample("CanonicalizeHostname always\nMatch canonical all\nPort 9\nMatch !canonical\nUser x\n"),
    Sample("Match localuser root\nPort 3\nMatch canonical\nPort 9\n"),
    Sample("Match user x\nPort 3\nHost *\nUser x\nMatch user x\nIdentityFile y\n"),
    Sample("Match\nUser x\n"), Sample("Match foo bar\n"), Sample("Match host\n"),
    Sample("Match all host x\n"), Sample("Match host Foo all\nPort 9\n"),
    Sample("Match all # c\nPort 9\n"), Sample("Match host foo # c\nPort 9\n"),
    Sample("Match host foo user root all\nPort 9\n"), Sample("Match !host foo\nPort 9\n"),
    Sample("Match !all\nPort 9\n"), Sample("MATCH HOST foo\nPort 9\n"),
    Sample("Match host \"foo\nPort 9\n"), Sample("Match host \"a,foo\" user \"root\"\nPort 9\n"),
    Sample("Match user ro?t,!root\nPort 9\n"), Sample("Match host foo,\nPort 9\n"),
    Sample("HostName %x\nMatch host y\nPort 9\n"),
    Sample("Match final host foo\nHostName late\nMatch all\nPort 5\n"),
    Sample(
      "Match final\nIdentityFile last\nUserKnownHostsFile k\nSetEnv A=1\nMatch all\nSetEnv B=2\nIdentityFile first\n"
    ),
  ]

  static let jumps = [
    Sample("ProxyJump none\nProxyCommand nc\n"), Sample("ProxyJump NONE\nProxyJump b\n"),
    Sample("ProxyCommand none\nProxyJump b\n"), Sample("ProxyJump a\nProxyCommand nc\n"),
    Sample("ProxyCommand nc %%h # x\nProxyJump a\n"), Sample("ProxyJump a b\n"),
    Sample("ProxyJump c,a b\n"), Sample("ProxyJump a # x\n"), Sample("ProxyJump=a,b@c:5\n"),
    Sample("ProxyJump a:99999\n"), Sample("ProxyJump a:http\n"), Sample("ProxyJump [::1]:5\n"),
    Sample("ProxyJump ::1\n"), Sample("ProxyJump ssh://a\n"), Sample("ProxyJump ssh://a/\n"),
    Sample("ProxyJump ssh://a/x\n"), Sample("ProxyJump ssh://u%40x@a:23\n"),
    Sample("ProxyJump a,,b\n"), Sample("ProxyJump ,b\n"), Sample("ProxyJump b,\n"),
    Sample("ProxyJump @b\n"), Sample("ProxyJump u@\n"), Sample("ProxyJump a/b\n"),
    Sample("ProxyJump a,none\n"), Sample("ProxyJump u@x@b\n"), Sample("ProxyJump Bastion\n"),
    Sample("ProxyJump a:0\n"), Sample("ProxyJump a:022\n"), Sample("ProxyJump [a]:22\n"),
    Sample("ProxyJump a:\n"), Sample("ProxyJump [fe80::1%eth0]:4\n"),
    Sample("Host x\nProxyJump a:99999\n"), Sample("ProxyJump none\nHost *\nProxyJump x\n"),
    Sample("ProxyJump %r@%h.b\n"), Sample("ProxyJump %r@%h.b:%p\n"),
    Sample("ProxyJump ssh://%r@b\n"),
    Sample("ProxyJump b#c\n"), Sample("ProxyJump a,ssh://u@h:23/\n"), Sample("ProxyJump\n"),
  ]

  static let forwards = [
    Sample("LocalForward 80 h\n"), Sample("LocalForward 80 h:99999\n"), Sample("LocalForward 80\n"),
    Sample("LocalForward 80 h:80\nLocalForward 80 h:80\n"), Sample("LocalForward 1:2 3:4\n"),
    Sample("LocalForward 1:2:3:4\n"), Sample("LocalForward h/80 h/90\n"),
    Sample("LocalForward [::1]:80 [::2]:90\n"), Sample("LocalForward ::1/80 ::2/90\n"),
    Sample("LocalForward 0 a:1\n"), Sample("RemoteForward 0 a:1\n"), Sample("RemoteForward 0\n"),
    Sample("DynamicForward 0\n"), Sample("DynamicForward a b\n"), Sample("LocalForward 80 a:1 c\n"),
    Sample("LocalForward /a /c\n"), Sample("LocalForward 80 /c\n"),
    Sample("LocalForward :80 a:1\n"),
    Sample("LocalForward http a:ssh\n"), Sample("LocalForward \\[::1\\]:80 a:1\n"),
    Sample("LocalForward 8\\:0 a:1\n"), Sample("RemoteForward /a\n"),
    Sample("RemoteForward 1080 /s\n"), Sample("ClearAllForwardings yes\nLocalForward 80 a:1\n"),
    Sample("LocalForward 80 a:0\n"), Sample("DynamicForward /a\n"),
    Sample("DynamicForward h:80\nDynamicForward [h]:80\n"), Sample("LocalForward ${PORT} a:1\n"),
    Sample("LocalForward ${NOPE} a:1\n"), Sample("LocalForward /%x /b\n"),
    Sample("LocalForward /s-%h /b-%p\n"), Sample("DynamicForward 1:2:3\n"),
    Sample("LocalForward 80 [::1]\n"), Sample("LocalForward 80 a:b:c\n"),
    Sample("RemoteForward 90 a:1\nRemoteForward 91 a:1\n"), Sample("LocalForward a:80 /c:d\n"),
    Sample("LocalForward /a:b /c:d\n"), Sample("DynamicForward *:80\n"),
    Sample("LocalForward *:80 localhost:81\nRemoteForward [::]:1 /x/y\n"),
    Sample("LocalForward 80: h:1\n"), Sample("LocalForward [a:80 h:1\n"),
  ]

  static let variables = [
    Sample("SendEnv A B A\nSendEnv -A\n"), Sample("SendEnv A=1\n"), Sample("SendEnv -A\n"),
    Sample("SendEnv LC_* -LC_A* X\n"), Sample("SendEnv \"\"\n"),
    Sample("SendEnv A B*\nSendEnv -B*\n"),
    Sample("SetEnv A\n"), Sample("SetEnv A=1 \"\" B=2\n"), Sample("SetEnv A=1 A=2 B=\"x y\"\n"),
    Sample("SetEnv A=1\nSetEnv B=2\n"), Sample("SetEnv A=$HOME B=${HOME} C=%h\n"),
    Sample("SetEnv A=\n"), Sample("SetEnv \"A=x # y\" # z\n"),
  ]
}
