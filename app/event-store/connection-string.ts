/** All that the client of EventStoreDB knows and heeds: what it does not, it prints, with the password beside it. */
const logOptions = new RegExp(
  '^((tls|tls_?verify_?cert)=true|tls=false|(tls_?ca_?file|user_?cert_?file|user_?key_?file|node_?preference|connection_?name)=[^=]+' +
    '|(default_?deadline|max_?discover_?attempts|discovery_?interval|gossip_?timeout|keep_?alive_?(interval|timeout))=\\d+)$',
  'i',
)

/** Several hosts with a comma between them are no URL to `URL`. */
export function isLog(text: string): boolean {
  const [whole, options] = /^esdb(?:\+discover)?:\/\/[^\s/?]+\/?(?:\?(\S+))?$/.exec(text) ?? []
  return whole !== undefined && (options?.split('&').every((option) => logOptions.test(option)) ?? true)
}
