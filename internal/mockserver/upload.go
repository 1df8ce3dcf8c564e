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

	"github.com/getkin/kin-openapi/openapi3"
)

const (
	maxBody = 32 << 20 // of a JSON request
	maxKept = 8 << 20  // of an upload; larger ones are only hashed
	maxText = 1 << 10  // of a form's field
)

// upload is a received file.
type upload struct {
	filename    string
	contentType string
	sha256      string
	size        int64
	content     []byte
	fields      map[string]any // of the form: texts, and "" for the file
}

func newUpload(filename, contentType string, content []byte) *upload {
	sum := sha256.Sum256(content)
	return &upload{
		filename:    filename,
		contentType: contentType,
		sha256:      hex.EncodeToString(sum[:]),
		size:        int64(len(content)),
		content:     content,
	}
}

// seededFaces has the face of each look. Each is drawn once, because tests add
// thousands of images.
var seededFaces sync.Map

func seededUpload(of look) *upload {
	drawn, _ := seededFaces.LoadOrStore(of, sync.OnceValue(func() []byte { return drawing{&of, "a face"}.png(64) }))
	draw, _ := drawn.(func() []byte)
	return newUpload("seed.png", "image/png", draw())
}

// errGone says that the client went away during its request. Clients cancel an
// upload in this way.
var errGone = errors.New("the request was aborted")

// receive reads the request's body. Its error describes an invalid body.
func (s *Server) receive(c *call) error {
	if form := c.route.op.form; form != nil {
		received, err := receiveForm(c.r, form)
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
	s.journal.change(c.entry, func(e *Entry) { e.Body = body })
	return nil
}

// endEarly applies a fault in the middle of an upload, if there is one. It
// closes the connection while the client is still sending.
func (s *Server) endEarly(c *call, w http.ResponseWriter) bool {
	fault := s.rules.pick(c.subject(), true)
	if fault.MidUpload == 0 {
		return false
	}
	_, _ = io.CopyN(io.Discard, c.r.Body, fault.MidUpload)
	fault.hold(c.r)
	if !fault.replaces() {
		s.journal.change(c.entry, func(e *Entry) { e.Status = statusGone })
		s.rules.answered(c.route.name)
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Connection", "close")
	fault.deliver(s, w, c, nil)
	return true
}

// receiveForm accepts the parts that the schema describes, each once: texts,
// and a file, which is not kept in memory.
func receiveForm(r *http.Request, form *openapi3.Schema) (*upload, error) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return nil, fmt.Errorf("Content-Type %q instead of multipart/form-data", r.Header.Get("Content-Type"))
	}
	source := &watchedBody{body: r.Body}
	received := &upload{fields: map[string]any{}}
	parts := multipart.NewReader(source, params["boundary"])
	for err == nil {
		err = received.receivePart(parts, form)
	}
	switch ended := errors.Is(err, io.EOF); {
	case !ended && source.err != nil:
		return nil, errGone
	case !ended:
		return nil, fmt.Errorf("the form cannot be read: %w", err)
	}
	if err := form.VisitJSON(received.fields, openapi3.VisitAsRequest()); err != nil {
		return nil, errors.New(oneLine(err))
	}
	return received, nil
}

// receivePart returns io.EOF after the last part.
func (u *upload) receivePart(parts *multipart.Reader, form *openapi3.Schema) error {
	part, err := parts.NextPart()
	if err != nil {
		return err
	}
	name := part.FormName()
	described := form.Properties[name]
	if described == nil || (described.Value.Format == "binary") != (part.FileName() != "") {
		return fmt.Errorf("a part named %q with filename %q", name, part.FileName())
	}
	if u.fields[name] != nil {
		return fmt.Errorf("more than one part named %q", name)
	}
	if part.FileName() != "" {
		u.fields[name] = ""
		return u.receiveFile(part)
	}
	text, err := io.ReadAll(io.LimitReader(part, maxText))
	u.fields[name] = string(text)
	return err
}

func (u *upload) receiveFile(part *multipart.Part) error {
	hash := sha256.New()
	kept := &cappedBuffer{}
	size, err := io.Copy(io.MultiWriter(hash, kept), part)
	u.filename = part.FileName()
	u.contentType = part.Header.Get("Content-Type")
	u.sha256 = hex.EncodeToString(hash.Sum(nil))
	u.size = size
	u.content = kept.content()
	return err
}

// cappedBuffer discards its content once it would become too large.
type cappedBuffer struct {
	buffer bytes.Buffer
	full   bool
}

func (b *cappedBuffer) Write(p []byte) (int, error) {
	b.full = b.full || b.buffer.Len()+len(p) > maxKept
	if b.full {
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
