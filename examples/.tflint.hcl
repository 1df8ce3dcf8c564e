# The rules that "make lint" holds the examples to: those that tflint recommends, and
# some more.
plugin "terraform" {
  enabled = true
  preset  = "recommended"
}

rule "terraform_comment_syntax" {
  enabled = true
}

rule "terraform_documented_variables" {
  enabled = true
}

rule "terraform_naming_convention" {
  enabled = true
}

rule "terraform_unused_required_providers" {
  enabled = true
}

# Not enabled, though all are in the preset "all":
#
# - terraform_documented_outputs: a line of prose on an output of three lines repeats
#   its name. The modules that others call describe theirs.
# - terraform_standard_module_structure: an example of one page is one file, so that
#   people can paste it.
