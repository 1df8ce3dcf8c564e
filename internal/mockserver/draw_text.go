package mockserver

import (
	"strings"
)

// font holds glyphs of 3 by 5 dots: each octal digit is a row.
var font = map[rune]uint{
	'0': 0o75557, '1': 0o26227, '2': 0o71747, '3': 0o71717, '4': 0o55711,
	'5': 0o74717, '6': 0o74757, '7': 0o71111, '8': 0o75757, '9': 0o75717,
	'A': 0o25755, 'B': 0o65656, 'C': 0o34443, 'D': 0o65556, 'E': 0o74647, 'F': 0o74644,
	'G': 0o34553, 'H': 0o55755, 'I': 0o72227, 'J': 0o11152, 'K': 0o55655, 'L': 0o44447,
	'M': 0o57755, 'N': 0o75555, 'O': 0o25552, 'P': 0o65644, 'Q': 0o25563, 'R': 0o65655,
	'S': 0o34216, 'T': 0o72222, 'U': 0o55557, 'V': 0o55552, 'W': 0o55775, 'X': 0o55255,
	'Y': 0o55222, 'Z': 0o71247, ' ': 0,
	'.': 0o00002, ',': 0o00024, '-': 0o00700, '_': 0o00007, '!': 0o22202, '?': 0o71202,
	':': 0o02020, '\'': 0o22000, '"': 0o55000, '/': 0o11244, '(': 0o24442, ')': 0o21112,
	'+': 0o02720, '=': 0o07070, '#': 0o57575,
}

const unknownGlyph = 0o75557

// The maximum number of lines of a caption, and the size of a glyph's dots.
const (
	captionLines = 2
	captionDot   = 8.0 / 3 // two pixels
	captionWidth = 46      // in glyphs
)

// caption writes a text below a picture that is large enough to read it.
func (b brush) caption(text string) {
	if b.canvas.Stride < pictureSize {
		return
	}
	lines := captionOf(text)
	top := squareUnits - captionDot*float64(8*len(lines)+3)
	b.rectangle(0, top, squareUnits, squareUnits, inkCaption)
	for i, line := range lines {
		b.text(line, 4*captionDot, top+captionDot*float64(8*i+3))
	}
}

// captionOf breaks a text between words.
func captionOf(text string) []string {
	lines := []string{""}
	for word := range strings.FieldsSeq(strings.ToUpper(text)) {
		last := len(lines) - 1
		fits := len([]rune(lines[last]))+len([]rune(word)) < captionWidth
		switch {
		case fits:
			lines[last] += word + " "
		case len(lines) == captionLines:
			return lines
		default:
			lines = append(lines, word+" ")
		}
	}
	return lines
}

func (b brush) text(line string, left, top float64) {
	for i, r := range []rune(line) {
		b.glyph(r, left+captionDot*float64(4*i), top)
	}
}

func (b brush) glyph(r rune, left, top float64) {
	glyph, known := font[r]
	if !known {
		glyph = unknownGlyph
	}
	for row := range 5 {
		for dot := range 3 {
			if glyph>>(3*(4-row)+2-dot)&1 == 1 {
				x := left + captionDot*float64(dot)
				y := top + captionDot*float64(row)
				b.rectangle(x, y, x+captionDot, y+captionDot, inkWhite)
			}
		}
	}
}
