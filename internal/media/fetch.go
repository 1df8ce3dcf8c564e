package media

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Fetch downloads an address to the directory as the nth file of a base name,
// and replaces an existing file of any type. Failures of the download are
// *Error, other errors concern the directory. watch receives the number of
// bytes written so far. The entry has the facts that the content tells about
// the file.
func (c *Client) Fetch(
	ctx context.Context,
	address string,
	into *Directory,
	base string,
	n int,
	watch func(bytes int64),
) (Entry, error) {
	source, err := c.open(ctx, address)
	if err != nil {
		return Entry{}, err
	}
	defer source.Close()
	content := bufio.NewReaderSize(source.unpacked(), 64<<10)
	head, err := content.Peek(HeadSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return Entry{}, err
	}
	detected, err := typeOf(head)
	if err != nil {
		return Entry{}, source.fail(err)
	}
	entry := Entry{File: File{fileName(base, n, detected.extension), detected.picture}}
	hash := sha256.New()
	err = into.write(entry.File.Name, func(w io.Writer) error {
		entry.Size, err = io.Copy(io.MultiWriter(w, hash, &counter{progress: watch}), content)
		return err
	})
	if err == nil {
		err = into.deleteOthers(base, n, entry.File.Name)
	}
	entry.SHA256 = hex.EncodeToString(hash.Sum(nil))
	return entry, err
}

// counter counts the received bytes, for the progress of a download.
type counter struct {
	progress func(bytes int64)
	total    int64
}

func (c *counter) Write(p []byte) (int, error) {
	c.total += int64(len(p))
	c.progress(c.total)
	return len(p), nil
}

// open opens an address. Reading fails if the host sends nothing for too long,
// or too much. The content may be packed.
func (c *Client) open(ctx context.Context, address string) (*hostBody, error) {
	if scheme, _, _ := strings.Cut(address, ":"); strings.EqualFold(scheme, "data") { // variant: media-inline
		content, err := decodeData(address)
		body := io.NopCloser(strings.NewReader(content))
		nothing := func() {}
		return &hostBody{
			ctx:       ctx,
			body:      body,
			remaining: c.config.MaxSize,
			limit:     c.config.MaxSize,
			stop:      nothing,
			received:  nothing,
		}, err
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return nil, &Error{Err: errUnreadable} // the parser's own error repeats the address
	}
	ctx, cancel := context.WithCancelCause(ctx)
	alive := time.AfterFunc(c.config.IdleTimeout, func() { cancel(errIdle) })
	stop := func() {
		alive.Stop()
		cancel(nil)
	}
	response, err := c.get(ctx, parsed) //nolint:bodyclose // closed by hostBody
	if err != nil {
		stop()
		return nil, err
	}
	body := &hostBody{
		ctx:       ctx,
		body:      response.Body,
		host:      parsed.Hostname(),
		remaining: c.config.MaxSize,
		limit:     c.config.MaxSize,
		stop:      stop,
		received:  func() { alive.Reset(c.config.IdleTimeout) },
	}
	body.received()
	body.encodings, err = encodingsOf(response.Header)
	if err != nil {
		_ = body.Close()
		return nil, body.fail(err)
	}
	if response.ContentLength > c.config.MaxSize {
		_ = body.Close()
		return nil, body.fail(body.tooLarge())
	}
	return body, nil
}

// hostBody is the body of a host's reply, or the content of a data URI. Its
// errors are *Error.
type hostBody struct {
	ctx              context.Context
	body             io.ReadCloser
	stop, received   func()
	host             string
	encodings        []string // the encodings of the content, in the order in which they were applied
	remaining, limit int64
}

// Read ends with an error beyond the maximum size of a file.
func (b *hostBody) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	b.received()
	b.remaining -= int64(n)
	switch {
	case b.remaining < 0:
		return 0, b.fail(b.tooLarge())
	case b.ctx.Err() != nil:
		return 0, b.fail(context.Cause(b.ctx))
	case errors.Is(err, io.ErrUnexpectedEOF):
		return n, b.fail(brokenOff(err))
	case err != nil && !errors.Is(err, io.EOF):
		return n, b.fail(reply.InWords(err))
	}
	return n, err
}

func (b *hostBody) Close() error {
	defer b.stop()
	return b.body.Close()
}

func brokenOff(err error) error {
	return fmt.Errorf("the file broke off before its end: %w", reply.InWords(err))
}

func (b *hostBody) tooLarge() error { return fmt.Errorf("the file is larger than %s", Size(b.limit)) }

func (b *hostBody) fail(err error) error { return &Error{Host: b.host, Err: err} }

// decodeData decodes a data URI. It ignores the media type, like the media type
// of a host.
func decodeData(address string) (string, error) {
	header, content, found := strings.Cut(address, ",")
	content, err := url.PathUnescape(content)
	if err == nil && strings.HasSuffix(strings.ToLower(header), ";base64") {
		content = strings.TrimRight(
			strings.NewReplacer("-", "+", "_", "/", "\n", "", "\r", "", " ", "", "\t", "").Replace(content),
			"=",
		)
		var decoded []byte
		decoded, err = base64.RawStdEncoding.DecodeString(content)
		content = string(decoded)
	}
	if !found || err != nil {
		return "", &Error{Err: errors.New("the data URI cannot be decoded")}
	}
	return content, nil
}

// Size formats a number of bytes for people.
func Size(bytes int64) string {
	if bytes < 1024 {
		return fmt.Sprintf("%d B", bytes)
	}
	size := float64(bytes) / 1024
	unit := 0
	for ; size >= 1024 && unit < 2; unit++ {
		size /= 1024
	}
	return fmt.Sprintf("%.1f %ciB", size, "KMG"[unit])
}
