#!/bin/sh
# Plans and applies all slices, eight at a time: each has an eighth of the 60
# requests a minute that the service allows.
set -eu
export MEDIAGEN_MAX_REQUESTS_PER_MINUTE=7
export TG_WORKING_DIR=units TG_OUT_DIR=plans TG_PARALLELISM=8 TG_NON_INTERACTIVE=true

terragrunt run --all -- plan
# Look here at what the plans in units/plans buy.
terragrunt run --all -- apply
