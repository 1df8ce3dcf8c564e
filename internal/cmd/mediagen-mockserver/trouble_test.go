package main_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// Prompts with one of the texts fail, also after a reset.
func TestRunFailPrompt(t *testing.T) {
	t.Parallel()
	origin := serve(t, "-fail-prompt", "dragon", "-fail-prompt", "in \"red\"", "-generation-time", "0")
	authorized := authorize(t, origin)
	for range 2 {
		post(t, origin+"/v2/generation/batch", authorized, `{"prompts":[{"prompt":"a dragon"},{"prompt":"a castle"},{"prompt":"a castle in \"red\""}]}`)
		var state struct {
			Groups []struct {
				Generations []struct{ Status, Error string }
			}
		}
		check.Must(t, json.Unmarshal([]byte(get(t, origin+"/_mock/state")), &state))
		var ends []string
		for _, generation := range state.Groups[0].Generations {
			ends = append(ends, strings.TrimSpace(generation.Status+" "+generation.Error))
		}
		const want = `failed the service was told to fail prompts with "dragon", completed, failed the service was told to fail prompts with "in \"red\""`
		check.Equal(t, "the generations", strings.Join(ends, ", "), want)
		post(t, origin+"/_mock/reset", nil, "")
	}
}

// TestRunBalance: 0 buys nothing, and is no default.
func TestRunBalance(t *testing.T) {
	t.Parallel()
	for balance, want := range map[string]int{"0": http.StatusPaymentRequired, "0.5": http.StatusPaymentRequired, "1": http.StatusOK} {
		origin := serve(t, "-balance", balance)
		check.Contains(t, balance, get(t, origin+"/_mock/ledger"), `"balance": `+balance+",")
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, origin+"/v2/generation/batch", strings.NewReader(`{"prompts":[{"prompt":"a castle"}]}`))
		check.Must(t, err)
		request.Header = authorize(t, origin)
		request.Header.Set("Content-Type", "application/json")
		reply, err := http.DefaultClient.Do(request)
		check.Must(t, err)
		_ = reply.Body.Close()
		check.True(t, "the answer to the first purchase", reply.StatusCode == want, balance, reply.Status, want)
	}
}

func serve(t *testing.T, args ...string) (origin string) {
	t.Helper()
	origin, ends := run(t, args...)
	t.Cleanup(func() { ends() })
	return origin
}
