package engines

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// dialect is the protocol between the clients and the servers of a cloud.
type dialect struct {
	scheme string
	// query returns the query of an address, for a server at a host.
	query func(host string) url.Values
	// isList reports whether a request is a GET of names.
	isList func(r *http.Request) bool
	// forget removes the condition from a write. It is nil if requests are
	// signed with the condition.
	forget func(r *http.Request)
	// refuse answers in the form of the cloud.
	refuse func(w http.ResponseWriter, status int)
}

var s3 = dialect{
	scheme: "s3",
	query: func(host string) url.Values {
		return url.Values{
			"endpoint":       {"http://" + host},
			"region":         {"us-east-1"},
			"use_path_style": {"true"},
		}
	},
	isList: func(r *http.Request) bool { return r.URL.Query().Has("list-type") },
	forget: func(r *http.Request) { r.Header.Del("If-None-Match") },
	refuse: func(w http.ResponseWriter, status int) {
		code := map[int]string{
			http.StatusForbidden:          "AccessDenied",
			http.StatusConflict:           "ConditionalRequestConflict",
			http.StatusServiceUnavailable: "SlowDown",
		}[status]
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		fmt.Fprintf(w, `<?xml version="1.0"?><Error><Code>%s</Code><Message>refused</Message></Error>`, code)
	},
}

var google = dialect{
	scheme: "gs",
	query:  func(string) url.Values { return nil }, // the environment contains the host
	isList: func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/o") },
	forget: func(r *http.Request) {
		query := r.URL.Query()
		query.Del("ifGenerationMatch")
		r.URL.RawQuery = query.Encode()
	},
	refuse: func(w http.ResponseWriter, status int) {
		reason := map[int]string{
			http.StatusForbidden:          "forbidden",
			http.StatusConflict:           "conflict",
			http.StatusServiceUnavailable: "backendError",
		}[status]
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{
			"code":    status,
			"message": "refused",
			"errors":  []any{map[string]string{"reason": reason, "message": "refused"}},
		}})
	},
}

var azure = dialect{
	scheme: "azblob",
	query: func(host string) url.Values {
		return url.Values{
			"domain":          {host},
			"protocol":        {"http"},
			"localemu":        {"true"},
			"storage_account": {azureAccount},
		}
	},
	isList: func(r *http.Request) bool { return r.URL.Query().Get("comp") == "list" },
	refuse: func(w http.ResponseWriter, status int) {
		code := map[int]string{
			http.StatusForbidden:          "AuthorizationPermissionMismatch",
			http.StatusConflict:           "BlobArchived",
			http.StatusServiceUnavailable: "ServerBusy",
		}[status]
		w.Header().Set("Content-Type", "application/xml")
		w.Header().Set("x-ms-error-code", code)
		w.WriteHeader(status)
		fmt.Fprintf(w, `<?xml version="1.0"?><Error><Code>%s</Code><Message>refused</Message></Error>`, code)
	},
}
