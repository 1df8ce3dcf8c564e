package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	main "github.com/mediagen/terraform-provider-mediagen/internal/cmd/mediagen-mockserver"
)

func TestRun(t *testing.T) {
	t.Parallel()
	origin, ends := run(
		t,
		"-variant",
		"words-upper",
		"-seed",
		"id=ada,name=Ada,creator=me,description=d,face-images=2,body-images=1,dataset-images=4,face-lora,body-lora",
	)
	state := get(t, origin+"/_mock/state")
	check.Contains(
		t,
		"the text",
		state,
		`"variant": "words-upper"`,
		`"id": "ada"`,
		`"creator_id": "me"`,
		`"face_lora": true`,
		`"prompt": "dataset image 4"`,
	)
	check.Contains(t, "output", ends(), origin+"/v2")
}

func TestRunAtOnce(t *testing.T) {
	t.Parallel()
	origin := serve(t, "-generation-time", "0", "-training-time", "0", "-seed", "id=ada,body-images=1,face-images=10")
	authorized := authorize(t, origin)
	post(t, origin+"/v2/generation/batch", authorized, `{"prompts":[{"prompt":"a castle"}]}`)
	post(t, origin+"/v2/ada/training/body-lora", authorized, "")
	check.Equal(
		t,
		"generations that have ended",
		strings.Count(get(t, origin+"/_mock/state"), `"status": "completed"`),
		2,
	)
}

func TestRunRefuses(t *testing.T) {
	t.Parallel()
	none := filepath.Join(t.TempDir(), "none", "file")
	for want, args := range map[string][]string{
		"no variant":           {"-variant", "none"},
		"has no \"age\"":       {"-seed", "age=3"},
		"invalid syntax":       {"-seed", "id=a,face-images=many"},
		"unexpected argument":  {"now"},
		"flag provided but":    {"-unknown"},
		"listen tcp":           {"-addr", "256.0.0.1:1"},
		check.Refusal(t, none): {"-addr", "127.0.0.1:0", "-address-file", none},
	} {
		err := main.Run(t.Context(), args, noEnvironment, io.Discard)
		check.True(t, want, err != nil && strings.Contains(err.Error(), want), args, err)
	}
}

func TestRunHelps(t *testing.T) {
	t.Parallel()
	var help, version bytes.Buffer
	check.True(t, "-help", errors.Is(main.Run(t.Context(), []string{"-help"}, noEnvironment, &help), flag.ErrHelp))
	check.Contains(
		t,
		"-help",
		help.String(),
		"-fail-prompt text",
		"dataset-images=N",
		"POST /v2/generation/batch",
		"/_mock/faults",
		"drop_after_work",
	)
	check.NoError(t, main.Run(t.Context(), []string{"-version"}, noEnvironment, &version))
	check.Equal(t, "-version", version.String(), "mediagen-mockserver dev\n")
}

// A container has no arguments, but an environment; where both say something,
// the argument counts.
func TestRunEnvironment(t *testing.T) {
	t.Parallel()
	origin, ends := runIn(t, map[string]string{
		"MOCKSERVER_SEED":            "id=ada,name=Ada\nid=eve,name=Eve\n",
		"MOCKSERVER_GENERATION_TIME": "0",
		"MOCKSERVER_VARIANT":         "words-upper",
		"MOCKSERVER_BALANCE":         "1",
	}, "-balance", "7")
	post(t, origin+"/v2/generation/batch", authorize(t, origin), `{"prompts":[{"prompt":"a castle"}]}`)
	state := get(t, origin+"/_mock/state")
	check.Contains(
		t,
		"the state",
		state,
		`"id": "ada"`,
		`"id": "eve"`,
		`"variant": "words-upper"`,
		`"status": "completed"`,
	)
	check.Contains(t, "the ledger", get(t, origin+"/_mock/ledger"), "6")
	ends()
	wrong := map[string]string{"MOCKSERVER_BALANCE": "much"}
	err := main.Run(t.Context(), nil, func(variable string) string { return wrong[variable] }, io.Discard)
	check.Contains(t, "the error of a wrong value", fmt.Sprint(err), "MOCKSERVER_BALANCE")
}

var containerVariable = regexp.MustCompile(`(MOCKSERVER_[A-Z_]+): "?([^"\n]+)"?`)

// The containers of the examples run, with what they set.
func TestRunInContainers(t *testing.T) {
	t.Parallel()
	for _, example := range []string{"mock/compose.yaml", "ci/module-tests.yml"} {
		content, err := os.ReadFile(filepath.Join("..", "..", "..", "examples", example))
		check.Must(t, err)
		environment := map[string]string{}
		for _, set := range containerVariable.FindAllStringSubmatch(string(content), -1) {
			environment[set[1]] = set[2]
		}
		check.Equal(t, example+": every network can reach it", environment["MOCKSERVER_ADDR"], "0.0.0.0:8780")
		origin, ends := runIn(t, environment)
		post(t, origin+"/v2/generation/batch", authorize(t, origin), `{"prompts":[{"prompt":"a castle"}]}`)
		check.Contains(t, example, get(t, origin+"/_mock/state"), `"status": "completed"`)
		ends()
	}
}

func noEnvironment(string) string { return "" }

// run runs the service, until ends ends it and returns what it has printed.
func run(t *testing.T, args ...string) (origin string, ends func() string) {
	t.Helper()
	return runIn(t, nil, args...)
}

func runIn(t *testing.T, environment map[string]string, args ...string) (origin string, ends func() string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "address")
	ctx, cancel := context.WithCancel(t.Context())
	var out bytes.Buffer
	done := make(chan error, 1)
	go func() {
		args := append([]string{"-addr", "127.0.0.1:0", "-address-file", file}, args...)
		done <- main.Run(ctx, args, func(variable string) string { return environment[variable] }, &out)
	}()
	for range 10_000 {
		if content, err := os.ReadFile(file); err == nil && bytes.HasSuffix(content, []byte("\n")) {
			return strings.TrimSpace(string(content)), func() string {
				cancel()
				check.NoError(t, <-done)
				return out.String()
			}
		}
		time.Sleep(5 * time.Millisecond) // another goroutine binds a real socket
	}
	cancel()
	t.Fatal("the service did not start")
	return "", nil
}

func send(t *testing.T, method, address string, header http.Header, body string) (status int, answer string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	check.Must(t, err)
	if header != nil {
		request.Header = header.Clone()
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	reply, err := http.DefaultClient.Do(request)
	check.Must(t, err)
	defer reply.Body.Close()
	read, err := io.ReadAll(reply.Body)
	check.Must(t, err)
	return reply.StatusCode, string(read)
}

func get(t *testing.T, address string) string {
	t.Helper()
	_, answer := send(t, http.MethodGet, address, nil, "")
	return answer
}

func post(t *testing.T, address string, header http.Header, body string) string {
	t.Helper()
	status, answer := send(t, http.MethodPost, address, header, body)
	check.True(t, address, status < http.StatusMultipleChoices, status, answer)
	return answer
}

func authorize(t *testing.T, origin string) http.Header {
	t.Helper()
	var issued struct{ AccessToken string }
	check.Must(
		t,
		json.Unmarshal(
			[]byte(post(t, origin+"/auth/generate-token", http.Header{"Apikey": {"mock-api-key"}}, "{}")),
			&issued,
		),
	)
	return http.Header{"Authorization": {"Bearer " + issued.AccessToken}}
}

// Who starts the service without a seed is told which characters there are, and
// what for.
func TestRunListsCharacters(t *testing.T) {
	t.Parallel()
	_, ends := run(t)
	printed := strings.Join(strings.Fields(ends()), " ")
	check.Contains(
		t,
		"the text",
		printed,
		"char_ada Ada 1 face, 2 body, 3 dataset images can be trained char_lin Lin 0 face, 0 body, 0 dataset images "+
			"can be trained once it has a face image char_grace",
		"char_alan Alan 2 face, 1 body, 0 dataset images is trained: a prompt can use the body LoRA",
	)
}

func TestRunExtended(t *testing.T) {
	t.Parallel()
	origin := serve(t, "-extended", "-dataset-time", "0", "-seed", "id=ada,body-images=2")
	authorized := authorize(t, origin)
	post(t, origin+"/v2/characters", authorized, `{"name":"Lin"}`)
	post(t, origin+"/v2/ada/dataset/generate", authorized, `{"prompts":["a castle"]}`)
	check.Contains(
		t,
		"the reply",
		get(t, origin+"/_mock/state"),
		`"name": "Lin"`,
		`"prompt": "a castle"`,
		`"dataset_status": "generated"`,
	)
	check.Contains(t, "contract", get(t, origin+"/_mock/extended.yaml"), "operationId: createCharacter")
}

func TestRunFailPrompt(t *testing.T) {
	t.Parallel()
	origin := serve(t, "-fail-prompt", "dragon", "-fail-prompt", "in \"red\"", "-generation-time", "0")
	authorized := authorize(t, origin)
	for range 2 {
		post(
			t,
			origin+"/v2/generation/batch",
			authorized,
			`{"prompts":[{"prompt":"a dragon"},{"prompt":"a castle"},{"prompt":"a castle in \"red\""}]}`,
		)
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
		const want = `failed the service was told to fail prompts with "dragon", completed, failed the service was ` +
			`told to fail prompts with "in \"red\""`
		check.Equal(t, "the generations", strings.Join(ends, ", "), want)
		post(t, origin+"/_mock/reset", nil, "")
	}
}

// Who watches the service sees what is bought, and a script can count it.
func TestRunTellsPurchases(t *testing.T) {
	t.Parallel()
	origin, ends := run(
		t,
		"-extended",
		"-balance",
		"1000",
		"-seed",
		"id=ada,face-images=5,body-images=2,dataset-images=4",
	)
	authorized := authorize(t, origin)
	post(t, origin+"/v2/generation/batch", authorized, `{"prompts":[{"prompt":"a castle"},{"prompt":"a moat"}]}`)
	post(t, origin+"/v2/ada/training/body-lora", authorized, "")
	post(t, origin+"/v2/ada/dataset/generate", authorized, `{"prompts":["a castle"]}`)
	_, printed, _ := strings.Cut(ends(), "booked: ")
	check.Equal(t, "what the service prints", printed, `2 prompts, 2 credits, 998 left
booked: 1 training, 100 credits, 898 left
booked: 1 dataset, 0 credits, 898 left
at the end: 1 character, 1 group, 0 media, 898 credits
`)
}

func TestRunBalance(t *testing.T) {
	t.Parallel()
	for balance, want := range map[string]int{
		"0":   http.StatusPaymentRequired,
		"0.5": http.StatusPaymentRequired,
		"1":   http.StatusOK,
	} {
		origin := serve(t, "-balance", balance)
		check.Contains(t, balance, get(t, origin+"/_mock/ledger"), `"balance": `+balance+",")
		status, answer := send(
			t,
			http.MethodPost,
			origin+"/v2/generation/batch",
			authorize(t, origin),
			`{"prompts":[{"prompt":"a castle"}]}`,
		)
		check.True(t, "the answer to the first purchase", status == want, balance, status, answer)
	}
}

func serve(t *testing.T, args ...string) (origin string) {
	t.Helper()
	origin, ends := run(t, args...)
	t.Cleanup(func() { ends() })
	return origin
}
