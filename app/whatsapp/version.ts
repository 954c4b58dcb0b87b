import { DEFAULT_CONNECTION_CONFIG, type WAVersion } from '@whiskeysockets/baileys'
import type { AppContext } from '../context.ts'

const timeoutMs = 10_000
/** The newest versions that WhatsApp Web published, by URL. All accounts of this process use them. */
const learned = new Map<string, WAVersion>()
const isNewer = (a: WAVersion, b: WAVersion): boolean => {
  const n = a.findIndex((part, i) => part !== b[i])
  return n >= 0 && a[n]! > b[n]!
}

type Deps = Pick<AppContext, 'config' | 'logger'>
/** The newest known version of WhatsApp Web. */
export function versionOf({ config: { whatsappWebVersion, whatsappVersionUrl } }: Pick<Deps, 'config'>): WAVersion {
  const configured = whatsappWebVersion ?? DEFAULT_CONNECTION_CONFIG.version
  const known = learned.get(whatsappVersionUrl ?? '')
  return known && isNewer(known, configured) ? known : configured
}

/**
 * Requests the current version from WhatsApp Web after ours was refused. Returns whether it is newer. The version is in a script, which Baileys
 * reads in the same way, but from a fixed URL and without a timeout.
 */
export async function isLaterFound(deps: Deps, signal: AbortSignal): Promise<boolean> {
  const { whatsappVersionUrl: url } = deps.config
  if (url === null) return false
  try {
    const answer = await fetch(url, {
      headers: { 'sec-fetch-site': 'none', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/131.0.0.0 Safari/537.36' }, // WhatsApp refuses other clients
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const revision = answer.ok ? /\\?"client_revision\\?":\s*(\d{1,12})\b/.exec(await answer.text())?.[1] : undefined
    if (revision === undefined) throw new Error(`WhatsApp Web answered ${answer.status} without a version`)
    const [major, minor] = DEFAULT_CONNECTION_CONFIG.version
    const found: WAVersion = [major, minor, Number(revision)]
    if (!isNewer(found, versionOf(deps))) return false
    learned.set(url, found)
    deps.logger.info({ version: found.join('.') }, 'Newer WhatsApp Web version found; used from now on')
    return true
  } catch (error) {
    if (!signal.aborted) deps.logger.warn({ err: error }, 'WhatsApp Web version lookup failed')
    return false
  }
}
