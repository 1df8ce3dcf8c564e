package auth

import "github.com/hashicorp/terraform-plugin-framework/ephemeral"

// EphemeralResources are those of this domain.
var EphemeralResources = []func() ephemeral.EphemeralResource{newAccessToken}
