import type { LoginProduct } from '#domain/channel/channels.ts'
import { api } from '#web/api.ts'

const wanted = 'wantedAtMeta'
/** The product that the user went to Meta for; only its accounts are preselected on return. */
export const wantedAtMeta = (): LoginProduct | null => sessionStorage.getItem(wanted) as LoginProduct | null

/** Opens Meta's login, which returns to the connections. */
export async function goToMeta(what: LoginProduct | null = null): Promise<void> {
  const { url } = await api.connections.facebookLogin()
  if (what === null) sessionStorage.removeItem(wanted)
  else sessionStorage.setItem(wanted, what)
  location.assign(url)
}

const names = ['code', 'state', 'error', 'error_code', 'error_reason', 'error_description']
export type Back = { code: string; state: string } | 'refused'
/** The parameters that Meta's login returned, if this page was opened by it. */
export function backFromMeta(): Back | null {
  const given = new URLSearchParams(location.search)
  const [code, state] = [given.get('code'), given.get('state')]
  if (!state) return null
  return code && !given.has('error') ? { code, state } : 'refused'
}
/** Removes the parameters, because they are valid once and a reload must not reuse them. */
export function forgetBack(): void {
  const url = new URL(location.href)
  for (const name of names) url.searchParams.delete(name)
  url.hash = '' // Meta appends its own hash
  if (url.href !== location.href) history.replaceState(history.state, '', url)
}
