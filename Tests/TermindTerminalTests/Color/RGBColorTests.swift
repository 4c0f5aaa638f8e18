import Testing

@testable import TermindTerminal

/// Colours as programs write them.
@Suite("Colour specifications") struct RGBColorTests {
  @Test(
    "are read as XParseColor reads them",
    arguments: [
      ("#fff", 0xF0F0F0), ("#abc", 0xA0B0C0), ("#AABBCC", 0xAABBCC), ("#aaabbbccc", 0xAABBCC),
      ("#aaaabbbbcccc", 0xAABBCC), ("rgb:f/e/d", 0xFFEEDD), ("rgb:ff/e/ddd", 0xFFEEDD),
      ("rgb:fff/eee/ddd", 0xFFEEDD), ("RGB:1/2/3", 0x112233), ("rgb:1234/5678/9abc", 0x12569A),
      ("rgb:0/0/0", 0), ("rgbi:1/1/1", 0xFFFFFF), ("rgbi:0.5/0.5/0.5", 0xC1BBBB),
      ("rgbi:0/0/0", 0), ("rgbi:.5/.25/.75", 0xC18DDF), ("lightblue", 0xADD8E6),
      ("LightBlue", 0xADD8E6), ("light blue", 0xADD8E6), ("gray50", 0x7F7F7F),
      ("grey100", 0xFFFFFF),
      ("RebeccaPurple", 0x663399), ("DarkSeaGreen4", 0x698B69), ("web green", 0x008000),
      ("X11 gray", 0xBEBEBE), ("crimson", 0xDC143C), ("navy", 0x000080),
    ]
  )
  func read(text: String, value: UInt32) {
    #expect(RGBColor(specification: text) == RGBColor(hexadecimal: value))
  }

  @Test(
    "what is no colour is refused",
    arguments: [
      "", "#", "#f", "#ff", "#ffff", "#fffff", "#fffffff", "#ggg", "#fff ", "rgb:", "rgb:1/2",
      "rgb:1/2/3/4", "rgb://", "rgb:12345/1/1", "rgb:g/1/1", "rgb:-1/1/1", "rgbi:1.5/0/0",
      "rgbi:-1/0/0", "rgbi:nan/0/0", "rgbi:1e-1/0/0", "rgbi:inf/0/0", "rgbi:/0/0", "rgbi:0/0",
      "nocolour", "?", "cmyk:1/1/1", String(repeating: "a", count: 65),
      "#" + String(repeating: "f", count: 300), "rgb:é/1/1", "#é12",
    ]
  )
  func refused(text: String) {
    #expect(RGBColor(specification: text) == nil)
  }

  @Test("answers to queries have four digits a channel, and can be read back")
  func report() {
    #expect(RGBColor(hexadecimal: 0x0A10FF).report == "rgb:0a0a/1010/ffff")
    #expect(RGBColor(hexadecimal: 0x0A10FF).hexadecimalText == "#0a10ff")
    for value: UInt8 in 0...255 {
      let color = RGBColor(red: value, green: 255 - value, blue: value / 2)
      #expect(RGBColor(specification: color.report) == color)
      #expect(RGBColor(specification: color.hexadecimalText) == color)
    }
  }

  @Test("intensities grow with their number")
  func intensities() throws {
    var last: UInt8 = 0
    for step in 0...100 {
      let part = step == 100 ? "1" : "0.\(step < 10 ? "0" : "")\(step)"
      let color = try #require(RGBColor(specification: "rgbi:\(part)/\(part)/\(part)"))
      #expect(color.red >= last)
      last = color.red
    }
  }

  @Test("all X11 names are there, each once")
  func names() {
    let names = ColorNames.all
    #expect(names.count == ColorNameList.count)
    #expect(names.count > 650)
    #expect(names.allSatisfy { ColorNames.color(named: $0) != nil })
    for step in 0...100 {
      #expect(ColorNames.color(named: "gray\(step)") == ColorNames.color(named: "grey\(step)"))
    }
  }

  @Test(
    "the palette is xterm's",
    arguments: [
      (0, 0x000000), (1, 0xCD0000), (4, 0x0000EE), (7, 0xE5E5E5), (8, 0x7F7F7F), (12, 0x5C5CFF),
      (15, 0xFFFFFF), (16, 0x000000), (17, 0x00005F), (21, 0x0000FF), (22, 0x005F00),
      (52, 0x5F0000), (123, 0x87FFFF), (231, 0xFFFFFF), (232, 0x080808), (255, 0xEEEEEE),
    ]
  )
  func palette(index: Int, value: UInt32) {
    #expect(RGBColor.defaultPalette.count == 256)
    #expect(RGBColor.defaultPalette[index] == RGBColor(hexadecimal: value))
  }
}
