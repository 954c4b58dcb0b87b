/**
 * Address after signing in: an address of this client, or the first screen. Browsers treat `//host` and `/\host` as
 * another host.
 */
export function returnAddress(to: string | null, origin: string): string {
  const url = to?.startsWith('/') && URL.canParse(to, origin) ? new URL(to, origin) : null
  const isOwn = url?.origin === origin && !url.pathname.startsWith('//')
  return isOwn ? `${url.pathname}${url.search}${url.hash}` : '/'
}
