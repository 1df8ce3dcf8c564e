package media_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"

	"code.dny.dev/ssrf"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
)

func TestScopes(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"93.184.216.34": "public", "2606:2800:220:1::1": "public", "172.15.0.1": "public", "172.32.0.1": "public",
		"64:ff9b::5db8:d822": "public",
		"127.0.0.1":          "loopback", "127.8.9.1": "loopback", "::1": "loopback", "0.0.0.0": "loopback",
		"0.1.2.3": "loopback", "::": "loopback",
		"::ffff:127.0.0.1": "loopback", "64:ff9b::7f00:1": "loopback",
		"10.0.0.1": "private", "172.16.0.1": "private", "172.31.255.255": "private", "192.168.1.1": "private",
		"100.100.100.200": "private",
		"fd00:ec2::254":   "private", "::ffff:10.0.0.1": "private", "198.18.0.1": "private", "fec0::1": "private",
		"fec0::1%eth0":    "private",
		"169.254.169.254": "link-local", "fe80::1": "link-local", "fe80::1%eth0": "link-local",
		"::ffff:169.254.169.254": "link-local", "64:ff9b::a9fe:a9fe": "link-local",
		"2002:7f00:1::": "translated", "::ffff:0:127.0.0.1": "translated", "::ffff:0:93.184.216.34": "translated",
		"::0.0.0.2":   "translated",
		"::127.0.0.1": "translated", "::169.254.169.254": "translated", "::93.184.216.34": "translated",
		"64:ff9b:1::1": "translated", "64:ff9b:1::1%eth0": "translated", "64:ff9b:1:a9fe:a9:fe00::": "translated",
		"240.0.0.1": "private", "255.255.255.255": "private", "::ffff:240.0.0.1": "private",
		"64:ff9b::f000:1": "private",
		"224.0.0.1":       "multicast", "239.255.255.255": "multicast", "ff00::": "multicast", "ff02::1": "multicast",
		"ff0e::1":          "multicast",
		"::ffff:224.0.0.1": "multicast", "64:ff9b::e000:1": "multicast",
		"192.88.99.1": "translated", "::ffff:192.88.99.1": "translated", "64:ff9b::c058:6301": "translated",
		"2001::1": "translated", "2001:0:4136:e378::1": "translated", // Teredo
		"2001:1::1": "reserved", "2001:1ff:ffff::1": "reserved", "2001:200::1": "public",
		"192.0.2.1": "reserved", "198.51.100.1": "reserved", "203.0.113.1": "reserved", "192.31.196.1": "reserved",
		"::ffff:192.0.2.1": "reserved", "64:ff9b::c000:201": "reserved",
		"2001:db8::1": "reserved", "3fff::1": "reserved", "2620:4f:8000::1": "reserved",
		"64:ff9b:2::1": "reserved", "100::1": "reserved", "1fff:ffff::1": "reserved", "4000::1": "reserved",
		"5f00::1": "reserved",
		"8000::1": "reserved", "fbff::1": "reserved", "fe00::1": "reserved", "2000::1": "public", "3ffe::1": "public",
	} {
		check.Equal(t, address, media.ScopeOf(address), want)
	}
}

// What is not public by the list of package ssrf, or was by ours before, is
// not: in IPv4, mapped into IPv6 and behind NAT64 too.
func TestNoReservedRangeIsPublic(t *testing.T) {
	t.Parallel()
	ranges := slices.Concat(ssrf.IPv4DeniedPrefixes, ssrf.IPv6DeniedPrefixes)
	for _, text := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15", "fec0::/10", "64:ff9b:1::/48", "::/96",
		"::ffff:0:0:0/96",
		"2002::/16", "240.0.0.0/4", "224.0.0.0/4", "ff00::/8", "2001::/23", "192.88.99.0/24", "::/3", "4000::/2",
		"8000::/1",
	} {
		ranges = append(ranges, netip.MustParsePrefix(text))
	}
	for _, prefix := range ranges {
		for _, ip := range []netip.Addr{prefix.Masked().Addr(), lastOf(prefix)} {
			forms := []netip.Addr{ip}
			if ip.Is4() {
				forms = append(forms, netip.AddrFrom16(ip.As16()), behindNAT64(ip))
			}
			for _, form := range forms {
				check.True(t, form.String(), media.ScopeOf(form.String()) != "public", prefix)
			}
		}
	}
}

func lastOf(prefix netip.Prefix) netip.Addr {
	bytes := prefix.Addr().AsSlice()
	for bit := prefix.Bits(); bit < 8*len(bytes); bit++ {
		bytes[bit/8] |= 0x80 >> (bit % 8)
	}
	last, _ := netip.AddrFromSlice(bytes)
	return last
}

func behindNAT64(ip netip.Addr) netip.Addr {
	bytes := ssrf.IPv6NAT64Prefix.Addr().As16()
	four := ip.As4()
	copy(bytes[12:], four[:])
	return netip.AddrFrom16(bytes)
}

// Neither an address nor a redirect leads to what only this machine can reach.
func TestNothingOfTheLocalNetworkIsReached(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ address, want string }{
		"metadata":                  {"https://169.254.169.254/latest", "169.254.169.254 is a link-local address"},
		"loopback":                  {"https://127.0.0.1/", "127.0.0.1 is a loopback address"},
		"loopback in IPv6":          {"https://[::ffff:127.0.0.1]/", "is a loopback address"},
		"a name of the metadata":    {"https://metadata.example.com/", "169.254.169.254 is a link-local address"},
		"a name of this machine":    {"https://here.example.com/", "127.0.0.1 is a loopback address"},
		"a name of the network":     {"https://intranet.example.com/", "10.0.0.8 is a private address"},
		"http":                      {"http://media.example.com/", "not https"},
		"another scheme":            {"file:///etc/passwd", "names no host"},
		"yet another scheme":        {"gopher://media.example.com/", "neither https nor http"},
		"a password in the address": {"https://user:password@media.example.com/", "a user name or a password"},
		"no address":                {"https://%zz", "cannot be read"},
	} {
		for _, redirected := range []bool{false, true} {
			n := newInternet(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/start" {
					w.Header().Set("Location", test.address)
					w.WriteHeader(http.StatusFound)
					return
				}
				_, _ = io.WriteString(w, picture)
			})
			n.hosts["metadata.example.com"] = "169.254.169.254"
			n.hosts["here.example.com"] = "127.0.0.1"
			n.hosts["intranet.example.com"] = "10.0.0.8"
			address := test.address
			requests := 0
			if redirected {
				address = "https://media.example.com/start?signature=secret"
				requests = 1
			}
			_, path, err := fetch(t, n.client(theService), address)
			check.True(
				t,
				"redirected",
				err != nil && strings.Contains(err.Error(), test.want) && !media.IsTemporary(err),
				name,
				redirected,
				err,
				test.want,
			)
			check.True(
				t,
				"the error tells no more than the host",
				err == nil || (!strings.Contains(err.Error(), "secret") && !strings.Contains(err.Error(), "password@")),
				name,
				err,
			)
			check.True(
				t,
				"requests and connections",
				len(n.requests) == requests && len(n.dialled) == requests,
				name,
				redirected,
				len(n.requests),
				n.dialled,
			)
			wantFiles(t, path)
		}
	}
}

// TestTheDialerAsksTheGuard: the one of production, which resolves a name.
func TestTheDialerAsksTheGuard(t *testing.T) {
	t.Parallel()
	reached := false
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	t.Cleanup(server.Close)
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	check.Must(t, err)
	_, _, err = fetch(
		t,
		media.New(media.Config{Service: &url.URL{Scheme: "https", Host: "93.184.216.35"}}),
		"https://localhost:"+port+"/",
	)
	check.True(
		t,
		"reached",
		err != nil && strings.Contains(err.Error(), "is a loopback address") && !reached,
		reached,
		err,
	)
}

// A service on the local network has its media there, and no others.
func TestMediaOfTheServicesOwnNetwork(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		service, at, media string
		fails              bool
	}{
		{service: "https://api.example.org/v2", at: "10.0.0.5", media: "https://10.0.0.8/"},
		{service: "https://api.example.org/v2", at: "10.0.0.5", media: "https://media.example.com/"},
		{service: "https://api.example.org/v2", at: "10.0.0.5", media: "https://127.0.0.1/", fails: true},
		{service: "https://api.example.org/v2", at: "10.0.0.5", media: "https://169.254.169.254/", fails: true},
		{service: "https://10.0.0.5/v2", media: "https://10.0.0.8/"},
		{service: "https://127.0.0.1/v2", media: "https://127.0.0.1/"},
		{service: "https://[::1]/v2", media: "https://127.0.0.1/"},
		{service: "https://localhost/v2", at: "127.0.0.1", media: "https://127.0.0.1/"},
		{service: "https://127.0.0.1/v2", media: "https://10.0.0.8/", fails: true},
		{service: "https://127.0.0.1/v2", media: "https://169.254.169.254/", fails: true},
		{service: "https://240.0.0.5/v2", media: "https://240.0.0.8/"},
		{service: "https://10.0.0.5/v2", media: "https://240.0.0.8/"},
		{service: "https://api.example.org/v2", at: "93.184.216.35", media: "https://240.0.0.8/", fails: true},
		{service: "https://api.example.org/v2", at: "93.184.216.35", media: "https://224.0.0.1/", fails: true},
		{service: "https://api.example.org/v2", at: "93.184.216.35", media: "https://[2001:db8::1]/", fails: true},
	} {
		n := newInternet(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, picture) })
		if service, err := url.Parse(test.service); err == nil && test.at != "" {
			n.hosts[service.Hostname()] = test.at
		}
		client := n.client(test.service)
		// Of the server's certificate, only the name of this machine is right.
		_, _, err := fetch(t, client, test.media)
		refused := err != nil && strings.Contains(err.Error(), "media are fetched from there only if")
		check.True(
			t,
			"connections",
			refused == test.fails && len(n.dialled) == 0 == test.fails,
			test.service,
			test.at,
			test.media,
			err,
			n.dialled,
		)
	}
}

// TestHTTP: only where it never leaves the machine.
func TestHTTP(t *testing.T) {
	t.Parallel()
	plain := httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, picture) }),
	)
	t.Cleanup(plain.Close)
	for service, want := range map[string]bool{
		"http://127.0.0.1:1/v2":      true,
		"https://127.0.0.1/v2":       true,
		"http://mock.example.com/v2": false,
	} {
		address, err := url.Parse(service)
		check.Must(t, err)
		_, _, err = fetch(t, media.New(media.Config{Service: address}), plain.URL)
		check.True(t, service, (err == nil) == want, err)
	}
}

// TestThroughAProxy: it resolves names by itself, and may be anywhere.
func TestThroughAProxy(t *testing.T) {
	t.Parallel()
	n := newInternet(t, func(http.ResponseWriter, *http.Request) {})
	asked := make(chan string, 1)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Method + " " + r.Host
		w.WriteHeader(http.StatusForbidden)
	}))
	t.Cleanup(proxy.Close)
	n.proxy, _ = url.Parse(proxy.URL)
	client := n.client(theService)
	_, _, err := fetch(t, client, "https://media.example.com/")
	check.True(
		t,
		"the proxy is asked",
		err != nil && len(asked) == 1 && <-asked == "CONNECT media.example.com:443",
		err,
	)
	_, _, err = fetch(t, client, "https://169.254.169.254/")
	check.True(
		t,
		"the proxy is not asked for the metadata",
		err != nil && strings.Contains(err.Error(), "link-local") && len(asked) == 0,
		err,
	)
}

// No header tells a host who sends a request or from where, even after a
// redirect.
func TestNobodyIsTold(t *testing.T) {
	t.Parallel()
	n := newInternet(t, func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "visitor", Value: "1"})
		if r.Host == "media.example.com" {
			http.Redirect(w, r, "https://cdn.example.com/picture", http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, picture)
	})
	n.hosts["cdn.example.com"] = "93.184.216.36"
	file, path, err := fetch(t, n.client(theService), "https://media.example.com/?signature=secret")
	if err != nil || file.Name != "beach.png" {
		t.Fatal(file, err)
	}
	wantFiles(t, path, "beach.png")
	if len(n.requests) != 2 {
		t.Fatalf("%d requests", len(n.requests))
	}
	for _, request := range n.requests {
		check.True(
			t,
			"sent to "+request.Host,
			len(request.Header) == 2 && request.UserAgent() == "test" &&
				request.Header.Get("Accept-Encoding") == "identity",
			request.Header,
		)
	}
}

func TestEndlessRedirects(t *testing.T) {
	t.Parallel()
	n := newInternet(
		t,
		func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/again", http.StatusFound) },
	)
	_, _, err := fetch(t, n.client(theService), "https://media.example.com/")
	check.True(
		t,
		"requests",
		err != nil && strings.Contains(err.Error(), "more than 5 redirects") && len(n.requests) == 6,
		len(n.requests),
		err,
	)
}

// TestErrorsOfHosts: which errors a fresh address may solve.
func TestErrorsOfHosts(t *testing.T) {
	t.Parallel()
	for status, passing := range map[int]bool{
		403: true,
		408: true,
		429: true,
		500: true,
		503: true,
		400: false,
		401: false,
		404: false,
		410: false,
		304: false,
	} {
		n := newInternet(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		_, _, err := fetch(t, n.client(theService), "https://media.example.com/secret?signature=secret")
		failure, is := errors.AsType[*media.Error](err)
		check.True(
			t,
			"the error",
			is && failure.Status == status && media.IsTemporary(err) == passing &&
				!strings.Contains(err.Error(), "secret") &&
				strings.HasPrefix(err.Error(), "media.example.com: "),
			status,
			err,
			media.IsTemporary(err),
		)
	}
}

// closing is a host that redirects once, and counts the bodies that are closed.
type closing struct{ requests, closed int }

func (c *closing) RoundTrip(r *http.Request) (*http.Response, error) {
	c.requests++
	if c.requests == 1 {
		return &http.Response{
			StatusCode: http.StatusFound,
			Header:     http.Header{"Location": {"/again"}},
			Body:       c,
			Request:    r,
		}, nil
	}
	return &http.Response{StatusCode: http.StatusNotFound, Body: c, Request: r}, nil
}

func (c *closing) Read([]byte) (int, error) { return 0, io.EOF }

func (c *closing) Close() error {
	c.closed++
	return nil
}

// A body that is left open keeps its connection.
func TestBodiesWithoutAFileAreClosed(t *testing.T) {
	t.Parallel()
	host := &closing{}
	client := media.New(media.Config{Service: &url.URL{Scheme: "https", Host: "api.example.org"}, Transport: host})
	_, _, err := fetch(t, client, "https://media.example.com/")
	check.True(
		t,
		"replies, and closed ones",
		err != nil && host.requests == 2 && host.closed == 2,
		host.requests,
		host.closed,
		err,
	)
}
