package transport_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/http2"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// gateway is a server over real TLS, whose sockets the test serves itself.
type gateway struct {
	address *url.URL
	roots   *x509.CertPool

	mutex sync.Mutex
	posts []string // the protocols of the POSTs that it has received
}

// newGateway serves connections of HTTP/1.1 in one way, and those of HTTP/2 in
// another.
func newGateway(t *testing.T, config *tls.Config, one, two func(*gateway, net.Conn)) *gateway {
	t.Helper()
	lender := httptest.NewUnstartedServer(nil)
	lender.StartTLS() // has a certificate
	config.Certificates = lender.TLS.Certificates
	g := &gateway{roots: x509.NewCertPool()}
	g.roots.AddCert(lender.Certificate())
	lender.Close()
	listener, err := tls.Listen("tcp", "127.0.0.1:0", config)
	check.Must(t, err)
	g.address = &url.URL{Scheme: "https", Host: listener.Addr().String()}
	var open sync.WaitGroup
	open.Go(func() {
		for {
			accepted, err := listener.Accept()
			if err != nil {
				return
			}
			open.Go(func() { g.serve(t.Context(), accepted, one, two) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		open.Wait()
	})
	return g
}

func (g *gateway) serve(ctx context.Context, accepted net.Conn, one, two func(*gateway, net.Conn)) {
	defer func() { _ = accepted.Close() }()
	defer context.AfterFunc(ctx, func() { _ = accepted.Close() })()
	socket, _ := accepted.(*tls.Conn)
	if socket == nil || socket.HandshakeContext(ctx) != nil {
		return
	}
	if socket.ConnectionState().NegotiatedProtocol == "h2" {
		two(g, socket)
		return
	}
	one(g, socket)
}

func (g *gateway) note(protocol string) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.posts = append(g.posts, protocol)
}

func (g *gateway) received() []string {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return slices.Clone(g.posts)
}

func (g *gateway) client(config transport.Config) *transport.Client {
	config.BaseURL = g.address
	config.MaxRetries = 4
	config.Clock = newClock()
	if config.AccessToken == "" {
		config.AuthURL = g.address
	}
	client := transport.New(config)
	client.Trust(g.roots)
	return client
}

// answers reads one request over HTTP/1.1 and writes the texts, each in a write
// of its own.
func answers(texts ...string) func(*gateway, net.Conn) {
	return func(g *gateway, socket net.Conn) {
		request, err := http.ReadRequest(bufio.NewReader(socket))
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, request.Body)
		g.note("HTTP/1.1")
		for _, text := range texts {
			_, _ = io.WriteString(socket, text)
		}
	}
}

func whole(body string) string {
	return fmt.Sprintf(
		"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		len(body),
		body,
	)
}

// breaks takes every request over HTTP/2 as done, and then ends its stream in a
// way of its own.
func breaks(end func(framer *http2.Framer, stream uint32)) func(*gateway, net.Conn) {
	return func(g *gateway, socket net.Conn) {
		preface := make([]byte, len(http2.ClientPreface))
		if _, err := io.ReadFull(socket, preface); err != nil {
			return
		}
		framer := http2.NewFramer(socket, socket)
		_ = framer.WriteSettings()
		for {
			frame, err := framer.ReadFrame()
			if err != nil {
				return
			}
			switch frame := frame.(type) {
			case *http2.SettingsFrame:
				if !frame.IsAck() {
					_ = framer.WriteSettingsAck()
				}
			case *http2.HeadersFrame:
				g.note("HTTP/2")
				if len(g.received()) > 8 { // enough to show that it goes on
					return
				}
				end(framer, frame.StreamID)
			}
		}
	}
}

// hangs answers nothing over HTTP/2, and counts what it is sent.
var hangs = breaks(func(*http2.Framer, uint32) {})

var offersBoth = []string{"h2", "http/1.1"}

// The gateway has passed each request on before it ends its stream.
// Fault F33.
func TestAPaidRequestIsWrittenOnceHoweverStreamsEnd(t *testing.T) {
	t.Parallel()
	ends := map[string]func(*http2.Framer, uint32){
		"GOAWAY that disowns the stream": func(f *http2.Framer, _ uint32) {
			_ = f.WriteGoAway(0, http2.ErrCodeNo, nil)
		},
		"GOAWAY that owns the stream": func(f *http2.Framer, stream uint32) {
			_ = f.WriteGoAway(stream, http2.ErrCodeNo, nil)
			_ = f.WriteRSTStream(stream, http2.ErrCodeInternal)
		},
		"GOAWAY with an error": func(f *http2.Framer, _ uint32) {
			_ = f.WriteGoAway(0, http2.ErrCodeEnhanceYourCalm, nil)
		},
	}
	for code := http2.ErrCodeNo; code <= http2.ErrCodeHTTP11Required; code++ {
		ends["RST_STREAM "+code.String()] = func(f *http2.Framer, stream uint32) { _ = f.WriteRSTStream(stream, code) }
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGateway(t, &tls.Config{NextProtos: offersBoth}, answers(whole(started)), breaks(end))
			said, err := g.client(transport.Config{Credential: transport.Credential{AccessToken: "static"}}).
				Do(t.Context(), order())
			check.Equal(t, "the POSTs on the wire", g.received(), []string{"HTTP/1.1"})
			check.True(t, "the receipt", err == nil && said["job_id"] == "job_1", said, err)
		})
	}
}

// Also the request for a token is a POST.
// Fault F33.
func TestATokenIsAskedForOverHTTP1(t *testing.T) {
	t.Parallel()
	disowned := breaks(func(f *http2.Framer, _ uint32) { _ = f.WriteGoAway(0, http2.ErrCodeNo, nil) })
	g := newGateway(t, &tls.Config{NextProtos: offersBoth}, answers(whole(`{"accessToken":"token"}`)), disowned)
	token, err := g.client(transport.Config{Credential: transport.Credential{APIKey: "key-0123456789"}}).
		AccessToken(t.Context(), 0)
	check.Equal(t, "the POSTs on the wire", g.received(), []string{"HTTP/1.1"})
	check.True(t, "the token", err == nil && token.Value == "token", token, err)
}

// What the service may have done before its connection ends is not sent again.
// Fault F2.
// Fault F4.
func TestAPaidRequestIsWrittenOnceHoweverConnectionsEnd(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		reply  []string
		effect reply.Effect
	}{
		"before the reply":         {nil, reply.EffectUnknown},
		"within the status line":   {[]string{"HTTP/1.1 20"}, reply.EffectUnknown},
		"within the header":        {[]string{"HTTP/1.1 200 OK\r\nContent-Le"}, reply.EffectUnknown},
		"within the reply":         {[]string{whole(started)[:len(whole(started))-5]}, reply.EffectUnknown},
		"after the reply":          {[]string{whole(started)}, reply.EffectAccepted},
		"after a reply behind 102": {[]string{"HTTP/1.1 102 Processing\r\n\r\n", whole(started)}, reply.EffectAccepted},
		"after nothing but 102":    {[]string{"HTTP/1.1 102 Processing\r\n\r\n"}, reply.EffectUnknown},
		"after a 101": {[]string{"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: " +
			"h2c\r\n\r\n"}, reply.EffectUnknown},
		"by frames of HTTP/2": {[]string{"\x00\x00\x00\x04\x00\x00\x00\x00\x00"}, reply.EffectUnknown},
		"after a 408 of its idle": {
			[]string{"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n"},
			reply.EffectUnknown,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGateway(t, &tls.Config{NextProtos: offersBoth}, answers(test.reply...), hangs)
			said, err := g.client(transport.Config{Credential: transport.Credential{AccessToken: "static"}}).
				Do(t.Context(), order())
			check.Equal(t, "the POSTs on the wire", g.received(), []string{"HTTP/1.1"})
			check.Equal(t, "accepted", err == nil, test.effect == reply.EffectAccepted)
			check.True(t, "unknown", reply.IsEffectUnknown(err) == (test.effect == reply.EffectUnknown), said, err)
		})
	}
}

// A connection that a 101 leaves open says nothing more of the request.
// Fault F4.
func TestASwitchOfProtocolsIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	switches := "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
	g := newGateway(t, &tls.Config{NextProtos: offersBoth}, func(g *gateway, socket net.Conn) {
		answers(switches)(g, socket)
		_, _ = io.Copy(io.Discard, socket) // until the client closes it
	}, hangs)
	_, err := g.client(transport.Config{Credential: transport.Credential{AccessToken: "static"}}).
		Do(t.Context(), order())
	check.True(t, "the effect", reply.IsEffectUnknown(err) && reply.Status(err) == http.StatusSwitchingProtocols, err)
	check.Equal(t, "the POSTs on the wire", g.received(), []string{"HTTP/1.1"})
}

// A gateway that speaks HTTP/2 alone is told so at once, and nothing is sent.
// Fault F33.
func TestAGatewayThatSpeaksHTTP2Alone(t *testing.T) {
	t.Parallel()
	strict := &tls.Config{NextProtos: []string{"h2"}}
	// Go's own lets in who asks for HTTP/1.1, and who asks for nothing.
	strict.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		if slices.Contains(hello.SupportedProtos, "h2") {
			return nil, nil
		}
		refusing := strict.Clone()
		refusing.NextProtos = []string{"none"}
		return refusing, nil
	}
	refused := func(g *gateway, socket net.Conn) { answers(whole(started))(g, socket) }
	for name, config := range map[string]transport.Credential{
		"a purchase": {AccessToken: "static"},
		"a token":    {APIKey: "key-0123456789"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGateway(t, strict.Clone(), refused, hangs)
			attempts := 0
			client := g.client(
				transport.Config{Credential: config, Log: func(context.Context, string, map[string]any) { attempts++ }},
			)
			_, err := client.Do(t.Context(), order())
			check.True(
				t,
				"the error",
				err != nil && strings.Contains(err.Error(), "speaks HTTP/2 alone") && !reply.IsEffectUnknown(err),
				err,
			)
			failure := reply.ErrorOf(err)
			check.True(
				t,
				"one attempt, nothing sent",
				attempts == 1 && failure != nil && !failure.Sent.Connected,
				attempts,
				err,
			)
			check.Equal(t, "the POSTs on the wire", len(g.received()), 0)
		})
	}
}

// What changes nothing, or the same however often it is sent, goes over HTTP/2
// where that is offered. Fault F33.
func TestOnlyPostsDoWithoutHTTP2(t *testing.T) {
	t.Parallel()
	var mutex sync.Mutex
	protocols := map[string]int{}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		defer mutex.Unlock()
		protocols[r.Method+r.URL.Path] = r.ProtoMajor
		_, _ = io.WriteString(w, `{"job_id":"job_1"}`)
	}))
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	check.Must(t, err)
	client := transport.New(
		transport.Config{BaseURL: address, Credential: transport.Credential{AccessToken: "static"}, Clock: newClock()},
	)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	client.Trust(roots)
	t.Cleanup(client.CloseIdle)
	for _, request := range []*transport.Request{
		transport.Get("/x"),
		transport.Put("/x"),
		transport.Delete("/x"),
		order(),
	} {
		check.NoError(t, check.ErrorOf(client.Do(t.Context(), request)))
	}
	check.NoError(t, check.ErrorOf(client.Do(transport.Afresh(t.Context()), transport.Get("/afresh"))))
	want := map[string]int{"GET/x": 2, "PUT/x": 2, "DELETE/x": 2, "GET/afresh": 2, "POST/train": 1}
	check.Equal(t, "the protocols", protocols, want)
}

// A proxy is spoken to like a gateway: what goes through its tunnel is a POST
// over HTTP/1.1, too. Fault F33.
func TestAPaidRequestThroughAProxy(t *testing.T) {
	t.Parallel()
	disowned := breaks(func(f *http2.Framer, _ uint32) { _ = f.WriteGoAway(0, http2.ErrCodeNo, nil) })
	g := newGateway(t, &tls.Config{NextProtos: offersBoth}, answers(whole(started)), disowned)
	var tunnels sync.WaitGroup
	t.Cleanup(tunnels.Wait)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		there, err := new(net.Dialer).DialContext(r.Context(), "tcp", r.Host)
		if err != nil {
			return
		}
		here, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
		for _, pair := range [][2]net.Conn{{here, there}, {there, here}} {
			tunnels.Go(func() {
				_, _ = io.Copy(pair[0], pair[1])
				_ = pair[0].Close()
			})
		}
	}))
	t.Cleanup(proxy.Close)
	through, err := url.Parse(proxy.URL)
	check.Must(t, err)
	client := g.client(transport.Config{Credential: transport.Credential{AccessToken: "static"}})
	client.Through(through)
	said, err := client.Do(t.Context(), order())
	check.True(t, "the receipt", err == nil && said["job_id"] == "job_1", said, err)
	check.Equal(t, "the POSTs on the wire", g.received(), []string{"HTTP/1.1"})
}
