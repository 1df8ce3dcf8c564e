package mockserver

import (
	"bytes"
	"hash/fnv"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
)

// pictureSize is the width and the height of a generated picture, in pixels.
// squareUnits is the size of the square in which all coordinates are given.
const (
	pictureSize = 384
	squareUnits = 512
)

// drawing is the content of a picture: a person, in the scene that a prompt
// describes. Equal drawings have equal bytes.
type drawing struct {
	look   *look // nil: no person
	prompt string
}

// png draws a square.
func (d drawing) png(size int) []byte {
	words := wordsOf(d.prompt)
	random := rand.New(rand.NewPCG(hashOf(d.prompt), 1))
	shown := sceneOf(words, random)
	shown.mood = moodOf(words, shown.mood)
	canvas := image.NewPaletted(image.Rect(0, 0, size, size), nil)
	b := brush{
		canvas: canvas,
		k:      float64(size) / squareUnits,
		bottom: size,
	}
	b.sky(shown.horizon)
	shown.paint(b, random)
	d.weather(b, words, random)
	inks := shown.mood.inks()
	if d.look != nil {
		d.look.paint(b, poseOf(words, random))
		d.look.mix(inks, shown.mood, random)
	}
	b.caption(d.prompt)
	canvas.Palette = paletteOf(inks, shown.mood)
	var encoded bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: &encoderBuffers}
	_ = encoder.Encode(&encoded, canvas) // to memory, where a write cannot fail
	return encoded.Bytes()
}

func (d drawing) weather(b brush, words []string, random *rand.Rand) {
	switch {
	case has(words, "rain", "storm"):
		b.rain(random)
	case has(words, "snow", "winter"):
		b.dots(random, 90, 4, inkWhite)
	case has(words, "sparks", "fire", "confetti", "fireflies", "stars"):
		b.dots(random, 60, 3, inkGlow)
	}
}

// hashOf returns a number that follows from a text, so that the random parts of
// a picture do, too.
func hashOf(text string) uint64 {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(text))
	return sum.Sum64()
}

// buffers keeps the memory that an encoder needs: more than a megabyte for each
// picture.
type buffers struct{ pool sync.Pool }

var encoderBuffers buffers

// Get implements png.EncoderBufferPool.
func (b *buffers) Get() *png.EncoderBuffer {
	kept, _ := b.pool.Get().(*png.EncoderBuffer)
	return kept
}

// Put implements png.EncoderBufferPool.
func (b *buffers) Put(used *png.EncoderBuffer) { b.pool.Put(used) }

// An ink is an index of the palette. The first are the sky's, from top to horizon;
// an ink with the bit inkLit is the same in the scene's light.
type ink = uint8

const (
	skyInks     = 32
	inkLit  ink = 64
)

const (
	inkGround ink = skyInks + iota
	inkGroundShade
	inkWater
	inkProp
	inkPropShade
	inkFar
	inkLeaf
	inkGlow
	inkNeon
	inkDark
	inkWhite
	inkSkin
	inkSkinShade
	inkBlush
	inkHair
	inkHairShade
	inkIris
	inkLip
	inkCloth
	inkClothShade
	inkCaption
	allInks
)

// paletteOf has each ink twice: plain, and lit.
func paletteOf(inks []color.RGBA, m mood) color.Palette {
	palette := make(color.Palette, 2*inkLit)
	for i := range palette {
		palette[i] = color.RGBA{A: 255}
	}
	for i, plain := range inks {
		palette[i] = plain
		palette[i+int(inkLit)] = mix(plain, m.light, 0.3)
	}
	return palette
}

// mix mixes two colours; share is the share of the second.
func mix(a, b color.RGBA, share float64) color.RGBA {
	part := func(from, to uint8) uint8 { return uint8(float64(from) + share*(float64(to)-float64(from))) }
	return color.RGBA{part(a.R, b.R), part(a.G, b.G), part(a.B, b.B), 255}
}

// rgb converts a colour from the notation of style sheets.
func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

// spot is a point of the square.
type spot struct{ x, y float64 }

// brush paints on a canvas, in a square that may be moved and scaled. It paints
// only between two rows of the canvas.
type brush struct {
	canvas      *image.Paletted
	x, y, k     float64
	top, bottom int
	lights      bool // lights the painted colours instead of covering them
}

// at returns a brush with its origin at a point, and a unit of k times this
// one's.
func (b brush) at(x, y, k float64) brush {
	b.x += b.k * x
	b.y += b.k * y
	b.k *= k
	return b
}

// between returns a brush that paints between two heights.
func (b brush) between(top, bottom float64) brush {
	b.top = max(b.top, b.row(top))
	b.bottom = min(b.bottom, b.row(bottom))
	return b
}

// lighting returns a brush that lights the painted colours.
func (b brush) lighting() brush {
	b.lights = true
	return b
}

func (b brush) row(y float64) int { return int(math.Round(b.y + b.k*y)) }

// span fills a row between two columns of the canvas.
func (b brush) span(row int, left, right float64, with ink) {
	from := max(int(math.Round(left)), 0)
	to := min(int(math.Round(right)), b.canvas.Stride)
	if from >= to {
		return
	}
	pixels := b.canvas.Pix[row*b.canvas.Stride+from : row*b.canvas.Stride+to]
	if b.lights {
		for i := range pixels {
			pixels[i] |= inkLit
		}
		return
	}
	for i := range pixels {
		pixels[i] = with
	}
}

func (b brush) rectangle(left, top, right, bottom float64, with ink) {
	for row := max(b.row(top), b.top); row < min(b.row(bottom), b.bottom); row++ {
		b.span(row, b.x+b.k*left, b.x+b.k*right, with)
	}
}

// ellipse takes its centre and its two radii.
func (b brush) ellipse(x, y, rx, ry float64, with ink) {
	for row := max(b.row(y-ry), b.top); row < min(b.row(y+ry)+1, b.bottom); row++ {
		height := (float64(row) + 0.5 - b.y - b.k*y) / (b.k * ry)
		if rest := 1 - height*height; rest > 0 {
			half := b.k * rx * math.Sqrt(rest)
			b.span(row, b.x+b.k*x-half, b.x+b.k*x+half, with)
		}
	}
}

func (b brush) circle(x, y, r float64, with ink) { b.ellipse(x, y, r, r, with) }

// polygon fills the points that an odd number of its edges encloses.
func (b brush) polygon(with ink, corners ...spot) {
	highest := corners[0].y
	lowest := corners[0].y
	for _, corner := range corners {
		highest = min(highest, corner.y)
		lowest = max(lowest, corner.y)
	}
	for row := max(b.row(highest), b.top); row < min(b.row(lowest)+1, b.bottom); row++ {
		crossed := b.crossings(row, corners)
		for i := 0; i+1 < len(crossed); i += 2 {
			b.span(row, crossed[i], crossed[i+1], with)
		}
	}
}

// crossings returns the columns where a row crosses the edges, from left to
// right.
func (b brush) crossings(row int, corners []spot) []float64 {
	var found []float64
	y := (float64(row) + 0.5 - b.y) / b.k
	for i, from := range corners {
		to := corners[(i+1)%len(corners)]
		if (from.y <= y) != (to.y <= y) {
			x := from.x + (y-from.y)/(to.y-from.y)*(to.x-from.x)
			found = append(found, b.x+b.k*x)
		}
	}
	slices.Sort(found)
	return found
}

// line draws a line of the given thickness, with round ends.
func (b brush) line(from, to spot, thick float64, with ink) {
	length := math.Hypot(to.x-from.x, to.y-from.y)
	dx := (to.y - from.y) / length * thick / 2
	dy := (from.x - to.x) / length * thick / 2
	b.polygon(
		with,
		spot{from.x + dx, from.y + dy},
		spot{to.x + dx, to.y + dy},
		spot{to.x - dx, to.y - dy},
		spot{from.x - dx, from.y - dy},
	)
	b.circle(from.x, from.y, thick/2, with)
	b.circle(to.x, to.y, thick/2, with)
}

func (b brush) dots(random *rand.Rand, count int, largest float64, with ink) {
	for range count {
		size := largest * (0.4 + 0.6*random.Float64())
		b.circle(squareUnits*random.Float64(), squareUnits*random.Float64(), size, with)
	}
}

func (b brush) rain(random *rand.Rand) {
	for range 70 {
		x := 560 * random.Float64()
		y := squareUnits * random.Float64()
		b.line(spot{x, y}, spot{x - 9, y + 34}, 2, inkFar)
	}
}

// onCircle returns a point of the unit circle, in 24ths of the circle, from the
// right downwards.
func onCircle(part int) spot {
	angle := float64(part) * math.Pi / 12
	return spot{math.Cos(angle), math.Sin(angle)}
}
