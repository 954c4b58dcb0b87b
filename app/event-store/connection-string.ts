/** Options that the EventStoreDB client accepts. It prints unknown ones together with the password, so they are rejected first. */
const logOptions = new RegExp(
  '^((tls|tls_?verify_?cert)=true|tls=false|(tls_?ca_?file|user_?cert_?file|user_?key_?file|node_?preference|connection_?name)=[^=]+' +
    '|(default_?deadline|max_?discover_?attempts|discovery_?interval|gossip_?timeout|keep_?alive_?(interval|timeout))=\\d+)$',
  'i',
)

/** Checks the format with a pattern, because `URL` rejects several hosts separated by commas. */
export function isEventStoreUrl(text: string): boolean {
  const [whole, options] = /^esdb(?:\+discover)?:\/\/[^\s/?]+\/?(?:\?(\S+))?$/.exec(text) ?? []
  return whole !== undefined && (options?.split('&').every((option) => logOptions.test(option)) ?? true)
}
