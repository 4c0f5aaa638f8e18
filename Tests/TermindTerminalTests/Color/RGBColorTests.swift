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
      ("rgbi:0.001/0.0005/0.0001", 0x0B140E), ("rgbi:0.1/0.2/0.3", 0x678198),
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

  // The numbers are the answers of XParseColor for a screen that it knows nothing of.
  @Test(
    "the CIE's kinds are brought to the screen as X does it",
    arguments: [
      ("CIEXYZ:0.3/0.3/0.3", 0xB49382), ("CIEXYZ:1/1/1", 0xFFFFFF), ("CIEXYZ:0/0/0", 0x000000),
      ("CIEXYZ:-0.1/0.5/0.5", 0x09D2B3), ("ciexyz:.5/+.5/5e-1", 0xDDB5A0),
      ("CIEXYZ:0.957/0.006/0.784", 0x3A1329), ("CIEuvY:0.2/0.4/0.5", 0xD0AEE5),
      ("CIEuvY:0.464/0.472/0.144", 0xD6135E), ("CIEuvY:0.1/0.4/0", 0x000000),
      ("CIExyY:0.3/0.3/0.4", 0xBFA6A7), ("CIExyY:0/0/0.5", 0x7ABEFF),
      ("CIExyY:0.745/0.212/0.048", 0x8A1342), ("CIELab:60/0.1/-0.1", 0xA18FA4),
      ("CIELab:2/0.5/0.5", 0x8D8687), ("CIELab:22.756/-0.867/0.032", 0x094C42),
      ("CIELuv:70/0.2/0.1", 0xCCA4A1), ("CIELuv:0/0/0", 0x000000), ("CIELuv:0/5/5", 0x000000),
      ("CIELuv:0.389/1.099/-0.957", 0x0F130F), ("TekHVC:400/50/20", 0x9F7764),
      ("TekHVC:-30/50/20", 0xA96C88), ("TekHVC:144.5/72.5/65.202", 0x09CA98),
      ("TekHVC:200/40/10", 0x4C6D70), ("TekHVC:270/60/0", 0x9A9494), ("TekHVC:10/100/50", 0xFFFFFF),
      ("TekHVC:10/0/50", 0x000000),
    ]
  )
  func deviceIndependent(text: String, value: UInt32) {
    #expect(RGBColor(specification: text) == RGBColor(hexadecimal: value))
  }

  @Test(
    "what is no colour is refused",
    arguments: [
      "", "#", "#f", "#ff", "#ffff", "#fffff", "#fffffff", "#ggg", "#fff ", "rgb:", "rgb:1/2",
      "rgb:1/2/3/4", "rgb://", "rgb:12345/1/1", "rgb:g/1/1", "rgb:-1/1/1", "rgbi:1.5/0/0",
      "rgbi:-1/0/0", "rgbi:nan/0/0", "rgbi:1e-1/0/0", "rgbi:inf/0/0", "rgbi:/0/0", "rgbi:0/0",
      "CIEXYZ:0.2/1.1/0.3", "CIEXYZ:.5/.5", "CIEXYZ:.5/.5/nan", "CIEXYZ:1/1/1/1", "CIExyY:2/0/0",
      "CIExyY:0/-1/0", "CIELab:101/0/0", "CIELuv:-1/0/0", "TekHVC:0/101/0", "TekHVC:0/50/-1",
      "CIEuvY:0/0/2", "CIEuvY:0/0.75/0.5", "CIELab:50/1e300/1e300", "CIEXYZ:0x1/0/0",
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
