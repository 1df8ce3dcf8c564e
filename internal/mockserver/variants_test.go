package mockserver_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

type variantTest struct {
	variant string
	do      func(*client) answer
	status  int
	want    []string
	without []string
}

func (v variantTest) look(t *testing.T, got answer) {
	t.Helper()
	check.Equal(t, "status", got.status, v.status)
	check.Contains(t, "the reply", got.body, v.want...)
	for _, part := range v.without {
		check.True(t, "not in the reply", !strings.Contains(got.body, part), part, got.body)
	}
}

func TestVariants(t *testing.T) {
	t.Parallel()
	const twoPrompts = `{"prompts":[{"prompt":" a "},{"prompt":"b"}],"group_title":" g "}`
	batch := func(c *client) answer { return c.send(c.request("POST", "/v2/generation/batch", twoPrompts)) }
	list := func(c *client) answer { return c.do("GET", "/v2/characters", "", 200) }
	refused := func(c *client) answer { return c.send(c.request("GET", "/v2/generation/status/x", "")) }
	finished := func(c *client) answer {
		_, ids := c.generate("a")
		c.clock.advance(time.Minute)
		return c.do("GET", "/v2/generation/status/"+ids[0], "", 200)
	}
	after := func(c *client, passed time.Duration) answer {
		_, ids := c.generate("a")
		c.clock.advance(passed)
		c.token = c.IssueToken("")
		return c.do("GET", "/v2/generation/status/"+ids[0], "", 200)
	}
	running := func(c *client) answer { return after(c, time.Second) }
	late := func(c *client) answer { return after(c, 48*time.Hour) }
	uploaded := func(c *client) answer { return c.upload("c", "a.png", []byte("x")) }
	assets := func(c *client) answer { return c.do("GET", "/v2/c/assets?asset_type=body_image", "", 200) }
	broke := func(c *client) answer { c.SetBalance(0); return batch(c) }
	image := func(c *client) answer { return c.do("POST", "/v2/generate/image", `{"prompt":"a"}`, 200) }
	video := func(c *client) answer {
		return c.accepted(
			"POST",
			"/v2/media/categories",
			`{"media_url":"https://a/b.mp4","metadata":["tags"],"use_scenes":true}`,
		)
	}
	trained := func(c *client) answer { return c.send(c.request("POST", "/v2/c/training/body-lora", "")) }
	exchange := func(c *client) answer {
		request := c.request("POST", "/auth/generate-token", "{}")
		request.Header.Set("apikey", "mock-api-key")
		return c.send(request)
	}
	deleted := func(c *client) answer {
		group, _ := c.generate("a")
		return c.send(c.request("DELETE", "/v2/generation/groups/"+group, ""))
	}
	for _, test := range []variantTest{
		{"plain", list, 200, []string{`"not_trained"`, `"description":""`, `"subscription_id":null`}, nil},
		{"words-upper", list, 200, []string{`"NOT_TRAINED"`}, nil},
		{"words-spaced", list, 200, []string{`"Not Trained"`}, nil},
		{"words-hyphen", list, 200, []string{`"not-trained"`}, nil},
		{"words-synonyms", finished, 200, []string{`"succeeded"`}, nil},
		{"words-unknown", finished, 200, []string{`"zenith"`, `"progress":100`}, nil},
		{"numbers-decimal", list, 200, []string{`"limit":20.0`, `"face_images_count":1.0`}, nil},
		{"numbers-text", list, 200, []string{`"limit":"20"`}, nil},
		{"times-none", assets, 200, []string{`"asset_id"`}, []string{"created_at"}},
		{"times-local", assets, 200, []string{`"created_at":"2031-02-03T04:05:06.000"`}, nil},
		{"times-epoch", assets, 200, []string{`"created_at":1927857906`}, nil},
		{"nulls-missing", list, 200, nil, []string{"null", "description"}},
		{"nulls-missing", finished, 200, []string{`"generation_id":"gen_`}, []string{"service", "error"}},
		{"nulls-many", finished, 200, []string{`"service":null`, `"generation_id":"gen_`}, nil},
		{"errors-none", finished, 200, []string{`"error":"None"`}, nil},
		{"errors-none", batch, 200, []string{`"error":"None"`}, nil},
		{
			"previews",
			running,
			200,
			[]string{`"result_urls":["https://previews.example/gen_`, `"status":"processing"`},
			nil,
		},
		{"previews", finished, 200, []string{`/media/results/`}, []string{"previews"}},
		{
			"attempts-shown",
			running,
			200,
			[]string{`"status":"retrying"`, `"error":"worker lost, attempt 1`, `"result_urls":[]`},
			nil,
		},
		{"attempts-shown", finished, 200, []string{`"error":null`, `"status":"completed"`}, nil},
		{"results-expire", finished, 200, []string{`/media/results/`}, nil},
		{"results-expire", late, 200, []string{`"result_urls":[]`, `"status":"archived"`, `"progress":100`}, nil},
		{"extra-fields", list, 200, []string{`"x_unknown":{"list":[1,null,"two"],"since":"2.1"}`}, nil},
		{"code-202", uploaded, 202, nil, nil},
		{"code-202", deleted, 202, nil, nil},
		{"code-202", list, 200, nil, nil},
		{"code-204", deleted, 204, nil, []string{"{"}},
		{"errors-detail", refused, 404, []string{`{"detail":"generation`}, nil},
		{"errors-list", refused, 404, []string{`{"detail":[{"loc":["body"],"msg":"generation`}, nil},
		{"errors-message", refused, 404, []string{`{"message":"generation`}, nil},
		{"errors-nested", refused, 404, []string{`{"error":{"code":"not_found"`}, nil},
		{"errors-text", refused, 404, []string{"generation \"x\" does not exist\n"}, []string{"{"}},
		{"errors-html", refused, 404, []string{"<h1>Not Found</h1>"}, nil},
		{"success-false", broke, 200, []string{`"success":false`, `"error":"insufficient_credits"`}, nil},
		{"success-false", refused, 404, nil, []string{"success"}},
		{"error-group-id", broke, 402, []string{`"group_id":"grp_000001"`}, nil},
		{"index-from-1", batch, 200, []string{`"prompt_index":1`, `"prompt_index":2`}, []string{`"prompt_index":0`}},
		{"index-missing", batch, 200, []string{`"generation_id"`}, []string{"prompt_index"}},
		{
			"index-missing-reordered",
			batch,
			200,
			[]string{`"generation_id":"gen_000002","status":"queued"},{"error":null,"generation_id":"gen_000001"`},
			[]string{"prompt_index"},
		},
		{"index-doubled", batch, 200, []string{`"gen_000002","prompt_index":0`, `"gen_000001","prompt_index":0`}, nil},
		{"index-baseless", batch, 200, []string{`"gen_000001","prompt_index":1`, `"gen_000002","status"`}, nil},
		{"no-credits", batch, 200, nil, []string{"credits_deducted", "remaining_balance"}},
		{"asset-key-id", assets, 200, []string{`"id":"asset_000002"`}, []string{"asset_id"}},
		{"asset-key-image-id", assets, 200, []string{`"image_id":"asset_000002"`}, []string{"asset_id"}},
		{"asset-ids-differ", assets, 200, []string{`"asset_id":"file_000002"`}, []string{`"asset_000002"`}},
		{"files-renamed", uploaded, 200, []string{`"filename":"asset_000003.png"`}, []string{"a.png"}},
		{"storage-key", uploaded, 200, []string{`"bucket_url"`}, []string{"storage_url"}},
		{"image-later", image, 200, []string{`{"output":[],"status":"processing"}`}, nil},
		{"image-null", image, 200, []string{`{"output":[null]}`}, nil},
		{"ids-slash", batch, 200, []string{`"grp/000001"`, `"gen/000002"`}, nil},
		{"ids-percent", batch, 200, []string{`"grp%2F000001"`, `"gen%2F000002"`}, nil},
		{
			"background",
			batch,
			202,
			[]string{
				`"total_requested":0`,
				`"successful_submissions":0`,
				`"failed_submissions":0`,
				`"status":"processing"`,
				`"credits_deducted":2`,
				`"results":[]`,
				`"grp_`,
			},
			nil,
		},
		{
			"background-no-ids",
			batch,
			202,
			[]string{
				`"total_requested":2`,
				`"successful_submissions":0`,
				`"credits_deducted":2`,
				`{"error":null,"generation_id":null,"prompt_index":1,"status":"processing"}`,
			},
			[]string{"gen_"},
		},
		{
			"one-id",
			batch,
			200,
			[]string{`"generation_id":"gen_000001","prompt_index":1,"status":"queued"`},
			[]string{"gen_000002"},
		},
		{
			"denied",
			batch,
			200,
			[]string{`"success":false`, `"credits_deducted":2`, `"successful_submissions":2`, `"gen_000002"`},
			nil,
		},
		{"denied", trained, 200, []string{`"success":false`, `"credits_deducted":100`, `"job_id":"`}, nil},
		{"denied-text", batch, 200, []string{`"success":"false"`, `"credits_deducted":2`}, nil},
		{
			"denied-uncounted",
			batch,
			200,
			[]string{`"success":false`, `"gen_000002"`},
			[]string{"credits", "_submissions", "total"},
		},
		{"denied-uncounted", trained, 200, []string{`"success":false`, `"job_id":"`}, []string{"credits"}},
		{
			"filters-refused",
			func(c *client) answer { return c.do("GET", "/v2/c/assets?asset_type=body_image", "", 422) },
			422,
			[]string{"the query parameter asset_type is not known"},
			nil,
		},
		{"filters-ignored", assets, 200, []string{`"total":2`, "face_image"}, nil},
		{"signed-urls", finished, 200, []string{"?signature="}, nil},
		{"token-opaque", exchange, 200, []string{`{"accessToken":"opaque-`}, nil},
		{"token-nested", exchange, 200, []string{`{"mediagen":{"token":"eyJ`}, nil},
		{"category-job", video, 200, []string{`{"job_id":"category_job_000001","status":"processing"}`}, nil},
	} {
		t.Run(test.variant, func(t *testing.T) {
			t.Parallel()
			variant, ok := everyVariant()[test.variant]
			if !ok || variant.Name != test.variant {
				t.Fatalf("no such variant")
			}
			c := start(t, mockserver.Options{Variant: variant})
			c.AddCharacter(mockserver.CharacterSeed{ID: "c", FaceImages: 1, BodyImages: 1})
			test.look(t, test.do(c))
		})
	}
}

func everyVariant() map[string]mockserver.Variant {
	all := mockserver.Variants()
	maps.Copy(all, mockserver.LossyVariants())
	maps.Copy(all, mockserver.ExtendedVariants())
	return all
}

func TestReorderedResultsKeepTheirIndex(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{Variant: mockserver.Variants()["results-reordered"]})
	_, ids := c.generate("first", "second")
	g, _ := c.Generation(ids[0])
	check.True(t, "the first result", g.Prompt == "second", g.Prompt)
}

func TestLateVisibility(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{Variant: mockserver.Variant{LateVisibility: 2}})
	c.AddCharacter(mockserver.CharacterSeed{ID: "c"})
	c.upload("c", "a.png", []byte("x"))
	c.do("POST", "/v2/c/training/body-lora", "", 200)
	for read, want := range []bool{false, false, true} {
		assets := c.do("GET", "/v2/c/assets", "", 200).object["total"] == 1.0
		job := c.trainings()["has_active_training"] == true
		check.True(t, "read, asset visible, job visible", assets == want && job == want, read+1, assets, job)
	}
}

// TestFlapping: an object is missing from a read now and then, and never twice
// in a row.
func TestFlapping(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{Variant: mockserver.Variants()["flapping"]})
	c.AddCharacter(mockserver.CharacterSeed{ID: "c"})
	c.upload("c", "a.png", []byte("x"))
	c.do("POST", "/v2/c/training/body-lora", "", 200)
	_, ids := c.generate("a", "b")
	c.send(c.request("GET", "/v2/generation/status/"+ids[0], "")) // each object counts for itself
	for read, want := range []bool{true, true, false, true, true, false, true} {
		status := c.send(c.request("GET", "/v2/generation/status/"+ids[1], ""))
		assets := c.do("GET", "/v2/c/assets", "", 200).object["total"] == 1.0
		job := c.trainings()["has_active_training"] == true
		check.True(
			t,
			"generation, asset and job visible at read "+strconv.Itoa(read+1),
			(status.status == 200) == want && assets == want && job == want,
			status.status,
			assets,
			job,
		)
		check.True(t, fmt.Sprint("read ", read+1), want || status.object["error"] == "not_found", status.body)
	}
}

// A batch without a group joins the one of its title, whoever of the
// organization has made it.
func TestGroupsByTitle(t *testing.T) {
	t.Parallel()
	const portraits, untitled = `{"prompts":[{"prompt":"a"}],"group_title":"Portraits"}`, `{"prompts":[{"prompt":"a"}]}`
	for byTitle, want := range map[bool]int{true: 4, false: 6} {
		c := start(t, mockserver.Options{Variant: mockserver.Variant{GroupsByTitle: byTitle}})
		known := c.GenerateElsewhere("", "Portraits", "b").ID
		for _, body := range []string{portraits, untitled, untitled, portraits} {
			group, _ := c.batch(body)
			check.True(
				t,
				fmt.Sprint("by title: ", byTitle),
				body != portraits || (group == known) == byTitle,
				group,
				known,
			)
		}
		c.AddOrganization("their key", "org_theirs")
		c.token = c.exchange("their key")
		c.batch(portraits)
		check.Equal(t, fmt.Sprint("groups by title: ", byTitle), len(c.Groups()), want)
	}
}

func TestSignedAddresses(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{Variant: mockserver.Variant{SignedURLs: true}})
	_, ids := c.generate("a")
	c.clock.advance(time.Minute)
	first := c.status(ids[0])["result_urls"].([]any)[0].(string)
	second := c.status(ids[0])["result_urls"].([]any)[0].(string)
	check.True(t, "the address changes", first != second, first)
	c.do("GET", path(t, second), "", 200)
	unsigned, _, _ := strings.Cut(path(t, second), "?")
	c.do("GET", unsigned, "", 403)
}

func TestTexts(t *testing.T) {
	t.Parallel()
	for trims, want := range map[bool]string{true: "a\nb", false: " a\r\nb\t"} {
		c := start(t, mockserver.Options{Variant: mockserver.Variant{TrimTexts: trims}})
		c.AddCharacter(mockserver.CharacterSeed{ID: "c"})
		_, ids := c.generate(" a\r\nb\t")
		name := c.do("PUT", "/v2/characters/c", `{"name":" a\r\nb\t"}`, 200).object["name"]
		prompt := c.status(ids[0])["prompt"]
		check.True(t, "prompt and name", prompt == want && name == want, trims, prompt, name)
	}
}

func TestTextsAreKeptOtherwise(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 120)
	for texts, want := range map[mockserver.Texts]string{
		mockserver.TextsEscaped: "&lt;" + long, mockserver.TextsCut: "<" + strings.Repeat("é", 99),
		mockserver.TextsDecomposed: "<" + strings.Repeat("e\u0301", 120), mockserver.TextsPlain: "<" + long,
	} {
		c := start(t, mockserver.Options{Variant: mockserver.Variant{Texts: texts}})
		c.AddCharacter(mockserver.CharacterSeed{ID: "c"})
		_, ids := c.generate("<" + long)
		name := c.do("PUT", "/v2/characters/c", `{"name":"<`+long+`"}`, 200).object["name"]
		prompt := c.status(ids[0])["prompt"]
		check.True(t, "prompt and name", prompt == want && name == want, texts, prompt, name)
	}
}

func TestClockSkew(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{Variant: mockserver.Variant{ClockSkew: -5 * time.Minute}})
	_, ids := c.generate("a")
	created, err := time.Parse(time.RFC3339, c.status(ids[0])["created_at"].(string))
	check.True(t, "created_at", err == nil && created.Equal(c.clock.Now().Add(-5*time.Minute)), created, err)
	c.clock.advance(50 * time.Minute)
	c.do("GET", "/v2/characters", "", 200)
}

func TestTokenClaims(t *testing.T) {
	t.Parallel()
	for kind, want := range map[mockserver.TokenKind]time.Duration{
		mockserver.TokenJWT: 90 * time.Second, mockserver.TokenExpInPast: -time.Hour, mockserver.TokenWithoutExp: 0,
	} {
		c := start(t, mockserver.Options{TokenLifetime: 90 * time.Second, Variant: mockserver.Variant{Token: kind}})
		claims := decodeClaims(t, c.IssueToken("creator_x"))
		var expires int64
		if exp, ok := claims["exp"].(json.Number); ok {
			expires, _ = exp.Int64()
			expires -= c.clock.Now().Unix()
		}
		check.True(t, "claims", expires == int64(want.Seconds()) && claims["creator"] == "creator_x", kind, claims)
	}
}
