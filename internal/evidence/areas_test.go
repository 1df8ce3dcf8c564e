package evidence_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

func TestABatchIsSentAsItIs(t *testing.T) {
	t.Parallel()
	s := stub.NewService(
		t,
		stub.Always(
			202,
			`{"batch_id":"b1","group_id":"grp1","total_requested":"2","credits_deducted":2.5,`+
				`"remaining_balance":null,"estimated_time":30,`+
				`"results":[{"generation_id":"g1","status":"QUEUED","prompt_index":0.0,"error":null},`+
				`{"prompt_index":1,"error":{"code":"nsfw","message":"refused"}}]}`,
		),
	)
	made, err := stub.Buy(t.Context(), s.Client(t), stub.OrderBatch(api.Batch{
		GroupID:    new("grp1"),
		GroupTitle: new(""),
		Prompts: []api.Prompt{
			{Prompt: " a <b>\n", FaceSwap: new(false)},
			{Prompt: "c", SourceImageURL: new("https://x")},
		},
	}))
	check.Must(t, err)
	want := `{"prompts":[{"prompt":" a \u003cb\u003e\n","face_swap":false},` +
		`{"prompt":"c","source_image_url":"https://x"}],"group_id":"grp1","group_title":""}`
	check.Equal(t, "sent", string(s.Requests()[0].Body), want)
	check.Equal(t, "reply", made, &api.BatchReply{
		Receipt: &api.Receipt{
			BatchID:         new("b1"),
			TotalRequested:  new(int64(2)),
			CreditsDeducted: new(2.5),
			EstimatedTime:   new(30.0),
		},
		GroupID: new("grp1"),
		Effects: []api.PromptEffect{
			{GenerationID: "g1", Status: new(reply.Text("QUEUED"))},
			{Error: "refused"},
		},
		ResultIDs: []string{"g1", ""},
		Refused:   1,
	})
}

func TestRequestsWithoutABodySendNone(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Always(200, good))
	client := s.Client(t)
	for _, operation := range []string{"GET", "DELETE", "training", "cancel"} {
		check.NoError(t, operations[operation](t.Context(), client))
	}
	for _, request := range s.Requests() {
		check.True(
			t,
			request.Method+" "+request.Path,
			len(request.Body) == 0 && request.Header.Get("Content-Type") == "" &&
				request.Header.Get(
					"User-Agent",
				) == "agent/1" && request.Header.Get("Accept") == "application/json",
			request.Header,
		)
	}
}

func TestQueries(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Always(200, `{"characters":[],"assets":[],"images":[]}`))
	client := s.Client(t)
	_, _ = client.Characters.Page(t.Context(), nil, nil)
	_, _ = client.Characters.Page(t.Context(), new(int64(5)), new(int64(0)))
	_, _ = client.Images.List(t.Context(), "c", "")
	_, _ = client.Images.List(t.Context(), "c", "face image&x=1")
	_, _ = client.Datasets.Images(t.Context(), "c", nil)
	_, _ = client.Datasets.Images(t.Context(), "c", new(false))
	var got []string
	for _, request := range s.Requests() {
		got = append(got, request.Path+"?"+request.Query.Encode())
	}
	check.Equal(t, "queries", got, []string{
		"/characters?",
		"/characters?limit=5&offset=0",
		"/c/assets?",
		"/c/assets?asset_type=face+image%26x%3D1",
		"/c/dataset/images?",
		"/c/dataset/images?approved_only=false",
	})
}

func TestAssetsAreFilteredAgain(t *testing.T) {
	t.Parallel()
	s := stub.NewService(
		t,
		stub.Always(
			200,
			`{"total":5,"assets":[{"asset_id":"a","asset_type":"face_image","view_url":"v","s3_url":"s"},`+
				`{"id":"b","asset_type":"BODY-IMAGE"},{"image_id":3},{"file_id":"f"},`+
				`{"asset_id":"","id":"d","image_id":"e","asset_type":"Face Image","z":1,"a":[]}]}`,
		),
	)
	faces, err := s.Client(t).Images.List(t.Context(), "ch1", "face_image")
	check.Must(t, err)
	want := &api.Assets{Total: new(int64(5)), AllListed: true, Items: []api.Asset{
		{
			ID:         new("a"),
			AssetType:  new(reply.Text("face_image")),
			ViewURL:    new("v"),
			StorageURL: new("s"),
			JSON:       `{"asset_id":"a","asset_type":"face_image","s3_url":"s","view_url":"v"}`,
		},
		{ID: new("3"), JSON: `{"image_id":3}`},
		{JSON: `{"file_id":"f"}`},
		{
			ID:        new("d"),
			AssetType: new(reply.Text("Face Image")),
			JSON:      `{"a":[],"asset_id":"","asset_type":"Face Image","id":"d","image_id":"e","z":1}`,
		},
	}}
	check.Equal(t, "faces", faces, want)
}

func TestIncompleteListsSaySo(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`{"assets":[],"images":[],"total":0}`:     true,
		`{"assets":null,"images":null}`:           true,
		`{"assets":[{}],"images":[{}]}`:           true,
		`{"total":0}`:                             false,
		`{"assets":[{}],"images":[{}],"total":2}`: false,
		`{"assets":["a"],"images":["a"]}`:         false,
		`{"assets":{},"images":"x"}`:              false,
	} {
		s := stub.NewService(t, stub.Always(200, body))
		client := s.Client(t)
		assets, errAssets := client.Images.List(t.Context(), "ch1", "")
		images, errImages := client.Datasets.Images(t.Context(), "ch1", nil)
		check.True(
			t,
			body,
			errAssets == nil && errImages == nil && assets.AllListed == want && images.AllListed == want,
			assets,
			images,
			want,
		)
	}
}

func TestJobsThatSayNothingAreNone(t *testing.T) {
	t.Parallel()
	s := stub.NewService(
		t,
		stub.Always(
			200,
			`{"face_training":{},"character_training":{"job_id":"j2","progress":"50.0","training_speed":1.5,`+
				`"eta_minutes":null},`+
				`"face_training_history":[{},null,{"job_id":""}],`+
				`"character_training_history":[{"job_id":"j1","status":"COMPLETED"}],"has_active_training":1}`,
		),
	)
	status, err := s.Client(t).Trainings.Status(t.Context(), "ch1")
	check.Must(t, err)
	want := &api.TrainingStatus{
		CharacterTraining:   &api.TrainingJob{JobID: new("j2"), Progress: new(int64(50)), TrainingSpeed: new(1.5)},
		FaceTrainingHistory: []api.TrainingJob{},
		CharacterTrainingHistory: []api.TrainingJob{
			{JobID: new("j1"), Status: new(reply.Text("COMPLETED"))},
		},
		HasActiveTraining: new(true),
	}
	check.Equal(t, "status", status, want)
}

func TestAPartialDeletionIsAnErrorThatKeepsTheLeftovers(t *testing.T) {
	t.Parallel()
	s := stub.NewService(
		t,
		stub.Always(
			200,
			`{"success":false,"message":"partly","group_id":"grp1","deleted_generations":1,`+
				`"failed_generation_deletions":1,"failed_deletions":2,`+
				`"details":{"deleted_generation_ids":["g1"],"failed_generation_ids":["g2"],`+
				`"failed_image_urls":["u"],"failed_deletion_urls":["v"]}}`,
		),
	)
	client := s.Client(t)
	group, err := client.Groups.Delete(t.Context(), "grp1")
	check.True(
		t,
		"the group",
		err != nil && !reply.IsEffectUnknown(err) && group != nil &&
			cmp.Equal(group.FailedGenerationIDs, []string{"g2"}) &&
			stub.Deref(group.FailedGenerationDeletions) == int64(1),
		group,
		err,
	)
	generation, err := client.Generations.Delete(t.Context(), "g2")
	check.True(
		t,
		"the generation",
		err != nil && generation != nil && cmp.Equal(generation.FailedDeletionURLs, []string{"v"}) &&
			stub.Deref(generation.FailedDeletions) == int64(2),
		generation,
		err,
	)
	check.Equal(t, "requests", len(s.Requests()), 2)
}

func TestAGenerationIsDecoded(t *testing.T) {
	t.Parallel()
	s := stub.NewService(
		t,
		stub.Always(
			200,
			`{"generation_id":"g1","group_id":null,"status":"done","progress":100,"result_urls":[{"url":"u1"},`+
				`"u2"],"error":null,"prompt":"p","performance_metadata":{"b":1,"a":2},"success":false}`,
		),
	)
	generation, err := s.Client(t).Generations.Get(t.Context(), "g1")
	check.Must(t, err)
	check.Equal(t, "generation", generation, &api.Generation{
		GenerationID: new(
			"g1",
		),
		Status:              new(reply.Text("done")),
		Progress:            new(int64(100)),
		ResultURLs:          []string{"u1", "u2"},
		Prompt:              new("p"),
		PerformanceMetadata: new(`{"a":2,"b":1}`),
	})
}

func TestTheContentOfAMessage(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]any{
		`"Hello"`: "Hello", `""`: "", "null": nil, "[]": nil, "7": "7", `{"text":"Hello"}`: `{"text":"Hello"}`,
		`[{"message":"Hel"},"lo"]`: "Hel; lo",
	} {
		s := stub.NewService(t, stub.Always(200, `{"choices":[{"message":{"content":`+content+`}}]}`))
		got, err := s.Client(t).Models.Chat(t.Context(), api.ChatRequest{})
		check.True(t, content, err == nil && stub.Deref(got.Choices[0].Content) == want, got, err, want)
	}
}

// Every field of every reply is missing, null or of a wrong type.
// Fault F2.
func TestEveryReplySurvivesNonsense(t *testing.T) {
	t.Parallel()
	fields := strings.Fields(
		`characters pagination filters character_id name assets total asset_id images approved_count face_lora
		body_lora can_generate batch_id results group_id generation_id status result_urls progress
		performance_metadata details deleted_generations character_training face_training
		character_training_history face_training_history has_active_training job_id training_steps
		credits_deducted remaining_balance`,
	)
	for _, value := range []string{
		"null", "12.0", `"12"`, `"text"`, "true", "[]", "{}", `[null,1,"a",{},[]]`, `{"a":{"b":[1]}}`, "1e400",
	} {
		var members []string
		for _, field := range fields {
			members = append(members, fmt.Sprintf("%q:%s", field, value))
		}
		// success keeps paid replies from being of unknown outcome. An upload's
		// needs an id.
		s := stub.NewService(t, stub.Always(200, `{"success":true,`+strings.Join(members, ",")+"}"))
		client := s.Client(t)
		for operation, send := range operations {
			err := send(t.Context(), client)
			check.True(
				t,
				operation+" of "+value,
				err == nil || (operation == "upload" && reply.IsEffectUnknown(err)),
				err,
			)
		}
		_, errPage := client.Characters.Page(t.Context(), nil, nil)
		_, errAssets := client.Images.List(t.Context(), "ch1", "face_image")
		_, errImages := client.Datasets.Images(t.Context(), "ch1", nil)
		_, errTraining := client.Trainings.Status(t.Context(), "ch1")
		_, errCapabilities := client.Characters.Capabilities(t.Context(), "ch1")
		_, errGeneration := client.Generations.Delete(t.Context(), "g1")
		for _, err := range []error{errPage, errAssets, errImages, errTraining, errCapabilities, errGeneration} {
			check.True(t, value, err == nil, err)
		}
	}
}

// Lists may honestly be empty; a reply without any may not.
// Fault F25.
func TestCategoriesWithoutMetadata(t *testing.T) {
	t.Parallel()
	request := api.CategoriesRequest{MediaURL: "https://media.example.com/a.png", Metadata: []string{"tags"}}
	for _, body := range []string{
		`{"metadata":null}`, `{"success":true}`, `{"success":true,"metadata":null}`, `{"metadata":[]}`,
		`{"metadata":"soon"}`, `{"metadata":{},"status":"processing"}`,
		`{"metadata":{"tags":null},"status":"queued"}`,
	} {
		s := stub.NewService(t, stub.Always(200, body))
		got, err := s.Client(t).Models.Categorize(t.Context(), request)
		check.True(t, body, got == nil && reply.IsEffectUnknown(err) && len(s.Requests()) == 1, got, err)
	}
	for _, body := range []string{
		`{"job_id":"j1"}`, `{"job_id":"j1","status":"queued","metadata":{}}`, `{"job_id":"j1","metadata":{"tags":[]}}`,
	} {
		s := stub.NewService(t, stub.Always(200, body))
		_, err := s.Client(t).Models.Categorize(t.Context(), request)
		var job *api.CategorizationJobError
		check.True(t, body, errors.As(err, &job) && job.JobID == "j1", err)
	}
	for _, body := range []string{
		`{"metadata":{}}`, `{"metadata":{"tags":[]}}`,
		`{"metadata":{"tags":["a"]},"status":"processing","job_id":"j1"}`, `{"metadata":{},"status":"completed"}`,
	} {
		s := stub.NewService(t, stub.Always(200, body))
		got, err := s.Client(t).Models.Categorize(t.Context(), request)
		check.True(t, body, got != nil && err == nil, err)
	}
}

// Fault F25.
func TestCompletionsWithoutAChoice(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"choices":[]}`, `{"choices":null}`, `{"choices":[null]}`, `{"choices":[null,3]}`, `{"choices":{}}`,
		`{"success":true}`,
	} {
		s := stub.NewService(t, stub.Always(200, body))
		client := s.Client(t)
		got, err := client.Models.Chat(t.Context(), api.ChatRequest{})
		check.True(t, "chat, "+body, got == nil && reply.IsEffectUnknown(err), got, err)
		got, err = client.Models.Vision(t.Context(), api.VisionRequest{})
		check.True(t, "vision, "+body, got == nil && reply.IsEffectUnknown(err), got, err)
		check.Equal(t, body+": requests", len(s.Requests()), 2)
	}
}

// New is what no list has shown before and this client has not uploaded; the
// newest is first.
func TestAssetsSince(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, func(w http.ResponseWriter, r *http.Request, n int) {
		switch {
		case r.Method == http.MethodPost:
			stub.Respond(w, 200, `{"asset_id":"ours"}`)
		case n == 1:
			stub.Respond(w, 200, `{"assets":[{"asset_id":"old","asset_type":"face_image"}],"total":1}`)
		default:
			stub.Respond(
				w,
				200,
				`{"assets":[{"asset_id":"old"},{},{"asset_id":"untold"},{"asset_id":"body","asset_type":"body_image"},`+
					`{"asset_id":"a","created_at":"2030-01-02T03:04:05Z"},{"asset_id":"ours"},`+
					`{"asset_id":"b","created_at":"2030-01-02T03:04:06Z"}],"total":7}`,
			)
		}
	})
	client := s.Client(t)
	check.Equal(t, "known at first", client.Known("ch1"), nil)
	check.Must(t, check.ErrorOf(client.Images.List(t.Context(), "ch1", "")))
	before := client.Known("ch1")
	check.Equal(t, "known", before, []string{"old"})
	check.Must(
		t,
		check.ErrorOf(client.Images.Upload(t.Context(), api.FaceImages, "ch1", "", stub.FaceImage("content"))),
	)
	want := []evidence.Candidate{
		{ID: "b", CreatedAt: "2030-01-02T03:04:06Z"},
		{ID: "a", CreatedAt: "2030-01-02T03:04:05Z"},
		{ID: "untold"},
	}
	for range 2 { // what a look has shown is new to who asked before
		found, err := client.Images.Since(t.Context(), "ch1", "face_image", before)
		check.Must(t, err)
		check.Equal(t, "since", found, want)
	}
	check.Equal(t, "known of another character", client.Known("ch2"), nil)
}
