import type { ILogger } from '@whiskeysockets/baileys/lib/Utils/logger.js'
import type { Logger } from 'pino'

/** What libsignal prints with whole sessions beside it, private keys included. */
const talks = /session|prekey|pre-key|decrypt|bad mac/i
let silenced = false

/** Keeps the encryption library, which knows no logger, from printing keys. */
export function silence(): void {
  if (silenced) return
  silenced = true
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    const print = console[level].bind(console)
    console[level] = (...args: unknown[]) => {
      if (typeof args[0] !== 'string' || !talks.test(args[0])) print(...args)
    }
  }
}

/** Of what Baileys logs only what went wrong, and of that only the words: beside them stand stanzas and keys. */
export function wordsOnly(logger: Logger, connectionId: number): ILogger {
  const words = (of: unknown, text?: string) => {
    const { err, error = err } = (typeof of === 'object' && of !== null ? of : {}) as { err?: unknown; error?: unknown }
    const cause = error instanceof Error ? error.message : undefined
    logger.debug(
      { connectionId, ...(cause !== undefined && { cause }) },
      `WhatsApp: ${text ?? (typeof of === 'string' ? of : 'something went wrong')}`,
    )
  }
  const nothing = () => undefined
  const self: ILogger = { level: 'warn', child: () => self, trace: nothing, debug: nothing, info: nothing, warn: words, error: words }
  return self
}
