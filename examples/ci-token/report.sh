#!/bin/sh
# Stands for whatever else in the run talks to the service.
: "${MEDIAGEN_ACCESS_TOKEN:?}"
echo "A token of ${#MEDIAGEN_ACCESS_TOKEN} characters was handed over."
