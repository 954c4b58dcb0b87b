import { api } from '#web/api.ts'

/** What somebody went to Meta for, so that nothing else is marked when they come back. */
type Wanted = 'page' | 'instagram'
const wanted = 'wantedAtMeta'
export const wantedAtMeta = (): Wanted | null => sessionStorage.getItem(wanted) as Wanted | null

/** Leads to Meta's dialog, which leads back to the connections. */
export async function goToMeta(what: Wanted | null = null): Promise<void> {
  const { url } = await api.connections.facebookLogin()
  if (what === null) sessionStorage.removeItem(wanted)
  else sessionStorage.setItem(wanted, what)
  location.assign(url)
}

const names = ['code', 'state', 'error', 'error_code', 'error_reason', 'error_description']
export type Back = { code: string; state: string } | 'refused'
/** What the dialog sent along, where somebody comes from there. */
export function backFromMeta(): Back | null {
  const given = new URLSearchParams(location.search)
  const [code, state] = [given.get('code'), given.get('state')]
  if (!state) return null
  return code && !given.has('error') ? { code, state } : 'refused'
}
/** It is good for once: a reload does not bring it again. */
export function forgetBack(): void {
  const url = new URL(location.href)
  for (const name of names) url.searchParams.delete(name)
  url.hash = '' // Meta leaves a mark of its own there
  if (url.href !== location.href) history.replaceState(history.state, '', url)
}
