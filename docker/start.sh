#!/bin/sh
# Runs a command, the server, in a container. Compose restarts every container that ends, so after a refused start (exit code 78), which only a change of
# settings or stores can help, this script waits until it is stopped. The container is then "unhealthy", and its last lines give the reason.
"$@" &
server=$!
trap 'kill -TERM $server 2>/dev/null' TERM INT HUP
wait $server
code=$?
# a signal ends `wait` before the server has ended
while kill -0 $server 2>/dev/null; do
  wait $server
  code=$?
done
[ $code -eq 78 ] || exit $code
echo 'Start refused; change the settings or the stores named above, then: docker compose up -d, or docker compose restart' >&2
trap - TERM INT HUP
exec sleep infinity
