package mockserver

import (
	"bytes"
	"crypto/sha256"
	"image"
	"image/color"
	"image/png"
	"strings"
	"sync"
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

const (
	unknownGlyph = 0o75557
	inkColor     = 3
)

// renderPNG draws a text on stripes whose colours follow from the text.
func renderPNG(text string, width, height int) []byte {
	sum := sha256.Sum256([]byte(text))
	canvas := image.NewPaletted(image.Rect(0, 0, width, height), palette(sum))
	stripe := 8 + int(sum[9])%24
	for y := range height {
		for x := range width {
			canvas.Pix[y*canvas.Stride+x] = uint8((x + y) / stripe % 3)
		}
	}
	drawText(canvas, text, max(width/128, 1))
	var encoded bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: &encoderBuffers}
	_ = encoder.Encode(&encoded, canvas) // to memory
	return encoded.Bytes()
}

// buffers keeps what an encoder needs: more than a megabyte for each picture.
type buffers struct{ pool sync.Pool }

var encoderBuffers buffers

// Get implements png.EncoderBufferPool.
func (b *buffers) Get() *png.EncoderBuffer {
	kept, _ := b.pool.Get().(*png.EncoderBuffer)
	return kept
}

// Put implements png.EncoderBufferPool.
func (b *buffers) Put(used *png.EncoderBuffer) { b.pool.Put(used) }

// palette is three dark colours and a light one for the ink.
func palette(sum [sha256.Size]byte) color.Palette {
	var colors color.Palette
	for i := range inkColor {
		dot := sum[3*i : 3*i+3]
		colors = append(colors, color.RGBA{dot[0] / 2, dot[1] / 2, dot[2] / 2, 255})
	}
	return append(colors, color.RGBA{255, 250, 235, 255})
}

func drawText(canvas *image.Paletted, text string, scale int) {
	column := 4 * scale
	line := 6*scale + 2*scale
	x := column
	y := column
	for word := range strings.FieldsSeq(strings.ToUpper(text)) {
		runes := []rune(word + " ")
		if x > column && x+len(runes)*column > canvas.Rect.Dx() {
			x = column
			y += line
		}
		for _, r := range runes {
			drawGlyph(canvas, r, x, y, scale)
			x += column
			if x+column > canvas.Rect.Dx() {
				x = column
				y += line
			}
		}
	}
}

func drawGlyph(canvas *image.Paletted, r rune, left, top, scale int) {
	glyph, known := font[r]
	if !known {
		glyph = unknownGlyph
	}
	for row := range 5 {
		for dot := range 3 {
			if glyph>>(3*(4-row)+2-dot)&1 == 1 {
				fill(canvas, left+dot*scale, top+row*scale, scale)
			}
		}
	}
}

func fill(canvas *image.Paletted, left, top, size int) {
	for y := top; y < top+size; y++ {
		for x := left; x < left+size; x++ {
			if (image.Point{X: x, Y: y}).In(canvas.Rect) {
				canvas.SetColorIndex(x, y, inkColor)
			}
		}
	}
}
