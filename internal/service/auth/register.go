package auth

import "github.com/hashicorp/terraform-plugin-framework/ephemeral"

// EphemeralResources are the ephemeral resources of this domain.
var EphemeralResources = []func() ephemeral.EphemeralResource{newAccessToken}
