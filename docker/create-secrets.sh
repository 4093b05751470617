#!/bin/sh
# Creates the secrets of docker/compose.yaml in docker/secrets. It keeps files that exist: the database was created with them.
# Other users of this machine cannot enter the folder. In the containers, each service can read its files, whatever its user.
set -eu
folder=$(dirname "$0")/secrets
mkdir -p "$folder"
chmod 700 "$folder"
cd "$folder"
umask 022

# Letters and digits only, because it becomes a part of a URL.
password() { head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }
# Writes a file at once, so that an interrupted run leaves none that is incomplete.
write() {
  printf '%s\n' "$2" > "$1.new"
  mv "$1.new" "$1"
}

[ -e owner_password ] || write owner_password "$(password)"
[ -e owner_url ] || write owner_url "postgres://muster:$(cat owner_password)@database:5432/muster"
[ -e service_url ] || write service_url "postgres://muster_app:$(password)@database:5432/muster"
[ -e secrets_key ] || write secrets_key "$(head -c 32 /dev/urandom | base64)"
