package mockserver

import (
	"image/color"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
)

// scene is a place: its default mood, the height of its horizon, and its
// objects.
type scene struct {
	words   []string
	mood    mood
	horizon float64
	paint   func(brush, *rand.Rand)
}

// mood is the time of day: the colours of the sky, and the light on everything.
type mood struct {
	top, bottom color.RGBA
	light       color.RGBA
	dim         float64 // the part of each colour that is lost to the dark
	accent      color.RGBA
}

var (
	day = mood{
		top:    rgb(0x5aa9e6),
		bottom: rgb(0xdff1fb),
		light:  rgb(0xfff6e0),
		accent: rgb(0xe07a5f),
	}
	morning = mood{
		top:    rgb(0xf3b694),
		bottom: rgb(0xfdf0d9),
		light:  rgb(0xffe3b8),
		accent: rgb(0x7fb7be),
	}
	evening = mood{
		top:    rgb(0x5b4b8a),
		bottom: rgb(0xf9a26c),
		light:  rgb(0xffb36b),
		dim:    0.12,
		accent: rgb(0xf25f5c),
	}
	night = mood{
		top:    rgb(0x10142f),
		bottom: rgb(0x43407e),
		light:  rgb(0x9fa8ff),
		dim:    0.3,
		accent: rgb(0xff4fa3),
	}
	indoors = mood{
		top:    rgb(0x8a6f5a),
		bottom: rgb(0xc9a27e),
		light:  rgb(0xffdf9e),
		dim:    0.1,
		accent: rgb(0x3d6b8c),
	}
	dark = mood{
		top:    rgb(0x17101f),
		bottom: rgb(0x3a2440),
		light:  rgb(0xffe0a3),
		dim:    0.18,
		accent: rgb(0xc1445f),
	}
)

var moods = []struct {
	words []string
	mood  mood
}{
	{[]string{"night", "neon", "moon", "midnight", "stars"}, night},
	{[]string{"evening", "sunset", "dusk", "late", "golden", "autumn", "candle"}, evening},
	{[]string{"morning", "dawn", "sunrise", "soft", "fog", "foggy"}, morning},
	{[]string{"day", "daylight", "noon", "sun", "sunny", "summer", "snow", "winter"}, day},
}

var colors = map[string]color.RGBA{
	"red":    rgb(0xe63946),
	"orange": rgb(0xf4802a),
	"yellow": rgb(0xf7c948),
	"gold":   rgb(0xe3b23c),
	"green":  rgb(0x3f9b63),
	"blue":   rgb(0x2f6fde),
	"violet": rgb(0x7f4fc9),
	"purple": rgb(0x7f4fc9),
	"pink":   rgb(0xf06ea9),
	"brown":  rgb(0x7a5236),
	"brass":  rgb(0xb8863b),
	"white":  rgb(0xf4f4f0),
	"black":  rgb(0x22222a),
	"grey":   rgb(0x8d9199),
}

// scenes are tried in this order. The last ones have no words, and are for
// prompts that name no place.
func scenes() []scene {
	return []scene{
		{
			words:   []string{"stage", "theatre", "concert", "violin", "microphone", "opera", "cinema"},
			mood:    dark,
			horizon: 400,
			paint:   paintStage,
		},
		{
			words:   []string{"workshop", "kitchen", "studio", "room", "office", "desk", "library", "chair", "home"},
			mood:    indoors,
			horizon: 400,
			paint:   paintRoom,
		},
		{
			words:   []string{"beach", "sea", "coast", "harbour", "quay", "deck", "boat", "ocean", "island", "lake"},
			mood:    day,
			horizon: 300,
			paint:   paintSea,
		},
		{
			words:   []string{"street", "city", "town", "neon", "market", "station", "café", "bridge", "rain"},
			mood:    day,
			horizon: 420,
			paint:   paintStreet,
		},
		{
			words:   []string{"mountain", "mountains", "snow", "winter", "castle", "valley", "rocky", "ski"},
			mood:    day,
			horizon: 400,
			paint:   paintMountains,
		},
		{
			words:   []string{"forest", "garden", "park", "field", "meadow", "tree", "trees", "path", "walking"},
			mood:    day,
			horizon: 380,
			paint:   paintWoods,
		},
		{
			mood:    morning,
			horizon: squareUnits,
			paint:   paintLights,
		},
		{
			mood:    indoors,
			horizon: squareUnits,
			paint:   paintLights,
		},
		{
			mood:    evening,
			horizon: squareUnits,
			paint:   paintArches,
		},
		{
			mood:    day,
			horizon: squareUnits,
			paint:   paintArches,
		},
	}
}

// sceneOf returns the first scene with a word that the prompt contains.
func sceneOf(words []string, random *rand.Rand) scene {
	var plain []scene
	for _, s := range scenes() {
		switch {
		case s.words == nil:
			plain = append(plain, s)
		case has(words, s.words...):
			return s
		}
	}
	return plain[random.IntN(len(plain))]
}

// moodOf returns the mood that the prompt asks for, or else the scene's.
func moodOf(words []string, found mood) mood {
	for _, candidate := range moods {
		if has(words, candidate.words...) {
			found = candidate.mood
			break
		}
	}
	for _, word := range words {
		if tone, known := colors[word]; known {
			found.light = tone
			found.accent = tone
			found.top = mix(found.top, tone, 0.35)
			found.bottom = mix(found.bottom, tone, 0.55)
		}
	}
	return found
}

// inks returns all colours except those of a person.
func (m mood) inks() []color.RGBA {
	inks := make([]color.RGBA, allInks)
	for i := range skyInks {
		inks[i] = mix(m.top, m.bottom, float64(i)/(skyInks-1))
	}
	shade := func(hex uint32) color.RGBA { return mix(mix(rgb(hex), m.bottom, 0.25), rgb(0x0b0b1c), m.dim) }
	inks[inkGround] = shade(0xdcb98a)
	inks[inkGroundShade] = shade(0xa98157)
	inks[inkWater] = shade(0x2a7f9e)
	inks[inkProp] = mix(m.accent, m.top, 0.3)
	inks[inkPropShade] = mix(inks[inkProp], rgb(0x0b0b1c), 0.35)
	inks[inkFar] = mix(m.bottom, m.top, 0.55)
	inks[inkLeaf] = shade(0x3c7d4b)
	inks[inkGlow] = mix(m.light, rgb(0xffffff), 0.35)
	inks[inkNeon] = m.accent
	inks[inkDark] = mix(m.top, rgb(0x0b0b1c), 0.65)
	inks[inkWhite] = rgb(0xfffaf0)
	inks[inkCaption] = rgb(0x1d1b26)
	return inks
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
}

func has(words []string, wanted ...string) bool {
	return slices.ContainsFunc(wanted, func(word string) bool { return slices.Contains(words, word) })
}

// sky paints a gradient down to the horizon.
func (b brush) sky(horizon float64) {
	for i := range skyInks {
		top := horizon * float64(i) / skyInks
		b.rectangle(0, top, squareUnits, top+horizon/skyInks+1, ink(i))
	}
	b.rectangle(0, horizon, squareUnits, squareUnits, inkGround)
}

func paintSea(b brush, random *rand.Rand) {
	sun := 90 + 330*random.Float64()
	b.lighting().circle(sun, 150, 120, 0)
	b.circle(sun, 150, 62, inkGlow)
	b.rectangle(0, 300, squareUnits, 430, inkWater)
	for range 26 {
		x := squareUnits * random.Float64()
		y := 308 + 100*random.Float64()
		b.lighting().line(spot{x, y}, spot{x + 20 + 40*random.Float64(), y}, 3, 0)
	}
	b.ellipse(200, 470, 520, 62, inkGlow)
	b.ellipse(200, 480, 520, 62, inkGround)
}

func paintStage(b brush, random *rand.Rand) {
	for i := range 9 { // the folds of a curtain
		left := float64(i) * squareUnits / 9
		b.rectangle(left, 0, left+24, 400, inkDark)
	}
	b.rectangle(0, 400, squareUnits, squareUnits, inkDark)
	for range 3 {
		from := squareUnits * random.Float64()
		to := 130 + 250*random.Float64()
		b.lighting().polygon(0, spot{from - 12, 0}, spot{from + 12, 0}, spot{to + 110, 440}, spot{to - 110, 440})
		b.rectangle(from-22, 0, from+22, 16, inkGlow)
	}
	b.ellipse(256, 470, 300, 52, inkPropShade)
	b.ellipse(256, 465, 270, 40, inkProp)
}

func paintRoom(b brush, random *rand.Rand) {
	b.rectangle(0, 400, squareUnits, squareUnits, inkGroundShade)
	for _, height := range []float64{110, 215} {
		b.rectangle(0, height, squareUnits, height+12, inkGroundShade)
		for x := 10.0; x < 480; {
			wide := 14 + 26*random.Float64()
			tall := 30 + 45*random.Float64()
			tone := []ink{inkProp, inkPropShade, inkWater, inkNeon}[random.IntN(4)]
			b.rectangle(x, height-tall, x+wide, height, tone)
			x += wide + 6 + 22*random.Float64()
		}
	}
	lamp := 90 + 330*random.Float64()
	b.line(spot{lamp, 0}, spot{lamp, 60}, 4, inkDark)
	b.lighting().polygon(0, spot{lamp - 40, 90}, spot{lamp + 40, 90}, spot{lamp + 210, 512}, spot{lamp - 210, 512})
	b.polygon(inkDark, spot{lamp - 16, 56}, spot{lamp + 16, 56}, spot{lamp + 48, 92}, spot{lamp - 48, 92})
	b.ellipse(lamp, 93, 30, 10, inkGlow)
}

func paintStreet(b brush, random *rand.Rand) {
	for x := -20.0; x < squareUnits; {
		wide := 70 + 60*random.Float64()
		paintHouse(b.at(x, 60+150*random.Float64(), 1), wide, random)
		x += wide + 4
	}
	b.rectangle(0, 420, squareUnits, squareUnits, inkDark)
	for range 14 { // reflections of a wet road
		x := squareUnits * random.Float64()
		y := 428 + 60*random.Float64()
		tone := []ink{inkNeon, inkPropShade, inkGlow}[random.IntN(3)]
		b.line(spot{x, y}, spot{x + 30 + 50*random.Float64(), y}, 4, tone)
	}
}

func paintHouse(b brush, wide float64, random *rand.Rand) {
	b.rectangle(0, 0, wide, 420, []ink{inkFar, inkPropShade, inkDark}[random.IntN(3)])
	for y := 16.0; y < 300; y += 34 {
		for x := 12.0; x < wide-16; x += 24 {
			if random.IntN(3) > 0 {
				b.rectangle(x, y, x+12, y+18, inkGlow)
			}
		}
	}
	if random.IntN(2) == 0 {
		b.rectangle(wide-18, 90, wide-6, 210, inkNeon)
	}
}

func paintMountains(b brush, random *rand.Rand) {
	for layer := range 3 {
		tone := []ink{inkFar, inkPropShade, inkLeaf}[layer]
		for range 3 {
			x := squareUnits * random.Float64()
			top := float64(90+90*layer) + 60*random.Float64()
			wide := 170 + 120*random.Float64()
			b.polygon(tone, spot{x, top}, spot{x + wide, 420}, spot{x - wide, 420})
			if layer < 2 {
				b.polygon(
					inkWhite,
					spot{x, top},
					spot{x + wide/5, top + 60},
					spot{x, top + 42},
					spot{x - wide/5, top + 60},
				)
			}
		}
	}
	b.ellipse(256, 470, 420, 80, inkLeaf)
}

func paintWoods(b brush, random *rand.Rand) {
	b.ellipse(120, 420, 320, 110, inkFar)
	b.ellipse(430, 430, 300, 110, inkFar)
	for i := range 9 {
		x := float64(i)*64 + 30*random.Float64() - 10
		tall := 110 + 120*random.Float64()
		b.rectangle(x-6, 400-tall/2, x+6, 410, inkGroundShade)
		if random.IntN(2) == 0 {
			b.polygon(inkLeaf, spot{x, 390 - tall - 60}, spot{x + 46, 380}, spot{x - 46, 380})
		} else {
			b.circle(x, 350-tall/2, 34+tall/8, inkLeaf)
		}
	}
	b.ellipse(256, 480, 460, 100, inkLeaf)
	b.polygon(inkGround, spot{236, 384}, spot{276, 384}, spot{390, 512}, spot{120, 512})
}

// paintLights paints a place out of focus.
func paintLights(b brush, random *rand.Rand) {
	b.lighting().polygon(0, spot{300, 0}, spot{512, 0}, spot{260, 512}, spot{-60, 512})
	for range 16 {
		size := 12 + 46*random.Float64()
		tone := []ink{inkFar, inkGlow, inkProp}[random.IntN(3)]
		b.circle(squareUnits*random.Float64(), 380*random.Float64(), size, tone)
	}
}

// paintArches paints a plain backdrop.
func paintArches(b brush, random *rand.Rand) {
	x := 120 + 270*random.Float64()
	for i, tone := range []ink{inkPropShade, inkProp, inkFar, inkGlow} {
		b.ellipse(x, 420, 330-70*float64(i), 390-80*float64(i), tone)
	}
}
