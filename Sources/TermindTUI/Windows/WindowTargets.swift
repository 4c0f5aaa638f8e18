import TermindDomain
import TermindPresentation

/// What the last frame drew where, so that a click finds it.
struct WindowTargets {
  var tabs: [(columns: Range<Int>, target: TabBar.Target)] = []
  var sidebar: [(row: Int, target: Sidebar.Target)] = []
  var welcomeHosts: [(row: Int, host: Int)] = []
}
