package mockserver

import (
	"image/color"
	"math/rand/v2"
	"strings"
)

// look is the appearance of a character: the described parts, and the others by
// its id.
type look struct {
	skin, hair, iris color.RGBA
	style            hairStyle
	glasses          bool
	taste            int // in clothes
}

type hairStyle int

const (
	hairBob hairStyle = iota
	hairShort
	hairLong
	hairBun
	hairCurls
)

var (
	skins     = []color.RGBA{rgb(0xf3cfb3), rgb(0xecc4a4), rgb(0xd9a577), rgb(0xa9714b), rgb(0x7a4a30)}
	hairs     = []color.RGBA{rgb(0x2b1d1a), rgb(0x4a2f22), rgb(0x74462a), rgb(0xa8452a), rgb(0xd9b26a), rgb(0x9a9aa3)}
	irises    = []color.RGBA{rgb(0x4a3526), rgb(0x3d6fa8), rgb(0x4f7d54), rgb(0x6b6f7a)}
	clothes   = []color.RGBA{rgb(0x2f4858), rgb(0x8c2f39), rgb(0xe9e3d5), rgb(0x4a6c4f), rgb(0x6d4c7d), rgb(0xd98e2b)}
	hairNames = map[string]color.RGBA{
		"black":  rgb(0x1d1718),
		"dark":   rgb(0x32221f),
		"brown":  rgb(0x5f3b26),
		"red":    rgb(0xb04a27),
		"auburn": rgb(0x8c3b24),
		"blond":  rgb(0xdcb870),
		"blonde": rgb(0xdcb870),
		"grey":   rgb(0x9a9aa3),
		"white":  rgb(0xe6e3dc),
	}
	styleNames = map[string]hairStyle{
		"short": hairShort,
		"bob":   hairBob,
		"long":  hairLong,
		"bun":   hairBun,
		"curls": hairCurls,
		"curly": hairCurls,
	}
)

// castStream is a random stream for which the characters of the examples look
// like the faces that the examples upload.
const castStream = 185149

func lookOf(c CharacterSeed) *look {
	random := rand.New(rand.NewPCG(hashOf(c.ID), castStream))
	found := &look{
		skin:    skins[random.IntN(len(skins))],
		hair:    hairs[random.IntN(len(hairs))],
		iris:    irises[random.IntN(len(irises))],
		style:   hairStyle(random.IntN(int(hairCurls) + 1)),
		glasses: random.IntN(5) == 0,
		taste:   random.IntN(len(clothes)),
	}
	description := strings.ToLower(c.Description)
	if strings.Contains(description, "hair") || strings.Contains(description, "curl") {
		found.describe(wordsOf(description))
	}
	return found
}

// describe applies a description of the hair.
func (l *look) describe(words []string) {
	for _, word := range words {
		if tone, known := hairNames[word]; known {
			l.hair = tone
		}
		if style, known := styleNames[word]; known {
			l.style = style
		}
	}
	l.glasses = l.glasses || has(words, "glasses")
}

// mix adds the inks of a person in the scene's light.
func (l *look) mix(inks []color.RGBA, m mood, random *rand.Rand) {
	shine := func(tone color.RGBA) color.RGBA { return mix(mix(tone, rgb(0x2b1c33), m.dim*0.6), m.light, 0.1) }
	cloth := clothes[(random.IntN(len(clothes))+l.taste)%len(clothes)]
	inks[inkSkin] = shine(l.skin)
	inks[inkSkinShade] = mix(inks[inkSkin], rgb(0x6b2f2a), 0.2)
	inks[inkBlush] = mix(inks[inkSkin], rgb(0xd4474f), 0.15)
	inks[inkLip] = mix(inks[inkSkin], rgb(0xa81f36), 0.62)
	inks[inkHair] = shine(l.hair)
	inks[inkHairShade] = mix(inks[inkHair], rgb(0x08060a), 0.3)
	inks[inkIris] = l.iris
	inks[inkCloth] = shine(cloth)
	inks[inkClothShade] = mix(inks[inkCloth], rgb(0x0b0b1c), 0.25)
}

// pose is the place, the distance and the direction of view of a person.
type pose struct {
	x, y, k float64
	turn    float64 // of the head, in units of the face: to the left if negative
	open    bool    // a laugh
	back    bool
}

func poseOf(words []string, random *rand.Rand) pose {
	found := pose{
		x:    256 + 60*(random.Float64()-0.5),
		y:    228,
		k:    1.02,
		turn: 16 * (random.Float64() - 0.5),
		open: random.IntN(3) == 0,
		back: has(words, "back", "behind") && !has(words, "background"),
	}
	switch {
	case has(words, "portrait", "face", "closely", "close"):
		found.k = 1.25
		found.y = 238
	case has(words, "dancing", "walking", "length", "running", "standing", "full", "beach", "street", "stage"):
		found.k = 0.78
		found.x = 256 + 170*(random.Float64()-0.5)
		found.y = 235
	}
	if has(words, "profile") {
		found.turn = 30
	}
	return found
}

// paint paints the bust, from back to front. A face is 200 wide and 250 high.
func (l *look) paint(b brush, p pose) {
	b = b.at(p.x, p.y, p.k)
	l.paintHairBehind(b)
	paintBody(b)
	if p.back {
		l.paintBack(b)
		return
	}
	paintHead(b)
	l.paintFringe(b.at(p.turn/3, 0, 1))
	paintFeatures(b.at(p.turn, 0, 1), p)
	if l.glasses {
		paintGlasses(b.at(p.turn, 0, 1))
	}
}

func (l *look) paintHairBehind(b brush) {
	switch l.style {
	case hairBob:
		b.between(-300, 92).ellipse(0, -5, 128, 145, inkHairShade)
	case hairShort:
		b.between(-300, 20).ellipse(0, -22, 112, 124, inkHairShade)
	case hairLong:
		b.ellipse(0, -10, 126, 138, inkHairShade)
		b.rectangle(-126, -10, 126, 190, inkHairShade)
		b.ellipse(0, 190, 126, 34, inkHairShade)
	case hairBun:
		b.circle(0, -148, 48, inkHair)
		b.between(-300, 30).ellipse(0, -18, 112, 128, inkHairShade)
	case hairCurls:
		for _, at := range []spot{{112, -60}, {128, 0}, {120, 62}, {96, 110}} {
			b.circle(-at.x, at.y, 42, inkHairShade)
			b.circle(at.x, at.y, 42, inkHairShade)
		}
		b.ellipse(0, -30, 122, 120, inkHairShade)
	}
}

func paintBody(b brush) {
	b.rectangle(-36, 90, 36, 190, inkSkinShade)
	b.ellipse(0, 330, 214, 168, inkCloth)
	b.rectangle(-214, 330, 214, 900, inkCloth)
	b.polygon(inkClothShade, spot{-148, 300}, spot{-136, 300}, spot{-120, 900}, spot{-150, 900})
	b.polygon(inkClothShade, spot{148, 300}, spot{136, 300}, spot{120, 900}, spot{150, 900})
	b.ellipse(0, 168, 64, 46, inkClothShade)
	b.ellipse(0, 162, 54, 42, inkSkinShade)
	b.between(0, 134).rectangle(-36, 90, 36, 190, inkSkinShade)
}

func paintHead(b brush) {
	b.ellipse(-100, 12, 14, 24, inkSkinShade)
	b.ellipse(100, 12, 14, 24, inkSkinShade)
	b.ellipse(0, 0, 101, 126, inkSkinShade)
	b.ellipse(-5, -3, 95, 121, inkSkin)
}

func paintFeatures(b brush, p pose) {
	b.ellipse(-60, 44, 22, 14, inkBlush)
	b.ellipse(58, 44, 22, 14, inkBlush)
	for _, side := range []float64{-1, 1} {
		paintEye(b.at(side*42, 0, 1), p.turn/5)
		b.line(spot{side * 62, -34}, spot{side * 27, -33}, 8, inkHairShade)
	}
	b.ellipse(0, 34, 14, 9, inkSkinShade)
	b.ellipse(-2, 29, 14, 9, inkSkin)
	if p.open {
		b.between(64, 200).ellipse(0, 64, 36, 26, inkLip)
		b.between(64, 73).ellipse(0, 64, 30, 20, inkWhite)
		return
	}
	b.between(66, 200).ellipse(0, 62, 36, 20, inkLip)
	b.between(0, 200).ellipse(0, 58, 34, 15, inkSkin)
}

func paintEye(b brush, looks float64) {
	b.ellipse(0, -2, 22, 15, inkHairShade)
	b.ellipse(0, 2, 19, 12, inkWhite)
	b.circle(looks, 1, 10.5, inkIris)
	b.circle(looks, 1, 5.5, inkDark)
	b.circle(looks-4, -3, 3, inkWhite)
}

func paintGlasses(b brush) {
	for _, side := range []float64{-1, 1} {
		for turn := range 24 {
			from := onCircle(turn)
			to := onCircle(turn + 1)
			b.line(spot{side*44 + 33*from.x, 2 + 29*from.y}, spot{side*44 + 33*to.x, 2 + 29*to.y}, 5, inkDark)
		}
	}
	b.line(spot{-12, -2}, spot{12, -2}, 5, inkDark)
}

func (l *look) paintFringe(b brush) {
	switch l.style {
	case hairBob:
		b.between(-300, -52).ellipse(0, -8, 106, 130, inkHair)
	case hairShort:
		b.between(-300, -70).ellipse(0, -16, 104, 122, inkHair)
		b.polygon(
			inkHair,
			spot{-96, -74}, spot{96, -74}, spot{104, -20}, spot{82, -62},
			spot{-40, -50}, spot{-88, -66}, spot{-104, -20},
		)
	case hairLong:
		b.between(-300, -20).ellipse(0, -8, 108, 132, inkHair)
		b.ellipse(0, 20, 86, 104, inkSkin)
	case hairBun:
		b.between(-300, -62).ellipse(0, -12, 106, 126, inkHair)
		b.ellipse(0, -34, 74, 40, inkSkin)
	case hairCurls:
		for i := range 9 {
			at := onCircle(12 + i*24/16)
			b.circle(98*at.x, -20+98*at.y, 36, inkHair)
		}
	}
}

// paintBack paints a head from behind.
func (l *look) paintBack(b brush) {
	b.ellipse(0, -6, 108, 130, inkHair)
	b.line(spot{-40, -90}, spot{-52, 40}, 5, inkHairShade)
	b.line(spot{36, -94}, spot{50, 50}, 5, inkHairShade)
}
