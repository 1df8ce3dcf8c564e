#!/bin/sh
# Any other program of the run that uses the service.
: "${MEDIAGEN_ACCESS_TOKEN:?}"
echo "A token of ${#MEDIAGEN_ACCESS_TOKEN} characters was handed over."
