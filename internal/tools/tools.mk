# The tools for tests, lint, docs and releases, each pinned by its own module (go.mod,
# go.sum) and built from source, with only the Go module proxy.
#
# A tool is built if it is missing. Its directory in the cache is named after its
# version and a hash of its inputs, so that a changed pin or another Go version
# triggers a build, and all clones of the repository share the results.

TOOLS_CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/terraform-provider-mediagen/tools

tools.src := $(dir $(lastword $(MAKEFILE_LIST)))
tools.go  := $(shell go env GOVERSION GOHOSTOS GOHOSTARCH)

# What is built without half of its packages: see slim.
tools.slim := terraform opentofu
slim = $(if $(filter $(tools.slim),$(1)),$(2))

# $(call tool.path,<directory>,<module>,<binary>)
tool.version = $(shell sed -n 's|^require $(2) v||p' $(tools.src)$(1)/go.mod)
tool.hash    = $(shell cd $(tools.src) && \
	{ echo $(tools.go); find $(1) $(call slim,$(1),slim) -name slim -o -name 'go.*' -o -name '*.go' | LC_ALL=C sort | xargs cat; } | git hash-object --stdin | cut -c 1-12)
tool.path    = $(TOOLS_CACHE)/$(1)-$(call tool.version,$(1),$(2))-$(call tool.hash,$(1))/$(3)

# $(call tool.build,<directory>,<package>,<linker flags>): the binary is renamed
# into place once it is complete, so that interrupted and concurrent builds do no
# harm. Without -trimpath, a package that the provider or a test needs too is
# compiled once.
define tool.build
@echo "Building $(1) into $(@D): once, but that may take 10 minutes"
@mkdir -p "$(@D)" && tmp=$$(mktemp -d "$(@D)/build.XXXXXX") && trap 'rm -rf "$$tmp"' EXIT && \
	export GOOS= GOARCH= GOFLAGS= GOWORK=off CGO_ENABLED=0 && cd $(tools.src)$(1) && $(call slim,$(1),../slim "$$tmp" &&) \
	go build $(call slim,$(1),-modfile "$$tmp/go.mod") -buildvcs=false -ldflags '-s -w $(3)' -o "$$tmp/$(@F)" $(2) && \
	mv -f "$$tmp/$(@F)" "$@"
endef

TERRAFORM     := $(call tool.path,terraform,github.com/hashicorp/terraform,terraform)
TOFU          := $(call tool.path,opentofu,github.com/opentofu/opentofu,tofu)
GOLANGCI_LINT := $(call tool.path,golangci-lint,github.com/golangci/golangci-lint/v2,golangci-lint)
TFPLUGINDOCS  := $(call tool.path,docs,github.com/hashicorp/terraform-plugin-docs,tfplugindocs)
ACTIONLINT    := $(call tool.path,actionlint,github.com/rhysd/actionlint,actionlint)
TFLINT        := $(call tool.path,tflint,github.com/terraform-linters/tflint,tflint)
GOVULNCHECK   := $(call tool.path,govulncheck,golang.org/x/vuln,govulncheck)
GORELEASER    := $(call tool.path,goreleaser,github.com/goreleaser/goreleaser/v2,goreleaser)
CYCLONEDX     := $(call tool.path,cyclonedx-gomod,github.com/CycloneDX/cyclonedx-gomod,cyclonedx-gomod)
REGO          := $(call tool.path,rego,github.com/open-policy-agent/opa,rego)

# The oldest supported CLIs.
TERRAFORM_1.5 := $(call tool.path,terraform-1.5,github.com/hashicorp/terraform,terraform)
TERRAFORM_1.8 := $(call tool.path,terraform-1.8,github.com/hashicorp/terraform,terraform)
TOFU_1.8      := $(call tool.path,opentofu-1.8,github.com/opentofu/opentofu,tofu)

# What others run providers with. Pulumi finds its plugins beside it.
TERRAGRUNT     := $(call tool.path,terragrunt,github.com/gruntwork-io/terragrunt,terragrunt)
PULUMI         := $(call tool.path,pulumi,github.com/pulumi/pulumi/pkg/v3,pulumi)
PULUMI_YAML    := $(dir $(PULUMI))pulumi-language-yaml
PULUMI_BRIDGE  := $(dir $(PULUMI))pulumi-resource-terraform-provider

# Servers of buckets. Azurite is no Go: its packages are pinned by their hashes, and
# need npm and its registry.
VERSITYGW       := $(call tool.path,versitygw,github.com/versity/versitygw,versitygw)
azurite.src     := $(tools.src)azurite
azurite.version := $(shell sed -n 's|^ *"azurite": "\(.*\)"|\1|p' $(azurite.src)/package.json)
azurite.path    := $(TOOLS_CACHE)/azurite-$(azurite.version)-$(shell git hash-object $(azurite.src)/package-lock.json | cut -c 1-12)
AZURITE         := $(azurite.path)/node_modules/.bin/azurite-blob

# The pinned CLI that CLI=terraform or CLI=tofu names.
cli.terraform := $(TERRAFORM)
cli.tofu      := $(TOFU)

# make -s tool.TOFU builds that tool if it is missing, and prints its path.
tool.%:
	@$(MAKE) -s --no-print-directory $($*) >&2 && echo $($*)

$(TERRAFORM):
	$(call tool.build,terraform,github.com/hashicorp/terraform,-X github.com/hashicorp/terraform/version.dev=no)

$(TOFU):
	$(call tool.build,opentofu,github.com/opentofu/opentofu/cmd/tofu,-X github.com/opentofu/opentofu/version.dev=no)

$(GOLANGCI_LINT):
	$(call tool.build,golangci-lint,github.com/golangci/golangci-lint/v2/cmd/golangci-lint,-X main.version=$(call tool.version,golangci-lint,github.com/golangci/golangci-lint/v2))

$(TFPLUGINDOCS):
	$(call tool.build,docs,github.com/hashicorp/terraform-plugin-docs/cmd/tfplugindocs)

$(ACTIONLINT):
	$(call tool.build,actionlint,github.com/rhysd/actionlint/cmd/actionlint)

$(TFLINT):
	$(call tool.build,tflint,github.com/terraform-linters/tflint)

$(GOVULNCHECK):
	$(call tool.build,govulncheck,golang.org/x/vuln/cmd/govulncheck)

$(GORELEASER):
	$(call tool.build,goreleaser,github.com/goreleaser/goreleaser/v2)

$(CYCLONEDX):
	$(call tool.build,cyclonedx-gomod,github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod)

$(VERSITYGW):
	$(call tool.build,versitygw,github.com/versity/versitygw/cmd/versitygw)

# No package runs a script of its own as it is installed.
$(AZURITE):
	@echo "Fetching Azurite into $(azurite.path): once"
	@mkdir -p "$(TOOLS_CACHE)" && tmp=$$(mktemp -d "$(TOOLS_CACHE)/azurite.XXXXXX") && trap 'rm -rf "$$tmp"' EXIT && \
	cp $(azurite.src)/package*.json "$$tmp" && npm ci --prefix "$$tmp" --ignore-scripts --no-audit --no-fund --loglevel=error && \
	chmod 755 "$$tmp" && rm -rf "$(azurite.path)" && mv "$$tmp" "$(azurite.path)"

$(REGO):
	$(call tool.build,rego,.)

$(TERRAFORM_1.5):
	$(call tool.build,terraform-1.5,github.com/hashicorp/terraform,-X github.com/hashicorp/terraform/version.dev=no)

$(TERRAFORM_1.8):
	$(call tool.build,terraform-1.8,github.com/hashicorp/terraform,-X github.com/hashicorp/terraform/version.dev=no)

$(TOFU_1.8):
	$(call tool.build,opentofu-1.8,github.com/opentofu/opentofu/cmd/tofu,-X github.com/opentofu/opentofu/version.dev=no)

$(TERRAGRUNT):
	$(call tool.build,terragrunt,github.com/gruntwork-io/terragrunt,-X github.com/gruntwork-io/terragrunt/internal/version.Version=v$(call tool.version,terragrunt,github.com/gruntwork-io/terragrunt))

$(PULUMI):
	$(call tool.build,pulumi,github.com/pulumi/pulumi/pkg/v3/cmd/pulumi,-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v$(call tool.version,pulumi,github.com/pulumi/pulumi/pkg/v3))

$(PULUMI_YAML):
	$(call tool.build,pulumi,github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml)

$(PULUMI_BRIDGE):
	$(call tool.build,pulumi,github.com/pulumi/pulumi-terraform-bridge/v3/dynamic)
