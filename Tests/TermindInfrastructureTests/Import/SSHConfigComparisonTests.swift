import Testing
import TermindDomain
import TermindInfrastructure
import TermindTestSupport

@Suite("ssh_config beside ssh -G") struct SSHConfigComparisonTests {
  @Test("agrees with ssh on every odd file")
  func oddFiles() async throws {
    let oracle = try SSHOracle()
    let baseline = try await oracle.baseline()
    for (number, sample) in OddSSHConfigs.all.enumerated() {
      let path = try oracle.folder.write("odd-\(number)", sample.text)
      for alias in sample.aliases {
        let question = SSHOracle.Question(alias: alias)
        let difference = try await oracle.difference(path, question, baseline: baseline)
        #expect(difference == nil, "\(sample.text)")
      }
    }
  }

  @Test("each option that is compared is set in some file of those two kinds")
  func everyOption() throws {
    let oracle = try SSHOracle()
    var texts = OddSSHConfigs.all.map(\.text)
    var generator = RandomSSHConfig(seed: 11, folder: oracle.folder)
    for round in 0..<50 { texts.append(try generator.write(round).text) }
    let keywords = Set(
      texts.joined(separator: "\n").split(whereSeparator: \.isNewline).compactMap { line in
        line.split { " \t=\"".contains($0) }.first?.lowercased()
      }
    )
    let missing = SSHOracle.compared.map(\.rawValue).filter { !keywords.contains($0) }
    #expect(missing.isEmpty)
  }

  @Test(
    "agrees with ssh on whether old algorithms are asked for",
    arguments: SSHOldAlgorithms.all.indices
  )
  func oldAlgorithms(index: Int) async throws {
    let oracle = try SSHOracle()
    let (_, option, names) = SSHOldAlgorithms.all[index]
    let usual = try await oracle.baseline()[option.rawValue]?.first ?? ""
    #expect(
      !usual.isEmpty && Set(usual.split(separator: ",").map(String.init)).isDisjoint(with: names)
    )
    let modern = try #require(usual.split(separator: ",").first)
    let values =
      [String(modern), "-\(names[0])", "+\(modern)", "^\(modern)"]
      + names.flatMap { [$0, "+\($0)", "^\($0)", "\(modern),\($0)"] }
      // Only names of keys may be patterns there.
      + ([.hostKeyAlgorithms, .pubkeyAcceptedAlgorithms].contains(option) ? ["+ssh-r*", "^*"] : [])
    for value in values {
      let text = "Host x\n  \(option.rawValue) \(value)\n"
      let path = try oracle.folder.write("old", text)
      let question = SSHOracle.Question(alias: "x")
      let list = try await oracle.expected(path, question).options?[option.rawValue]?.first
      let theirs = try #require(list, "\(text)").split(separator: ",").map(String.init)
      #expect(
        SSHOldAlgorithms.isAsked(by: value, of: option) == !Set(theirs).isDisjoint(with: names),
        "\(text) \(theirs)"
      )
    }
  }

  @Test("agrees with ssh on files made at random", arguments: [11, 23, 41, 83] as [UInt64])
  func randomFiles(seed: UInt64) async throws {
    let oracle = try SSHOracle()
    let baseline = try await oracle.baseline()
    var generator = RandomSSHConfig(seed: seed, folder: oracle.folder)
    for round in 0..<50 {
      let (path, text) = try generator.write(round)
      for question in generator.questions() {
        let difference = try await oracle.difference(path, question, baseline: baseline)
        #expect(difference == nil, "seed \(seed), round \(round):\n\(text)")
        if difference != nil { return }
      }
    }
  }
}
