package mockserver

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// route is an endpoint. Its name is the key in journal, faults and hooks.
type route struct {
	name    string // method and pattern
	path    string // in the document: without the version prefix
	parts   []string
	handler handler
	// stated is true if the contract itself documents 200, so that no variant
	// changes the status.
	stated bool
	// ends is true if the status is the variant's DeleteCode.
	ends bool
	// buys is true if a success may cost credits, so that a variant can report
	// it as a refusal.
	buys bool
	// reshape makes a variant's changes to this endpoint's replies only.
	reshape func(Variant, map[string]any)
	// public endpoints need no bearer token.
	public bool
	op     operation
}

// handler processes the requests of an endpoint under the server's lock and
// returns a wire type, or a *problem as the error.
type handler func(*Server, *call) (any, error)

// withBody decodes the request's body, if there is one, for a handler.
func withBody[T any](act func(*Server, *call, T) (any, error)) handler {
	return func(s *Server, c *call) (any, error) {
		var request T
		if err := json.Unmarshal(c.body, &request); err != nil && len(c.body) > 0 {
			return nil, invalid(err.Error())
		}
		return act(s, c, request)
	}
}

// Routes that tests use, by their names in journal, faults and hooks.
const (
	RouteChat          = "POST /v2/chat/completions"
	RouteVision        = "POST /v2/media/completions"
	RouteCategories    = "POST /v2/media/categories"
	RouteImage         = "POST /v2/generate/image"
	RouteBatch         = "POST /v2/generation/batch"
	RouteStatus        = "GET /v2/generation/status/{generation_id}"
	RouteDeleteGroup   = "DELETE /v2/generation/groups/{group_id}"
	RouteDelete        = "DELETE /v2/generation/generations/{generation_id}"
	RouteCharacters    = "GET /v2/characters"
	RouteUpdate        = "PUT /v2/characters/{character_id}"
	RouteAssets        = "GET /v2/{character_id}/assets"
	RouteUpload        = "POST /v2/{character_id}/upload/face-image"
	RouteDataset       = "GET /v2/{character_id}/dataset/images"
	RouteRegenerate    = "POST /v2/{character_id}/dataset/images/{image_id}/regenerate"
	RouteTraining      = "GET /v2/{character_id}/training/complete-status"
	RouteStartTraining = "POST /v2/{character_id}/training/body-lora"
	RouteCancel        = "POST /v2/{character_id}/training/jobs/{job_id}/cancel"
	RouteCapabilities  = "GET /v2/{character_id}/generation/capabilities"
	RouteToken         = "POST /auth/generate-token"
	RouteTokenProvider = "POST /token-provider"
	RouteMedia         = "GET /media/{kind}/{file}"
)

// Routes that a service has only with [Options].Extended.
const (
	RouteCreate            = "POST /v2/characters"
	RouteCharacter         = "GET /v2/characters/{character_id}"
	RouteDeleteCharacter   = "DELETE /v2/characters/{character_id}"
	RouteUploadBody        = "POST /v2/{character_id}/upload/body-image"
	RouteGenerateDataset   = "POST /v2/{character_id}/dataset/generate"
	RouteDatasetStatus     = "GET /v2/{character_id}/dataset/status"
	RouteApproval          = "PUT /v2/{character_id}/dataset/images/{image_id}/approval"
	RouteApproveDataset    = "POST /v2/{character_id}/dataset/approve"
	RouteStartFaceTraining = "POST /v2/{character_id}/training/face-lora"
	RouteGroups            = "GET /v2/generation/groups"
	RouteGroup             = "GET /v2/generation/groups/{group_id}"
	RouteCategoryJob       = "GET /v2/media/categories/{job_id}"
)

func routes() []*route {
	return patterns([]*route{
		{name: RouteChat, handler: withBody((*Server).chat)},
		{name: RouteVision, handler: withBody((*Server).vision)},
		{
			name:    RouteCategories,
			handler: withBody((*Server).categories),
			stated:  true,
			reshape: Variant.reshapeCategories,
		},
		{
			name:    RouteImage,
			handler: withBody((*Server).image),
			stated:  true,
			reshape: Variant.reshapeImage,
		},
		{
			name:    RouteBatch,
			handler: withBody((*Server).submitBatch),
			buys:    true,
			reshape: Variant.reshapeBatch,
		},
		{
			name:    RouteStatus,
			handler: (*Server).generationStatus,
			reshape: Variant.reshapeStatus,
		},
		{
			name:    RouteDeleteGroup,
			handler: (*Server).deleteGroup,
			ends:    true,
		},
		{
			name:    RouteDelete,
			handler: (*Server).deleteGeneration,
			ends:    true,
		},
		{name: RouteCharacters, handler: (*Server).listCharacters},
		{
			name:    RouteUpdate,
			handler: withBody((*Server).updateCharacter),
			stated:  true,
		},
		{
			name:    RouteAssets,
			handler: (*Server).listAssets,
			reshape: Variant.reshapeAssets,
		},
		{
			name:    RouteUpload,
			handler: uploadImage(faceImage),
			reshape: Variant.reshapeUpload,
		},
		{name: RouteDataset, handler: (*Server).listDataset},
		{name: RouteRegenerate, handler: withBody((*Server).regenerate)},
		{
			name:    RouteTraining,
			handler: (*Server).trainingStatus,
			stated:  true,
		},
		{
			name:    RouteStartTraining,
			handler: startTraining(bodyJob),
			buys:    true,
		},
		{
			name:    RouteCancel,
			handler: (*Server).cancelTraining,
			ends:    true,
		},
		{name: RouteCapabilities, handler: (*Server).capabilities},
		{
			name:    RouteToken,
			handler: (*Server).generateToken,
			public:  true,
			stated:  true,
			reshape: Variant.reshapeToken,
		},
		{
			name:    RouteTokenProvider,
			handler: (*Server).tokenProvider,
			public:  true,
			stated:  true,
		},
	})
}

func extendedRoutes() []*route {
	return patterns([]*route{
		{
			name:    RouteCreate,
			handler: withBody((*Server).createCharacter),
			stated:  true,
		},
		{name: RouteCharacter, handler: (*Server).readCharacter},
		{
			name:    RouteDeleteCharacter,
			handler: (*Server).deleteCharacter,
			ends:    true,
		},
		{
			name:    RouteUploadBody,
			handler: uploadImage(bodyImage),
			reshape: Variant.reshapeUpload,
		},
		{
			name:    RouteGenerateDataset,
			handler: withBody((*Server).generateDataset),
			buys:    true,
		},
		{name: RouteDatasetStatus, handler: (*Server).datasetStatus},
		{name: RouteApproval, handler: withBody((*Server).approveImage)},
		{name: RouteApproveDataset, handler: (*Server).approveDataset},
		{
			name:    RouteStartFaceTraining,
			handler: startTraining(faceJob),
			buys:    true,
		},
		{name: RouteGroups, handler: (*Server).listGroups},
		{
			name:    RouteGroup,
			handler: (*Server).readGroup,
			reshape: Variant.reshapeGroup,
		},
		{name: RouteCategoryJob, handler: (*Server).categoryJob},
	})
}

// patterns splits the names of routes.
func patterns(table []*route) []*route {
	for _, r := range table {
		_, pattern, _ := strings.Cut(r.name, " ")
		r.path = strings.TrimPrefix(pattern, "/v2")
		r.parts = strings.Split(pattern, "/")
	}
	return table
}

// match returns the endpoint of a request and its unescaped path parameters.
// The status is 200, 404 for an unknown path, or 405 for a wrong method.
func (k contract) match(method, escapedPath string) (found *route, params map[string]string, status int) {
	parts := strings.Split(escapedPath, "/")
	status = http.StatusNotFound
	for _, candidate := range k.routes {
		params, ok := candidate.params(parts)
		if !ok {
			continue
		}
		if strings.HasPrefix(candidate.name, method+" ") {
			return candidate, params, http.StatusOK
		}
		status = http.StatusMethodNotAllowed
	}
	return nil, nil, status
}

func (r *route) params(parts []string) (map[string]string, bool) {
	if len(parts) != len(r.parts) {
		return nil, false
	}
	params := map[string]string{}
	for i, want := range r.parts {
		got, err := url.PathUnescape(parts[i])
		if err != nil {
			return nil, false
		}
		if name, isParam := strings.CutPrefix(want, "{"); isParam && got != "" {
			params[strings.TrimSuffix(name, "}")] = got
		} else if got != want {
			return nil, false
		}
	}
	return params, true
}
