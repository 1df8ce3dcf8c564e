package media

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// unpackers are the supported encodings, by their names in Content-Encoding.
// The client asks for unpacked files, but some stores keep files packed and
// send them so to everybody.
var unpackers = map[string]func(io.Reader) (io.Reader, error){
	"gzip":    openGzip,
	"x-gzip":  openGzip,
	"deflate": openDeflate,
}

func openGzip(source io.Reader) (io.Reader, error) { return gzip.NewReader(source) }

// openDeflate accepts both meanings of deflate: a zlib stream, as in the
// standard, or only the data inside such a stream.
func openDeflate(source io.Reader) (io.Reader, error) {
	content := bufio.NewReader(source)
	head, err := content.Peek(2)
	if err != nil {
		return nil, err
	}
	const deflates = 8 // the method, in the low half of the first byte
	isZlib := head[0]&0x0f == deflates && (int(head[0])<<8|int(head[1]))%31 == 0
	if isZlib {
		return zlib.NewReader(content)
	}
	return flate.NewReader(content), nil
}

// encodingsOf returns the encodings of a reply, in the order in which they were
// applied.
func encodingsOf(header http.Header) ([]string, error) {
	var encodings []string
	for name := range strings.SplitSeq(strings.Join(header.Values("Content-Encoding"), ","), ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "" || name == "identity" {
			continue
		}
		if unpackers[name] == nil {
			return nil, fmt.Errorf("the file is packed as %q, which cannot be unpacked", name)
		}
		encodings = append(encodings, name)
	}
	return encodings, nil
}

// unpacked returns the content of a host's reply, without its encodings.
func (b *hostBody) unpacked() io.Reader {
	var content io.Reader = b
	for _, encoding := range slices.Backward(b.encodings) {
		content = &unpacking{
			of:        b,
			source:    content,
			encoding:  encoding,
			remaining: b.limit,
		}
	}
	return content
}

// unpacking removes one encoding. Its errors are *Error.
type unpacking struct {
	of        *hostBody
	source    io.Reader
	content   io.Reader // nil until the first read
	encoding  string
	remaining int64
}

// Read ends with an error beyond the maximum size of a file, because a small
// reply can contain terabytes.
func (u *unpacking) Read(p []byte) (int, error) {
	n, err := u.read(p)
	u.remaining -= int64(n)
	_, isHosts := errors.AsType[*Error](err)
	switch {
	case u.remaining < 0:
		return 0, u.of.fail(u.of.tooLarge())
	case err == nil, isHosts, errors.Is(err, io.EOF):
		return n, err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return n, u.of.fail(brokenOff(err))
	}
	return n, u.of.fail(fmt.Errorf("the file is said to be packed as %q, but it cannot be unpacked", u.encoding))
}

func (u *unpacking) read(p []byte) (int, error) {
	if u.content == nil {
		content, err := unpackers[u.encoding](u.source)
		if err != nil {
			return 0, err
		}
		u.content = content
	}
	return u.content.Read(p)
}
