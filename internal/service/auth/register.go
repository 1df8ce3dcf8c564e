package auth

import "github.com/hashicorp/terraform-plugin-framework/ephemeral"

// EphemeralResources are the ephemeral resources of this domain.
func EphemeralResources() []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{newAccessToken}
}
