#!/bin/sh
# Makes docker/secrets/ (or the folder that is named), one file a secret; what is there already stays as it is.
set -eu
folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
# the folder lets nobody in; the files may be read by whatever user a container runs as
chmod 700 "$folder"

word() { head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n'; }
keep() {
  [ -s "$folder/$1" ] && return
  printf '%s\n' "$2" >"$folder/$1.new"
  chmod 444 "$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
  made="$made $1"
}
of() { cat "$folder/$1"; }

made=
keep master_key "$(head -c 32 /dev/urandom | base64)"
keep metrics_token "$(word)"
keep postgres_password "$(word)"
keep database_url "postgres://guiche:$(of postgres_password)@postgres:5432/guiche"
keep redis_accounts "user default on >$(word) ~* &* +@all"
keep redis_url "redis://default:$(of redis_accounts | sed 's/.*>\([^ ]*\).*/\1/')@redis:6379"
keep eventstore_admin_password "$(word)"
keep eventstore_ops_password "$(word)"
account="guiche:$(word)"
trust='tls=true&tlsCAFile=/trust/ca.crt'
keep eventstore_url "esdb://$account@eventstore:2113?$trust"
account=$(of eventstore_url | sed 's,^esdb://\(.*\)@.*,\1,')
keep eventstore_cluster_url "esdb://$account@eventstore:2113,eventstore-2:2113,eventstore-3:2113?$trust"

echo "$folder:${made:- everything was there}"
echo 'Keep master_key somewhere else too, away from the backups: without it every name and message is lost.'
