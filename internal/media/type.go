package media

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// fileType is a type of files: its extension, and the beginning of its content.
type fileType struct {
	extension string // as in ".png"
	picture   bool   // every browser shows it
	contents  []string
}

// fileTypes are the allowed extensions. They never come from an address or a
// header, so that a host cannot choose the extension of a program.
var fileTypes = []fileType{
	{".png", true, []string{"image/png"}},
	{".jpg", true, []string{"image/jpeg"}},
	{".webp", true, []string{"image/webp"}},
	{".gif", true, []string{"image/gif"}},
	{".avif", true, []string{"image/avif"}},
	{".bmp", true, []string{"image/bmp"}},
	{".heic", false, []string{"image/heic", "image/heif"}},
	{".tif", false, []string{"image/tiff"}},
	{".mp4", false, []string{"video/mp4"}},
	{".mov", false, []string{"video/quicktime"}},
	{".webm", false, []string{"video/webm"}},
	{".avi", false, []string{"video/avi"}},
	{".mp3", false, []string{"audio/mpeg"}},
	{".wav", false, []string{"audio/wave"}},
	{".ogg", false, []string{"application/ogg"}},
	{".bin", false, nil}, // any other content: kept, because it was paid for
}

// brands are the media types of ISO files that are no MP4, by the brand at
// their beginning.
var brands = map[string]string{
	"avif": "image/avif", "avis": "image/avif", "heic": "image/heic", "heix": "image/heic", "hevc": "image/heic",
	"mif1": "image/heif", "msf1": "image/heif", "qt  ": "video/quicktime",
}

// HeadSize is the size of the beginning from which the type of a file is
// detected.
const HeadSize = 512

// typeOf detects the type from the beginning of a file. It refuses text, which
// is usually an error page.
func typeOf(head []byte) (fileType, error) {
	if len(head) == 0 {
		return fileType{}, errors.New("the file is empty")
	}
	content, _, _ := strings.Cut(ContentType(head), ";")
	if strings.HasPrefix(content, "text/") {
		return fileType{}, fmt.Errorf("the content is text (%s), not media", content)
	}
	i := slices.IndexFunc(
		fileTypes,
		func(t fileType) bool { return t.contents == nil || slices.Contains(t.contents, content) },
	)
	return fileTypes[i], nil
}

// ContentType returns the media type of a file with this beginning.
func ContentType(head []byte) string {
	switch {
	case len(head) >= 12 && string(head[4:8]) == "ftyp":
		return cmp.Or(brands[string(head[8:12])], "video/mp4")
	case bytes.HasPrefix(head, []byte("II*\x00")), bytes.HasPrefix(head, []byte("MM\x00*")):
		return "image/tiff"
	}
	return http.DetectContentType(head)
}
