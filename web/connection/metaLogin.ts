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
export type MetaAnswer = { code: string; state: string } | 'refused'
/** The answer of Meta's login that opened this page. Read when this module loads, because React may render a component twice. */
let answer = location.pathname === '/connections' ? takeFromAddress() : null
export const metaAnswer = (): MetaAnswer | null => answer
/** The answer is valid once, so the screen must not use it again. */
export function forgetMetaAnswer(): void {
  answer = null
}

/** Removes the parameters before any dialog adds its history entry: neither Back nor a reload may use them again. */
function takeFromAddress(): MetaAnswer | null {
  const url = new URL(location.href)
  const [code, state, error] = ['code', 'state', 'error'].map((name) => url.searchParams.get(name))
  if (!state) return null
  for (const name of names) url.searchParams.delete(name)
  url.hash = '' // Meta appends its own hash
  history.replaceState(history.state, '', url)
  return code && !error ? { code, state } : 'refused'
}
