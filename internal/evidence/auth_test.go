package evidence_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

func issue(text string) stub.Answer { return stub.Always(200, fmt.Sprintf(`{"accessToken":%q}`, text)) }

func TestTheKeyIsExchangedOnceAndGoesNowhereElse(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Always(200, good))
	client := s.Client(t)
	for range 3 {
		check.Must(t, check.ErrorOf(client.Generations.Get(t.Context(), "g1")))
	}
	exchange := s.ExchangeRequests()[0]
	if len(s.ExchangeRequests()) != 1 || exchange.Method+exchange.Path != "POST/auth/generate-token" ||
		exchange.Header.Get(
			"apikey",
		) != stub.APIKey || exchange.Header.Get("Content-Type") != "application/json" || len(exchange.Body) != 0 {
		t.Errorf("exchanges: %+v", s.ExchangeRequests())
	}
	for _, request := range s.Requests() {
		check.True(
			t,
			"headers",
			request.Header.Get("Authorization") == "Bearer token-1" && request.Header.Get("apikey") == "",
			request.Header,
		)
	}
}

func hasToken1(r *http.Request, _ int) bool { return r.Header.Get("Authorization") == "Bearer token-1" }

// Fault F1.
func TestFiftyGoroutinesShareOneExchange(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.When(hasToken1, stub.Status(401), stub.Always(200, good)))
	client := s.Client(t)
	check.Times(50, func(int) { check.NoError(t, operations["batch"](t.Context(), client)) })
	check.Equal(t, "exchanges", s.Exchanges(), 2)
	accepted := 0
	for _, request := range s.Requests() {
		if request.Header.Get("Authorization") == "Bearer token-2" {
			accepted++
		}
	}
	check.Equal(t, "paid requests processed", accepted, 50)
}

// A request is rejected after another one's rejection has led to a new token.
func TestALateRejectionDropsNoNewToken(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{})
	release := make(chan struct{})
	late := func(w http.ResponseWriter, r *http.Request, n int) {
		close(arrived)
		<-release
		stub.Status(401)(w, r, n)
	}
	s := stub.NewService(t, stub.When(hasToken1, stub.On("/late", late, stub.Status(401)), stub.Always(200, good)))
	client := s.Client(t)
	failure := make(chan error)
	go func() { failure <- check.ErrorOf(client.Generations.Get(t.Context(), "late")) }()
	<-arrived
	check.NoError(t, check.ErrorOf(client.Generations.Get(t.Context(), "early")))
	close(release)
	err := <-failure
	check.True(t, "the late one, and exchanges", err == nil && s.Exchanges() == 2, err, s.Exchanges())
}

func TestAFailedRenewalIsToldInPlaceOfTheRejection(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Status(401))
	s.OnExchange(stub.First(issue("token-1"), stub.Always(500, `{"error":"down"}`)))
	err := operations["batch"](t.Context(), s.Client(t))
	var failure *reply.Error
	check.True(
		t,
		"the error",
		errors.As(err, &failure) && failure.Said.Status == 0 && !failure.Sent.Connected && !reply.IsUnauthorized(err) &&
			!reply.IsEffectUnknown(err) && strings.Contains(err.Error(), "down"),
		err,
	)
}

func TestARejectionIsNoOutcomeInDoubt(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := stub.NewService(t, func(w http.ResponseWriter, r *http.Request, n int) {
		cancel()
		stub.Status(401)(w, r, n)
	})
	err := operations["batch"](ctx, s.Client(t))
	check.True(
		t,
		"the error, after one request",
		wait.IsCanceled(err) && reply.IsUnauthorized(err) && !reply.IsEffectUnknown(err) && len(s.Requests()) == 1,
		err,
		len(s.Requests()),
	)
}

// Fault F1.
func TestASecond401NamesTheCredential(t *testing.T) {
	t.Parallel()
	for credential, change := range map[string]func(*stub.Config){
		"api_key": func(*stub.Config) {},
		"access_token": func(c *stub.Config) {
			c.APIKey = ""
			c.AccessToken = "static-token"
		},
	} {
		s := stub.NewService(t, stub.Status(401))
		err := operations["training"](t.Context(), s.Client(t, change))
		var failure *reply.Error
		check.True(
			t,
			credential,
			errors.As(err, &failure) && reply.IsUnauthorized(err) && failure.Sent.Credential == credential &&
				!reply.IsEffectUnknown(err),
			err,
		)
		want := map[string]int{"api_key": 2, "access_token": 1}[credential]
		check.Equal(t, credential+": requests", len(s.Requests()), want)
	}
}

func TestARefusedKeyIsAskedForOnce(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Always(200, good))
	s.OnExchange(stub.Always(401, `{"error":"unknown key `+stub.APIKey+`"}`))
	client := s.Client(t)
	for range 5 {
		err := operations["batch"](t.Context(), client)
		var failure *reply.Error
		check.True(
			t,
			"what was refused",
			errors.As(err, &failure) && failure.Sent.Operation == "POST /generation/batch" &&
				failure.Sent.Credential == "api_key" &&
				!failure.Sent.Connected,
			err,
		)
		check.True(
			t,
			"the error",
			reply.IsUnauthorized(err) && !reply.IsEffectUnknown(err) && !strings.Contains(err.Error(), stub.APIKey) &&
				strings.Contains(err.Error(), "[redacted]"),
			err,
		)
	}
	check.Equal(t, "exchanges", s.Exchanges(), 1)
	check.Equal(t, "requests", len(s.Requests()), 0)
}

// A wrong key is explained once, by each client.
func TestARefusalIsToldOnce(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		exchange stub.Answer
		change   func(*stub.Config)
	}{
		"refused key": {stub.Always(401, `{"error":"unknown key"}`), func(*stub.Config) {}},
		"refused token": {nil, func(c *stub.Config) {
			c.APIKey = ""
			c.AccessToken = "static-token"
		}},
		"no token here": {stub.Always(404, `{}`), func(*stub.Config) {}},
	} {
		s := stub.NewService(t, stub.Status(401))
		if test.exchange != nil {
			s.OnExchange(test.exchange)
		}
		for range 2 {
			client := s.Client(t, test.change)
			for i, id := range []string{"g1", "g2", "g3"} {
				_, err := client.Generations.Get(t.Context(), id)
				if err == nil {
					t.Fatal("no error")
				}
				for _, text := range []string{"", "Nothing was changed."} {
					check.Equal(t, fmt.Sprintf("%s: %q is told", name, text), reply.Tell(err, text), i == 0)
				}
			}
		}
	}
	s := stub.NewService(t, stub.Status(404))
	client := s.Client(t)
	for range 2 {
		_, err := client.Generations.Get(t.Context(), "g1")
		check.True(t, "another error is told in full", reply.Tell(err, ""), err)
	}
}

// An error shows where a token was asked for, as far as that is no secret.
func TestErrorsShowWhereTokensComeFrom(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Always(200, good))
	s.OnExchange(stub.Always(401, `{}`))
	_, err := s.Client(t).Generations.Get(t.Context(), "g1")
	check.True(t, "error", strings.Contains(err.Error(), "POST "+s.URL+"/root/auth/generate-token, "), err)
	address := s.Address(t, "/path-secret/token?code=query-secret")
	_, err = s.Client(t, func(c *stub.Config) {
		c.APIKey = ""
		c.TokenProvider = &transport.TokenProvider{URL: address}
	}).Generations.Get(t.Context(), "g1")
	check.True(
		t,
		"error",
		err != nil && strings.Contains(err.Error(), "POST "+s.URL+"/…, ") && !strings.Contains(err.Error(), "-secret"),
		err,
	)
}

// If nothing is found at all, the address may be wrong.
func TestA404OfEverythingIsMarked(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.First(stub.Status(404), stub.Firsts(2, stub.Always(200, good), stub.Status(404))))
	client := s.Client(t)
	for _, alone := range []bool{true, false} {
		_, err := client.Generations.Get(t.Context(), "g1")
		var failure *reply.Error
		check.True(t, "failure", errors.As(err, &failure) && failure.Proves.Alone == alone, alone, err)
		_, _ = client.Generations.Get(t.Context(), "g2")
	}
	s = stub.NewService(t, stub.Always(200, good))
	s.OnExchange(stub.Always(404, `{"message":"no such path"}`))
	_, err := s.Client(t).Generations.Get(t.Context(), "g1")
	check.True(
		t,
		"no missing object",
		reply.IsTokenNotFound(err) && !reply.IsNotFound(err) && strings.Contains(err.Error(), "no such path"),
		err,
	)
}

// Fault F1.
func TestTheExchangeSurvivesFaults(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]stub.Answer{
		"429": stub.Status(429), "500": stub.Status(500), "503": stub.Status(503, "Retry-After", "9"),
		"dropped": stub.Drop,
		"cut off": stub.Truncated,
	} {
		s := stub.NewService(t, stub.Always(200, good))
		s.OnExchange(stub.First(fault, issue("token-x")))
		_, err := s.Client(t).Generations.Get(t.Context(), "g1")
		check.True(
			t,
			name+": exchanges",
			err == nil && s.Exchanges() == 2 && len(s.Requests()) == 1,
			name,
			err,
			s.Exchanges(),
		)
	}
	for name, fault := range map[string]stub.Answer{
		"HTML": stub.Always(200, "<html>Sign in</html>"), "400": stub.Status(400), "403": stub.Status(403),
		"an error in a 200":  stub.Always(200, `{"error":"no"}`),
		"no token":           stub.Always(200, `{"accessToken":""}`),
		"redirect":           stub.Status(302, "Location", "/base/v2/steal"),
		"permanent redirect": stub.Status(308, "Location", "/base/v2/steal"),
	} {
		s := stub.NewService(t, stub.Always(200, good))
		s.OnExchange(fault)
		_, err := s.Client(t).Generations.Get(t.Context(), "g1")
		check.True(
			t,
			name+": exchanges, requests",
			err != nil && s.Exchanges() == 1 && len(s.Requests()) == 0,
			err,
			s.Exchanges(),
			len(s.Requests()),
		)
	}
}

// Fault F1.
func TestTokensInOtherPlaces(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<20)
	for body, want := range map[string]string{
		`{"accessToken":"abc"}`:                                "abc",
		"\ufeff" + `{"accessToken":"abc","other":{"token":1}}`: "abc",
		`{"service":{"token":"abc"}}`:                          "abc",
		`{"accessToken":null,"service":{"token":"abc"}}`:       "abc",
		`{"accessToken":"` + long + `"}`:                       long,
	} {
		s := stub.NewService(t, stub.Always(200, good))
		s.OnExchange(stub.Always(200, body))
		token, err := s.Client(t).AccessToken(t.Context(), 0)
		check.True(t, body, err == nil && token.Value == want, token.Value, err)
	}
	for body, text := range map[string]string{
		`{"jwt":"secret-value","kind":"x"}`:                           "its keys are: jwt, kind",
		`{"a":{"token":"secret-value"},"b":{"token":"secret-value"}}`: "its keys are: a, b",
		`{"accessToken":"secret-value\nX: y"}`:                        "no token can have",
		`{"accessToken":"secret-value x"}`:                            "no token can have",
		`{"accessToken":12345678}`:                                    "its keys are: accessToken",
	} {
		s := stub.NewService(t, stub.Always(200, good))
		s.OnExchange(stub.Always(200, body))
		_, err := s.Client(t).Generations.Get(t.Context(), "g1")
		check.True(
			t,
			body,
			err != nil && strings.Contains(err.Error(), text) && !strings.Contains(err.Error(), "secret-value") &&
				len(s.Requests()) == 0,
			err,
		)
	}
}

// Fault F1.
func TestAGiantTokenWorks(t *testing.T) {
	t.Parallel()
	token := strings.Repeat("x", 900<<10)
	s := stub.NewService(t, nil)
	s.OnExchange(issue(token))
	s.OnRaw(func(w http.ResponseWriter, r *http.Request) {
		// A gateway that repeats the token, cut off.
		stub.Respond(w, 400, `{"message":"bad token `+r.Header.Get("Authorization")[7:600<<10])
	})
	_, err := s.Client(t).Generations.Get(t.Context(), "g1")
	check.True(
		t,
		"error",
		err != nil && !strings.Contains(err.Error(), "xxxxxxx") && strings.Contains(err.Error(), "[redacted]"),
		err,
	)
}

// Fault F1.
func TestTokensAreRenewedEarly(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Always(200, good))
	now := s.Clock.Now()
	for name, test := range map[string]struct {
		claims map[string]any
		unused time.Duration // until then there is one exchange
		again  time.Duration // from then on there are two; 0: never
	}{
		"exp": {
			map[string]any{"exp": now.Add(time.Hour).Unix()},
			58 * time.Minute,
			59*time.Minute + 1,
		},
		"exp and iat": {
			map[string]any{"iat": now.Unix(), "exp": now.Add(time.Hour).Unix()},
			58 * time.Minute,
			59*time.Minute + 1,
		},
		"their clock 5 minutes late": {
			map[string]any{"iat": now.Add(-5 * time.Minute).Unix(), "exp": now.Add(-time.Minute).Unix()},
			2 * time.Minute,
			3*time.Minute + 1,
		},
		"their clock is ahead": {
			map[string]any{"iat": now.Add(5 * time.Minute).Unix(), "exp": now.Add(15 * time.Minute).Unix()},
			8 * time.Minute,
			9*time.Minute + 1,
		},
		"exp in the past": {map[string]any{"exp": now.Add(-time.Hour).Unix()}, 100 * time.Hour, 0},
		"no exp":          {map[string]any{"sub": "x"}, 100 * time.Hour, 0},
		"exp is nonsense": {map[string]any{"exp": "soon"}, 100 * time.Hour, 0},
		"shorter than the margin": {
			map[string]any{"iat": now.Unix(), "exp": now.Add(40 * time.Second).Unix()},
			15 * time.Second,
			21 * time.Second,
		},
	} {
		s := stub.NewService(t, stub.Always(200, good))
		s.OnExchange(issue(check.JWT(t, test.claims)))
		client := s.Client(t)
		at := func(after time.Duration) int {
			s.Clock.Advance(now.Add(after).Sub(s.Clock.Now()))
			_, err := client.Generations.Get(t.Context(), "g1")
			check.True(t, name, err == nil, err)
			return s.Exchanges()
		}
		check.True(t, name+": when it is renewed", at(0) == 1 && at(test.unused) == 1)
		check.True(t, "renewed", test.again == 0 || at(test.again) == 2, name)
	}
}

func TestAccessTokenRenewsWhatIsHalfOver(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Always(200, good))
	now := s.Clock.Now()
	s.OnExchange(issue(check.JWT(t, map[string]any{"iat": now.Unix(), "exp": now.Add(time.Hour).Unix()})))
	client := s.Client(t)
	for after, want := range map[time.Duration]int{0: 1} {
		token, err := client.AccessToken(t.Context(), 0.5)
		check.True(
			t,
			"the token, and exchanges",
			err == nil && token.ExpiresAt.Equal(now.Add(time.Hour)) && s.Exchanges() == want,
			after,
			token.ExpiresAt,
			err,
			s.Exchanges(),
		)
	}
	_ = s.Clock.Sleep(t.Context(), 31*time.Minute)
	check.NoError(t, check.ErrorOf(client.AccessToken(t.Context(), 0.4)))
	check.Equal(t, "exchanges", s.Exchanges(), 1)
	token, err := client.AccessToken(t.Context(), 0.5)
	check.True(
		t,
		"exchanges",
		err == nil && s.Exchanges() == 2 && token.ExpiresAt.Equal(now.Add(91*time.Minute)),
		token.ExpiresAt,
		err,
		s.Exchanges(),
	)
	static := s.Client(t, func(c *stub.Config) {
		c.APIKey = ""
		c.AccessToken = "opaque"
	})
	token, err = static.AccessToken(t.Context(), 1)
	check.True(t, "the static token", err == nil && token.Value == "opaque" && token.ExpiresAt.IsZero(), token, err)
}

func TestTheTokenProvider(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Always(200, good))
	var asked atomic.Int32
	var answers atomic.Value
	answers.Store(stub.Always(200, `{"accessToken":"from-provider"}`))
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		check.True(
			t,
			"the request",
			r.Method == http.MethodPost && r.ContentLength == 0 && r.Header.Get("X-User") == "alice-secret" &&
				r.URL.Query().
					Get("code") ==
					"query-secret" && r.Header.Get("Content-Type") == "",
			r.Method,
			r.URL,
			r.Header,
		)
		answers.Load().(stub.Answer)(w, r, int(asked.Load()))
	}))
	t.Cleanup(provider.Close)
	address := s.Address(t, "")
	address.Host = strings.TrimPrefix(provider.URL, "http://")
	address.Path = "/token"
	address.RawQuery = "code=query-secret"
	use := func(c *stub.Config) {
		c.APIKey = ""
		c.TokenProvider = &transport.TokenProvider{URL: address, Headers: map[string]string{"x-user": "alice-secret"}}
	}
	_, err := s.Client(t, use).Generations.Get(t.Context(), "g1")
	check.True(
		t,
		"the token is the provider's",
		err == nil && s.Requests()[0].Header.Get("Authorization") == "Bearer from-provider" && s.Exchanges() == 0,
		err,
		s.Requests(),
	)
	asked.Store(0)
	answers.Store(stub.Always(401, `{"error":"alice-secret is not signed in at code=query-secret"}`))
	_, err = s.Client(t, use).Generations.Get(t.Context(), "g1")
	check.True(
		t,
		"refused, after one request",
		reply.IsUnauthorized(err) && asked.Load() == 1 && strings.Contains(err.Error(), "is not signed in") &&
			!strings.Contains(err.Error(), "-secret"),
		err,
		asked.Load(),
	)
	asked.Store(0)
	answers.Store(stub.Always(500, `{"error":"down"}`))
	_, err = s.Client(t, use).Generations.Get(t.Context(), "g1")
	check.True(
		t,
		"the error, after some requests",
		err != nil && asked.Load() == 5 && strings.Contains(err.Error(), "down"),
		err,
		asked.Load(),
	)
	provider.Close()
	_, err = s.Client(t, use).Generations.Get(t.Context(), "g1")
	check.True(t, "error", err != nil && !strings.Contains(err.Error(), "-secret"), err)
}

// Fault F27.
func TestRedirectsNeverCarryCredentials(t *testing.T) {
	t.Parallel()
	var strangers atomic.Int32
	stranger := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		strangers.Add(1)
		stub.Respond(w, 200, good)
	}))
	t.Cleanup(stranger.Close)
	for operation, send := range operations {
		for _, code := range []int{301, 302, 303, 307, 308} {
			s := stub.NewService(t, stub.Status(code, "Location", stranger.URL+"/base/v2/x"))
			err := send(t.Context(), s.Client(t))
			check.True(
				t,
				operation,
				err != nil && strings.Contains(err.Error(), "was not followed"),
				code,
				err,
			)
		}
	}
	check.Equal(t, "requests to another origin", strangers.Load(), 0)
	s := stub.NewService(t, stub.Firsts(5, func(w http.ResponseWriter, r *http.Request, n int) {
		stub.Status(302, "Location", fmt.Sprintf("/base/v2/hop-%d", n))(w, r, n)
	}, stub.Always(200, good)))
	_, err := s.Client(t).Generations.Get(t.Context(), "g1")
	check.True(
		t,
		"a redirect within the origin",
		err == nil && s.Requests()[5].Path == "/hop-5" &&
			s.Requests()[5].Header.Get("Authorization") == "Bearer token-1",
		err,
	)
	s = stub.NewService(t, stub.Status(302, "Location", "/base/v2/loop"))
	_, err = s.Client(t).Generations.Get(t.Context(), "g1")
	check.True(t, "a loop, and requests", err != nil && len(s.Requests()) == 6, err, len(s.Requests()))
}
