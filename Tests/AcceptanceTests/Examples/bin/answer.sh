#!/bin/sh
# An agent of few words.
cat >/dev/null
echo Gladly.
