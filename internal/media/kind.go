package media

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Kind is what a file is.
type Kind struct {
	// Extension is that of its name, as in ".png".
	Extension string
	// Picture is what every browser shows as one.
	Picture bool
	types   []string // as the bytes tell
}

// kinds are what files may be called. A name never comes from an address or a
// header: nobody wants a script because a host said so.
var kinds = []Kind{
	{".png", true, []string{"image/png"}},
	{".jpg", true, []string{"image/jpeg"}},
	{".webp", true, []string{"image/webp"}},
	{".gif", true, []string{"image/gif"}},
	{".avif", true, []string{"avif", "avis"}},
	{".bmp", true, []string{"image/bmp"}},
	{".heic", false, []string{"heic", "heix", "hevc", "mif1", "msf1"}},
	{".tif", false, []string{"image/tiff"}},
	{".mp4", false, []string{"video/mp4"}},
	{".mov", false, []string{"qt  "}},
	{".webm", false, []string{"video/webm"}},
	{".avi", false, []string{"video/avi"}},
	{".mp3", false, []string{"audio/mpeg"}},
	{".wav", false, []string{"audio/wave"}},
	{".ogg", false, []string{"application/ogg"}},
	other,
}

// other is what the bytes do not tell. It is kept: it was paid for.
var other = Kind{Extension: ".bin"}

var errEmpty = errors.New("the file is empty")

// sniffed is how much of a file tells what it is.
const sniffed = 512

// kindOf tells what a file is by its beginning. A text is none: it is a page
// that says what went wrong.
func kindOf(head []byte) (Kind, error) {
	if len(head) == 0 {
		return Kind{}, errEmpty
	}
	told := typeOf(head)
	if strings.HasPrefix(told, "text/") {
		return Kind{}, fmt.Errorf("it is a text (%s) and no medium", told)
	}
	for _, kind := range kinds {
		if slices.Contains(kind.types, told) {
			return kind, nil
		}
	}
	return other, nil
}

// typeOf is the media type, or the brand of a file of the ISO family that has
// one of its own.
func typeOf(head []byte) string {
	if len(head) >= 12 && string(head[4:8]) == "ftyp" {
		brand := string(head[8:12])
		if slices.ContainsFunc(kinds, func(kind Kind) bool { return slices.Contains(kind.types, brand) }) {
			return brand
		}
		return "video/mp4"
	}
	if bytes.HasPrefix(head, []byte("II*\x00")) || bytes.HasPrefix(head, []byte("MM\x00*")) {
		return "image/tiff"
	}
	told, _, _ := strings.Cut(http.DetectContentType(head), ";")
	return told
}
