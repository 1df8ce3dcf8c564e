package media

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Kind is a type of file.
type Kind struct {
	// Extension is the file name's, as in ".png".
	Extension string
	// Picture is set for images that every browser shows.
	Picture bool
	types   []string // detected media types or ISO brands
}

// kinds are the allowed extensions. They never come from an address or a header,
// so that a host cannot choose one that runs.
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

// other is any other content. It is kept, since it was paid for.
var other = Kind{Extension: ".bin"}

var errEmpty = errors.New("the file is empty")

// sniffed is how much of a file its type is detected from.
const sniffed = 512

// kindOf detects the type from the beginning of a file. Text is refused: it is
// usually an error page.
func kindOf(head []byte) (Kind, error) {
	if len(head) == 0 {
		return Kind{}, errEmpty
	}
	told := typeOf(head)
	if strings.HasPrefix(told, "text/") {
		return Kind{}, fmt.Errorf("the content is text (%s), not media", told)
	}
	for _, kind := range kinds {
		if slices.Contains(kind.types, told) {
			return kind, nil
		}
	}
	return other, nil
}

// typeOf returns the media type, or the brand of an ISO file that has its own.
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
