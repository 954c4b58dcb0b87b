import { DEFAULT_CONNECTION_CONFIG, type WAVersion } from '@whiskeysockets/baileys'
import type { AppContext } from '../context.ts'

const timeoutMs = 10_000
/** Of WhatsApp Web itself, by where it was asked for: what one account learned, all of this process announce. */
const learned = new Map<string, WAVersion>()
const later = (a: WAVersion, b: WAVersion): boolean => {
  const n = a.findIndex((part, i) => part !== b[i])
  return n >= 0 && a[n]! > b[n]!
}

type Deps = Pick<AppContext, 'config' | 'logger'>
/** The newest version of WhatsApp Web of which we know. */
export function versionOf({ config: { whatsappWebVersion, whatsappVersionUrl } }: Pick<Deps, 'config'>): WAVersion {
  const configured = whatsappWebVersion ?? DEFAULT_CONNECTION_CONFIG.version
  const known = learned.get(whatsappVersionUrl ?? '')
  return known && later(known, configured) ? known : configured
}

/**
 * Asks WhatsApp Web which version it is, once ours was refused; answers whether there is a later one to try. A script of its own says it, as
 * the client reads it too, which asks nowhere else and for as long as that takes.
 */
export async function isLaterFound(deps: Deps, signal: AbortSignal): Promise<boolean> {
  const { whatsappVersionUrl: url } = deps.config
  if (url === null) return false
  try {
    const answer = await fetch(url, {
      headers: { 'sec-fetch-site': 'none', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/131.0.0.0 Safari/537.36' }, // others are turned away
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const revision = answer.ok ? /\\?"client_revision\\?":\s*(\d{1,12})\b/.exec(await answer.text())?.[1] : undefined
    if (revision === undefined) throw new Error(`it answered ${answer.status}, and no version`)
    const [major, minor] = DEFAULT_CONNECTION_CONFIG.version
    const found: WAVersion = [major, minor, Number(revision)]
    if (!later(found, versionOf(deps))) return false
    learned.set(url, found)
    deps.logger.info({ version: found.join('.') }, 'WhatsApp Web has a later version, which is announced from now on')
    return true
  } catch (error) {
    if (!signal.aborted) deps.logger.warn({ err: error }, 'which version WhatsApp Web has was not to be had')
    return false
  }
}
