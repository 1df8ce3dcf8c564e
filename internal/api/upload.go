package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"mime/multipart"
	"net/textproto"
	"strings"
	"sync"
	"unicode"
)

// FaceImage is a file to upload.
type FaceImage struct {
	// Open opens the file; it is called once an attempt.
	Open                  func() (io.ReadCloser, error)
	Filename, ContentType string
	// SHA256 is the planned content, in hexadecimal; empty is not checked.
	SHA256 string
	// Size is the planned size in bytes.
	Size int64
}

// FaceImageUpload is what the service says about an uploaded file.
type FaceImageUpload struct {
	AssetID, StorageURL, ViewURL, Filename *string
	Caption, CaptionStatus, Message        *string
}

// UploadFaceImage sends POST /{character_id}/upload/face-image. The file is
// streamed; if it is not what image says, the request is aborted before it is
// complete and the error is ErrFileChanged.
func (c *Client) UploadFaceImage(ctx context.Context, characterID string, image FaceImage) (*FaceImageUpload, error) {
	request := post("/{character_id}/upload/face-image", characterID).expect("asset_id", "view_url", "storage_url", "filename")
	reply, err := c.do(ctx, request.file(image))
	if err != nil {
		return nil, err
	}
	return &FaceImageUpload{
		AssetID:       assetID(reply),
		StorageURL:    storageURL(reply),
		ViewURL:       reply.text("view_url"),
		Filename:      reply.text("filename"),
		Caption:       reply.text("caption"),
		CaptionStatus: reply.text("caption_status"),
		Message:       reply.text("message"),
	}, nil
}

// file makes the call a form with the one part "file". Its length is known
// beforehand, so that a cut connection cannot pass for a complete upload.
func (c *call) file(image FaceImage) *call {
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	contentType := image.ContentType
	if contentType == "" {
		contentType = "application/octet-stream"
	}
	_, c.err = writer.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {multipart.FileContentDisposition("file", headerText(image.Filename))},
		"Content-Type":        {headerText(contentType)},
	})
	prelude := form.String()
	closing := "\r\n--" + writer.Boundary() + "--\r\n"
	c.body = payload{
		size:        int64(len(prelude)) + image.Size + int64(len(closing)),
		contentType: writer.FormDataContentType(),
		open: func() (io.ReadCloser, error) {
			file, err := image.Open()
			if err != nil {
				return nil, err
			}
			upload := &fileReader{file: file, left: image.Size, sum: sha256.New(), planned: image.SHA256}
			upload.form = io.MultiReader(strings.NewReader(prelude), readerFunc(upload.readFile), strings.NewReader(closing))
			return upload, nil
		},
	}
	return c
}

// headerText keeps what would end a header or confuse its reader out of it.
func headerText(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '_'
		}
		return r
	}, strings.ToValidUTF8(text, "_"))
}

// fileReader is the form on its way. The closing boundary follows only once
// size and hash of what was sent are those of the plan: without it the service
// has no complete request, and nothing is stored.
type fileReader struct {
	form    io.Reader
	file    io.ReadCloser
	left    int64
	sum     hash.Hash
	planned string

	mutex  sync.Mutex
	closed bool
	err    error
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func (r *fileReader) Read(p []byte) (int, error) { return r.form.Read(p) }

// Close closes the file. The transport may call it while it reads, when the
// service has answered early.
func (r *fileReader) Close() error {
	r.mutex.Lock()
	r.closed = true
	r.mutex.Unlock()
	return r.file.Close()
}

func (r *fileReader) readFile(p []byte) (int, error) {
	if r.left == 0 {
		return 0, r.verify()
	}
	n, err := r.file.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	_, _ = r.sum.Write(p[:n])
	switch {
	case err == nil || errors.Is(err, io.EOF) && r.left == 0:
		return n, nil
	case errors.Is(err, io.EOF):
		return n, r.give(ErrFileChanged)
	default:
		return n, r.give(err)
	}
}

// verify looks for a byte too many, and compares the hash.
func (r *fileReader) verify() error {
	if n, _ := io.ReadFull(r.file, make([]byte, 1)); n > 0 {
		return r.give(ErrFileChanged)
	}
	if r.planned != "" && !strings.EqualFold(r.planned, hex.EncodeToString(r.sum.Sum(nil))) {
		return r.give(ErrFileChanged)
	}
	return io.EOF
}

// give keeps the error: what the transport makes of it differs from one to the
// next.
func (r *fileReader) give(err error) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if !r.closed {
		r.err = err
	}
	return err
}

func (r *fileReader) problem() error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.err
}
