import FoundationEssentials
import Testing

@testable import TermindInfrastructure

@Suite("Local time") struct LocalTimeTests {
  @Test(
    "agrees with the calendar",
    arguments: [0, 59, 86_399, 951_782_400, 1_711_846_800, 1_729_990_800, 4_102_444_800] as [Int64]
  )
  func agreesWithCalendar(time: Int64) {
    let date = Date(timeIntervalSince1970: Double(time))
    let expected = Calendar.current.dateComponents([.hour, .minute], from: date)
    let found = LocalTime(at: time)
    #expect(found.hour == expected.hour)
    #expect(found.minute == expected.minute)
  }
}
