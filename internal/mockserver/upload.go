package mockserver

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"sync"
)

const (
	maxBody = 32 << 20 // of a JSON request
	maxKept = 8 << 20  // of an upload; larger ones are only hashed
)

// upload is a received file.
type upload struct {
	filename    string
	contentType string
	sha256      string
	size        int64
	content     []byte
}

func newUpload(filename, contentType string, content []byte) *upload {
	sum := sha256.Sum256(content)
	return &upload{filename, contentType, hex.EncodeToString(sum[:]), int64(len(content)), content}
}

// seededFace is drawn once: tests add thousands.
var seededFace = sync.OnceValue(func() []byte { return renderPNG("a face", 64, 64) })

func seededUpload() *upload {
	return newUpload("seed.png", "image/png", seededFace())
}

// errGone says that the client went away during its request, which is how
// clients cancel an upload.
var errGone = errors.New("the request was aborted")

// receive reads the request's body. Its error says what is wrong with it.
func (s *Server) receive(c *call) error {
	if c.route.name == RouteUpload {
		received, err := receiveFile(c.r)
		c.upload = received
		return err
	}
	body, err := io.ReadAll(io.LimitReader(c.r.Body, maxBody+1))
	if err != nil {
		return errGone
	}
	if len(body) > maxBody {
		return fmt.Errorf("the body is larger than %d bytes", maxBody)
	}
	c.body = body
	s.journal.setBody(c.entry, body)
	return nil
}

// endEarly applies a fault in the middle of an upload, if there is one. It
// closes the connection while the client is still sending.
func (s *Server) endEarly(c *call, w http.ResponseWriter) bool {
	fault := s.rules.pick(c.route.name, true)
	if fault.MidUpload == 0 {
		return false
	}
	_, _ = io.CopyN(io.Discard, c.r.Body, fault.MidUpload)
	fault.hold(c.r)
	if !fault.replaces() {
		s.journal.setStatus(c.entry, statusGone)
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Connection", "close")
	fault.deliver(s, w, c, nil)
	return true
}

// receiveFile accepts exactly one part, named file, without keeping it in
// memory.
func receiveFile(r *http.Request) (*upload, error) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return nil, fmt.Errorf("Content-Type %q instead of multipart/form-data", r.Header.Get("Content-Type"))
	}
	source := &trackedReader{reader: r.Body}
	parts := multipart.NewReader(source, params["boundary"])
	received, err := receivePart(parts)
	if err == nil {
		_, err = parts.NextPart()
		if err == nil {
			return nil, errors.New("the form has more than one part")
		}
	}
	switch {
	case errors.Is(err, io.EOF) && received != nil:
		return received, nil
	case source.broken:
		return nil, errGone
	case err != nil:
		return nil, fmt.Errorf("the form cannot be read: %w", err)
	}
	return nil, errors.New("the form is empty")
}

func receivePart(parts *multipart.Reader) (*upload, error) {
	part, err := parts.NextPart()
	if err != nil {
		return nil, err
	}
	if part.FormName() != "file" || part.FileName() == "" {
		return nil, fmt.Errorf("a part named %q with filename %q instead of file", part.FormName(), part.FileName())
	}
	hash, kept := sha256.New(), &cappedBuffer{}
	size, err := io.Copy(io.MultiWriter(hash, kept), part)
	if err != nil {
		return nil, err
	}
	return &upload{
		filename: part.FileName(), contentType: part.Header.Get("Content-Type"),
		sha256: hex.EncodeToString(hash.Sum(nil)), size: size, content: kept.content(),
	}, nil
}

// trackedReader distinguishes a broken connection from a malformed form.
type trackedReader struct {
	reader io.Reader
	broken bool
}

func (t *trackedReader) Read(p []byte) (int, error) {
	n, err := t.reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		t.broken = true
	}
	return n, err
}

// cappedBuffer discards everything once it would become too large.
type cappedBuffer struct {
	buffer bytes.Buffer
	full   bool
}

func (b *cappedBuffer) Write(p []byte) (int, error) {
	if b.full = b.full || b.buffer.Len()+len(p) > maxKept; b.full {
		b.buffer = bytes.Buffer{}
		return len(p), nil
	}
	return b.buffer.Write(p)
}

func (b *cappedBuffer) content() []byte {
	if b.full {
		return nil
	}
	return b.buffer.Bytes()
}
