// Command terminal draws a terminal as SVG: the output of commands, from the
// standard input, and pictures beside its end.
//
//	terminal -hide REGEXP -mark REGEXP [NAME=FILE.png …]
//
// Lines that -hide matches, and brackets that -hide has emptied, are shown as
// one line of three dots. Lines that -mark matches stand out.
package main

import (
	"encoding/base64"
	"flag"
	"fmt"
	"html"
	"io"
	"log"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	width      = 860
	lineHeight = 19
	charWidth  = 8.43 // of the font at its size
	margin     = 20
	bar        = 34 // above the text
	gap        = 14 // between pictures
	side       = 152
	dots       = "…"
)

func main() {
	log.SetFlags(0)
	hide := flag.String("hide", "^$^", "lines that are left out")
	mark := flag.String("mark", "^$^", "lines that stand out")
	flag.Parse()
	transcript, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	shown := shorten(strings.Split(strings.TrimSpace(string(transcript)), "\n"), regexp.MustCompile(*hide))
	drawn, err := draw(shown, regexp.MustCompile(*mark), flag.Args())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(drawn)
}

var escape = regexp.MustCompile(`\x1b\[([0-9;]*)m`)

func plain(line string) string { return strings.TrimSpace(escape.ReplaceAllString(line, "")) }

// shorten replaces hidden lines by dots, in the column where they began.
func shorten(lines []string, hide *regexp.Regexp) []string {
	var shown []string
	for _, line := range lines {
		text := plain(line)
		last := lastOf(shown)
		switch {
		case hide.MatchString(text):
			shown = addDots(shown, line)
		case text == "}" && plain(last) == dots && opens(lastOf(shown[:len(shown)-1])):
			opening := len(shown) - 2
			shown = addDots(shown[:opening], shown[opening])
		case text == "" && (plain(last) == "" || last == dots):
		default:
			shown = append(shown, strings.TrimRight(line, " "))
		}
	}
	return shown
}

func lastOf(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return lines[len(lines)-1]
}

func opens(line string) bool { return strings.HasSuffix(plain(line), "= {") }

func addDots(shown []string, hidden string) []string {
	for len(shown) > 0 && plain(lastOf(shown)) == "" {
		shown = shown[:len(shown)-1]
	}
	if plain(lastOf(shown)) == dots {
		return shown
	}
	bare := escape.ReplaceAllString(hidden, "")
	return append(shown, bare[:len(bare)-len(strings.TrimLeft(bare, " "))]+dots)
}

func draw(lines []string, mark *regexp.Regexp, pictures []string) (string, error) {
	height := bar + margin + lineHeight*len(lines)
	var svg strings.Builder
	fmt.Fprintf(&svg, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" `+
		`font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" `+
		`font-size="14" fill="#e6edf3">`+"\n", width, height)
	fmt.Fprintf(&svg, `<rect width="%d" height="%d" rx="10" fill="#16181d"/>`+"\n", width, height)
	for i, color := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&svg, `<circle cx="%d" cy="18" r="6" fill="%s"/>`+"\n", margin+6+20*i, color)
	}
	for i, line := range lines {
		y := bar + lineHeight*(i+1)
		if mark.MatchString(plain(line)) {
			fmt.Fprintf(&svg, `<rect x="%d" y="%d" width="%d" height="%d" rx="3" fill="#3d3413"/>`+"\n",
				margin-6, y-lineHeight+5, width-2*margin+12, lineHeight)
		}
		svg.WriteString(drawLine(line, y))
	}
	for i, picture := range pictures {
		drawn, err := drawPicture(picture, width-margin-(len(pictures)-i)*(side+gap)+gap, height-side-margin-lineHeight)
		if err != nil {
			return "", err
		}
		svg.WriteString(drawn)
	}
	svg.WriteString("</svg>\n")
	return svg.String(), nil
}

// style is the style that escape sequences have set.
type style struct {
	color string
	bold  bool
}

var colors = map[string]string{"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "36": "#79c0ff", "90": "#8b949e"}

func (s style) after(codes string) style {
	for code := range strings.SplitSeq(codes, ";") {
		switch code {
		case "", "0":
			s = style{}
		case "1":
			s.bold = true
		default:
			s.color = colors[code]
		}
	}
	return s
}

func (s style) attributes() string {
	attributes := ""
	if s.color != "" {
		attributes += fmt.Sprintf(` fill="%s"`, s.color)
	}
	if s.bold {
		attributes += ` font-weight="bold"`
	}
	return attributes
}

// drawLine places each piece by its column, because fonts differ in their
// widths.
func drawLine(line string, y int) string {
	var drawn strings.Builder
	var now style
	if strings.HasPrefix(line, "$ ") {
		now = style{"#79c0ff", true}
	}
	column := 0
	write := func(piece string) {
		text := strings.TrimLeft(piece, " ")
		column += utf8.RuneCountInString(piece) - utf8.RuneCountInString(text)
		if text != "" {
			length := utf8.RuneCountInString(text)
			x := margin + charWidth*float64(column)
			fmt.Fprintf(&drawn, `<text xml:space="preserve" x="%.1f" y="%d" textLength="%.1f"%s>%s</text>`+"\n",
				x, y, charWidth*float64(length), now.attributes(), html.EscapeString(text))
			column += length
		}
	}
	rest := 0
	for _, found := range escape.FindAllStringSubmatchIndex(line, -1) {
		write(line[rest:found[0]])
		now = now.after(line[found[2]:found[3]])
		rest = found[1]
	}
	write(line[rest:])
	return drawn.String()
}

// drawPicture embeds the picture in the file, which then needs no other file.
func drawPicture(picture string, x, y int) (string, error) {
	name, file, _ := strings.Cut(picture, "=")
	content, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(`<image x="%d" y="%d" width="%d" height="%[3]d" href="data:image/png;base64,%s"/>`+"\n"+
		`<text x="%[1]d" y="%[5]d" fill="#8b949e">%[6]s</text>`+"\n",
		x, y, side, base64.StdEncoding.EncodeToString(content), y+side+lineHeight, html.EscapeString(name)), nil
}
