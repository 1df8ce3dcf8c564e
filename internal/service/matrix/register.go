// Package matrix holds the function prompt_matrix.
package matrix

import "github.com/hashicorp/terraform-plugin-framework/function"

// Functions are the functions of this domain.
var Functions = []func() function.Function{func() function.Function { return promptMatrix{} }}
