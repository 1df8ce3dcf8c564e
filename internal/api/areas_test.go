package api_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

func TestABatchIsSentAsItIs(t *testing.T) {
	t.Parallel()
	s := newService(t, always(202, `{"batch_id":"b1","group_id":"grp1","total_requested":"2","credits_deducted":2.5,"remaining_balance":null,"estimated_time":30,
		"results":[{"generation_id":"g1","status":"QUEUED","prompt_index":0.0,"error":null},{"prompt_index":1,"error":{"code":"nsfw","message":"refused"}}]}`))
	reply, err := s.client(t).SubmitBatch(t.Context(), api.Batch{
		GroupID: new("grp1"), GroupTitle: new(""),
		Prompts: []api.Prompt{{Prompt: " a <b>\n", FaceSwap: new(false)}, {Prompt: "c", SourceImageURL: new("https://x")}},
	})
	check.Must(t, err)
	want := `{"prompts":[{"prompt":" a \u003cb\u003e\n","face_swap":false},{"prompt":"c","source_image_url":"https://x"}],"group_id":"grp1","group_title":""}`
	check.Equal(t, "sent", string(s.Requests()[0].body), want)
	check.Equal(t, "reply", reply, &api.BatchReply{
		Receipt: api.Receipt{BatchID: new("b1"), TotalRequested: new(int64(2)), CreditsDeducted: new(2.5), EstimatedTime: new(30.0)}, GroupID: new("grp1"),
		Effects: []api.PromptEffect{{GenerationID: "g1", Status: new("QUEUED")}, {Error: "refused"}}, Refused: 1,
	})
}

func TestRequestsWithoutABodySendNone(t *testing.T) {
	t.Parallel()
	s := newService(t, always(200, good))
	client := s.client(t)
	for _, operation := range []string{"GET", "DELETE", "training", "cancel"} {
		if err := operations[operation](t.Context(), client); err != nil {
			t.Errorf("%s: %v", operation, err)
		}
	}
	for _, request := range s.Requests() {
		if len(request.body) != 0 || request.header.Get("Content-Type") != "" || request.header.Get("User-Agent") != "agent/1" || request.header.Get("Accept") != "application/json" {
			t.Errorf("%s %s: %v", request.method, request.path, request.header)
		}
	}
}

func TestQueries(t *testing.T) {
	t.Parallel()
	s := newService(t, always(200, `{"characters":[],"assets":[],"images":[]}`))
	client := s.client(t)
	_, _ = client.CharactersPage(t.Context(), nil, nil)
	_, _ = client.CharactersPage(t.Context(), new(int64(5)), new(int64(0)))
	_, _ = client.Assets(t.Context(), "c", "")
	_, _ = client.Assets(t.Context(), "c", "face image&x=1")
	_, _ = client.DatasetImages(t.Context(), "c", nil)
	_, _ = client.DatasetImages(t.Context(), "c", new(false))
	var got []string
	for _, request := range s.Requests() {
		got = append(got, request.path+"?"+request.query.Encode())
	}
	check.Equal(t, "queries", got, []string{
		"/characters?", "/characters?limit=5&offset=0", "/c/assets?", "/c/assets?asset_type=face+image%26x%3D1", "/c/dataset/images?", "/c/dataset/images?approved_only=false",
	})
}

func TestAssetsAreFilteredAgain(t *testing.T) {
	t.Parallel()
	s := newService(t, always(200, `{"total":5,"assets":[{"asset_id":"a","asset_type":"face_image","view_url":"v","s3_url":"s"},{"id":"b","asset_type":"BODY-IMAGE"},{"image_id":3},{"file_id":"f"},{"asset_id":"","id":"d","image_id":"e","asset_type":"Face Image","z":1,"a":[]}]}`))
	faces, err := s.client(t).Assets(t.Context(), "ch1", "face_image")
	check.Must(t, err)
	want := &api.Assets{Total: new(int64(5)), AllListed: true, Items: []api.Asset{
		{ID: new("a"), AssetType: new("face_image"), ViewURL: new("v"), StorageURL: new("s"), JSON: `{"asset_id":"a","asset_type":"face_image","s3_url":"s","view_url":"v"}`},
		{ID: new("3"), JSON: `{"image_id":3}`},
		{JSON: `{"file_id":"f"}`},
		{ID: new("d"), AssetType: new("Face Image"), JSON: `{"a":[],"asset_id":"","asset_type":"Face Image","id":"d","image_id":"e","z":1}`},
	}}
	check.Equal(t, "faces", faces, want)
}

func TestIncompleteListsSaySo(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`{"assets":[],"images":[],"total":0}`: true, `{"assets":null,"images":null}`: true, `{"assets":[{}],"images":[{}]}`: true,
		`{"total":0}`: false, `{"assets":[{}],"images":[{}],"total":2}`: false, `{"assets":["a"],"images":["a"]}`: false, `{"assets":{},"images":"x"}`: false,
	} {
		s := newService(t, always(200, body))
		client := s.client(t)
		assets, errAssets := client.Assets(t.Context(), "ch1", "")
		images, errImages := client.DatasetImages(t.Context(), "ch1", nil)
		check.True(t, body, errAssets == nil && errImages == nil && assets.AllListed == want && images.AllListed == want, assets, images, want)
	}
}

func TestJobsThatSayNothingAreNone(t *testing.T) {
	t.Parallel()
	s := newService(t, always(200, `{"face_training":{},"character_training":{"job_id":"j2","progress":"50.0","training_speed":1.5,"eta_minutes":null},
		"face_training_history":[{},null,{"job_id":""}],"character_training_history":[{"job_id":"j1","status":"COMPLETED"}],"has_active_training":1}`))
	status, err := s.client(t).TrainingStatus(t.Context(), "ch1")
	check.Must(t, err)
	want := &api.TrainingStatus{
		CharacterTraining:        &api.TrainingJob{JobID: new("j2"), Progress: new(int64(50)), TrainingSpeed: new(1.5)},
		FaceTrainingHistory:      []api.TrainingJob{},
		CharacterTrainingHistory: []api.TrainingJob{{JobID: new("j1"), Status: new("COMPLETED")}}, HasActiveTraining: new(true),
	}
	check.Equal(t, "status", status, want)
}

func TestAPartialDeletionIsAnErrorThatKeepsTheLeftovers(t *testing.T) {
	t.Parallel()
	s := newService(t, always(200, `{"success":false,"message":"partly","group_id":"grp1","deleted_generations":1,"failed_generation_deletions":1,"failed_deletions":2,
		"details":{"deleted_generation_ids":["g1"],"failed_generation_ids":["g2"],"failed_image_urls":["u"],"failed_deletion_urls":["v"]}}`))
	client := s.client(t)
	group, err := client.DeleteGroup(t.Context(), "grp1")
	if err == nil || reply.IsEffectUnknown(err) || group == nil || !cmp.Equal(group.FailedGenerationIDs, []string{"g2"}) || deref(group.FailedGenerationDeletions) != int64(1) {
		t.Errorf("%+v, %v", group, err)
	}
	generation, err := client.DeleteGeneration(t.Context(), "g2")
	if err == nil || generation == nil || !cmp.Equal(generation.FailedDeletionURLs, []string{"v"}) || deref(generation.FailedDeletions) != int64(2) {
		t.Errorf("%+v, %v", generation, err)
	}
	check.Equal(t, "requests", len(s.Requests()), 2)
}

func TestAGenerationIsDecoded(t *testing.T) {
	t.Parallel()
	s := newService(t, always(200, `{"generation_id":"g1","group_id":null,"status":"done","progress":100,"result_urls":[{"url":"u1"},"u2"],"error":null,"prompt":"p","performance_metadata":{"b":1,"a":2},"success":false}`))
	generation, err := s.client(t).Generation(t.Context(), "g1")
	check.Must(t, err)
	check.Equal(t, "generation", generation, &api.Generation{
		GenerationID: new("g1"), Status: new("done"), Progress: new(int64(100)), ResultURLs: []string{"u1", "u2"}, Prompt: new("p"), PerformanceMetadata: new(`{"a":2,"b":1}`),
	})
}

func TestTheContentOfAMessage(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]any{
		`"Hello"`: "Hello", `""`: "", "null": nil, "[]": nil, "7": "7", `{"text":"Hello"}`: `{"text":"Hello"}`, `[{"message":"Hel"},"lo"]`: "Hel; lo",
	} {
		s := newService(t, always(200, `{"choices":[{"message":{"content":`+content+`}}]}`))
		got, err := s.client(t).Chat(t.Context(), api.ChatRequest{})
		check.True(t, content, err == nil && deref(got.Choices[0].Content) == want, got, err, want)
	}
}
