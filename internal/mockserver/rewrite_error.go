package mockserver

import (
	"html"
	"net/http"
	"slices"
)

// rewriteError changes an error reply from the mock's usual form into the form of
// the variant.
func (v Variant) rewriteError(c *call, p *problem, out *reply) {
	if c.route.name == RouteTokenProvider {
		return // the contract states the shape of its errors
	}
	if v.SuccessFalse && refusesInside(c.route, p) {
		out.status = http.StatusOK
		out.rewrite(func(object map[string]any) { object["success"] = false })
		return
	}
	switch v.ErrorShape {
	case ErrorsPlain:
	case ErrorsDetail:
		out.body = encode(map[string]any{"detail": p.message})
	case ErrorsList:
		out.body = encode(
			map[string]any{"detail": []any{map[string]any{"loc": []any{"body"}, "msg": p.message, "type": p.code}}},
		)
	case ErrorsMessage:
		out.body = encode(map[string]any{"message": p.message})
	case ErrorsNested:
		out.body = encode(map[string]any{"error": map[string]any{"code": p.code, "message": p.message}})
	case ErrorsText:
		out.body = []byte(p.message + "\n")
		out.contentType = "text/plain; charset=utf-8"
	case ErrorsHTML:
		out.body = []byte(
			"<!doctype html><title>Error</title><h1>" + http.StatusText(
				p.status,
			) + "</h1><p>" + html.EscapeString(
				p.message,
			) + "</p>\n",
		)
		out.contentType = "text/html; charset=utf-8"
	}
}

// refusesInside reports whether a refusal is reported inside a 200: the
// contract has `success` in the replies of these endpoints.
func refusesInside(r *route, p *problem) bool {
	inside := r.name == RouteBatch || r.op.success.Properties["success"] != nil
	outside := []int{http.StatusUnauthorized, http.StatusNotFound, http.StatusTooManyRequests}
	return inside && !slices.Contains(outside, p.status)
}
