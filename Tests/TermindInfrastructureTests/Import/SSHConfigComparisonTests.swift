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
