import { Browsers, proto, type UserFacingSocketConfig, type WASocket } from '@whiskeysockets/baileys'
import type { LeasedConnection } from '#app/channels/channel.ts'
import type { AppContext } from '#app/context.ts'
import { isTransient } from '#app/event-store/transient-errors.ts'
import type { Account } from './account.ts'
import { wordsOnly } from './baileys-logger.ts'
import type { createGroupCache } from './group-cache.ts'
import { cacheOf, type Memory } from './memory.ts'
import { versionOf } from './version.ts'

/** `number`: the phone for a pairing code; null for a QR code. */
export type SocketOptions = {
  leased: LeasedConnection
  account: Account
  memory: Memory
  ctx: AppContext
  number: string | null
  importing: boolean
}
type Deps = SocketOptions & {
  groups: ReturnType<typeof createGroupCache>
  /** The socket that is created with this configuration. */
  socket: () => WASocket
  failed: (error: unknown) => void
}

/** The client's configuration for an account, without the repository of its keys. */
export function socketConfig({ leased, account, memory, ctx, number, importing, groups, socket, failed }: Deps): UserFacingSocketConfig {
  const { config, logger } = ctx
  const desktop = isDesktop(account, importing && number === null)
  return {
    auth: { creds: account.creds(), keys: account.keys(failed) },
    logger: wordsOnly(logger, leased.connection.id),
    waWebSocketUrl: config.whatsappUrl!,
    version: versionOf(ctx),
    browser: desktop ? Browsers.macOS('Desktop') : number === null ? ['Guichê', 'Chrome', '1.0'] : Browsers.ubuntu('Chrome'), // pairing codes exist only for known browsers
    markOnlineOnConnect: false, // otherwise the phone no longer notifies its user
    syncFullHistory: desktop || importing,
    emitOwnEvents: false,
    transactionOpts: { maxCommitRetries: 3, delayBetweenTriesMs: 200 },
    msgRetryCounterCache: cacheOf(memory.retries),
    placeholderResendCache: cacheOf(memory.resends),
    userDevicesCache: cacheOf(memory.devices),
    callOfferCache: cacheOf(memory.calls),
    cachedGroupMetadata: (jid) => groups.metadataOf(jid, socket()),
    async getMessage({ id }) {
      if (!id) return undefined
      const kept = await account.kept(id).catch((error: unknown) => {
        if (isTransient(error)) failed(error) // before the client confirms the request, so that the phone repeats it over the next socket
        throw error
      })
      return kept ? proto.Message.decode(kept.message) : undefined
    },
  }
}

/**
 * Whether the device presents itself as the desktop app, which gets the phone's whole history; a browser gets only the last months. The choice
 * is made when the phone is linked and is repeated at each login.
 */
function isDesktop(account: Account, wanted: boolean): boolean {
  const creds = account.creds()
  if (!account.linked()) creds.additionalData = { desktop: wanted }
  return (creds.additionalData as { desktop?: boolean } | undefined)?.desktop === true
}
