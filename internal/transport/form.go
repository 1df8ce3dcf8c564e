package transport

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"maps"
	"mime/multipart"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
)

// ErrFileChanged says that a file was changed since the plan. The upload was
// aborted and left nothing at the service.
var ErrFileChanged = errors.New("the file changed while it was read: its size or SHA-256 is not the planned one")

// lastWords is how long the transport has to find a reply on a broken connection.
const lastWords = time.Second

// File is a file to upload.
type File struct {
	Open                  func() (io.ReadCloser, error) // called once per attempt
	Filename, ContentType string
	// SHA256 and Size, in bytes, are the planned values; an empty hash is not
	// checked.
	SHA256 string
	Size   int64
}

// Form sends a file as a part of a form, after the texts. It announces the
// length, so that a broken connection cannot pass for a complete upload. The
// file is streamed. If the file differs from the planned one, the request is
// aborted before its end, with ErrFileChanged.
func (r *Request) Form(part string, file File, texts map[string]string) *Request {
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		r.err = cmp.Or(r.err, writer.WriteField(name, texts[name]))
	}
	_, err := writer.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {multipart.FileContentDisposition(part, headerText(file.Filename))},
		"Content-Type":        {file.ContentType},
	})
	r.err = cmp.Or(r.err, err)
	prelude := form.String()
	closing := "\r\n--" + writer.Boundary() + "--\r\n"
	r.body = payload{
		size:        int64(len(prelude)) + file.Size + int64(len(closing)),
		contentType: writer.FormDataContentType(),
		open: func() (io.ReadCloser, error) {
			opened, err := file.Open()
			if err != nil {
				return nil, err
			}
			upload := &fileReader{
				file:    opened,
				content: &io.LimitedReader{R: opened, N: file.Size},
				sum:     sha256.New(),
				planned: file.SHA256,
			}
			upload.form = io.MultiReader(
				upload.part(strings.NewReader(prelude), false),
				upload.part(io.TeeReader(upload.content, upload.sum), false),
				upload.part(readerFunc(upload.verify), false),
				upload.part(strings.NewReader(closing), true),
			)
			return upload, nil
		},
	}
	return r
}

// headerText removes characters that would end a header or confuse its reader.
func headerText(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '_'
		}
		return r
	}, strings.ToValidUTF8(text, "_"))
}

// fileReader streams the form. It sends the closing boundary only if size and
// hash of the content are as planned. Without the boundary the request is
// incomplete, and the service stores nothing.
type fileReader struct {
	form    io.Reader
	file    io.ReadCloser
	content *io.LimitedReader // of the file
	sum     hash.Hash
	planned string
	over    <-chan struct{} // the end of the attempt

	mutex sync.Mutex
	// begun is true once something was read, given once the closing boundary
	// was read, and held if the boundary will not be read.
	begun, given, held, closed bool
	err                        error
}

// readerFunc is a reader made from a function.
type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func (r *fileReader) Read(p []byte) (int, error) { return r.form.Read(p) }

// part returns a part of the form until the reader is stopped. Then the part
// waits for the end of the attempt: after an error the transport would close
// the connection and lose the reply.
func (r *fileReader) part(source io.Reader, last bool) io.Reader {
	return readerFunc(func(p []byte) (int, error) {
		r.mutex.Lock()
		held := r.held
		if !held {
			r.begun = true
			r.given = last
		}
		r.mutex.Unlock()
		if held {
			<-r.over
			return 0, errIncomplete
		}
		n, err := source.Read(p)
		if err != nil && !errors.Is(err, io.EOF) {
			r.mutex.Lock()
			defer r.mutex.Unlock()
			if !r.closed { // kept here, because transports wrap it in different ways
				r.err = err
			}
		}
		return n, err
	})
}

// verify is a part without content. It ends normally if the file was as
// planned: neither too short nor too long, and with the planned hash.
func (r *fileReader) verify([]byte) (int, error) {
	surplus, _ := io.ReadFull(r.file, make([]byte, 1))
	sum := hex.EncodeToString(r.sum.Sum(nil))
	if r.content.N > 0 || surplus > 0 || r.planned != "" && !strings.EqualFold(r.planned, sum) {
		return 0, ErrFileChanged
	}
	return 0, io.EOF
}

// stop withholds everything that was not read yet. It reports whether that
// includes the closing boundary, and the error if the file could not be read.
func (r *fileReader) stop() (incomplete bool, problem error) {
	if r == nil { // there is no file
		return false, nil
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.held = !r.given
	return r.held, r.err
}

// Close closes the file. The transport calls it early in two cases: the
// connection broke, or the service has replied while another goroutine still
// reads. A service that rejects a file replies and closes the connection. The
// transport gives up once Close returns, so Close leaves it time to find the
// reply.
func (r *fileReader) Close() error {
	r.mutex.Lock()
	broken := r.begun && !r.given && r.err == nil
	r.closed = true
	r.mutex.Unlock()
	err := r.file.Close()
	if broken {
		select {
		case <-r.over:
		case <-time.After(lastWords):
		}
	}
	return err
}
