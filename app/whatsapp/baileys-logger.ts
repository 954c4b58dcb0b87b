import type { ILogger } from '@whiskeysockets/baileys/lib/Utils/logger.js'
import type { Logger } from 'pino'

/** Texts that libsignal prints together with whole sessions, private keys included. */
const talks = /session|prekey|pre-key|decrypt|bad mac/i
let silenced = false

/** Suppresses the console output of the encryption library, which has no logger and prints keys. */
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

/** Logs only the warnings and errors of Baileys, and of these only the text, because their objects contain stanzas and keys. */
export function wordsOnly(logger: Logger, connectionId: number): ILogger {
  const words = (of: unknown, text?: string) => {
    const { err, error = err } = (typeof of === 'object' && of !== null ? of : {}) as { err?: unknown; error?: unknown }
    const cause = error instanceof Error ? error.message : undefined
    const said = text ?? (typeof of === 'string' ? of : undefined)
    logger.debug({ connectionId, ...(said !== undefined && { said }), ...(cause !== undefined && { cause }) }, 'WhatsApp library reports')
  }
  const nothing = () => undefined
  const self: ILogger = { level: 'warn', child: () => self, trace: nothing, debug: nothing, info: nothing, warn: words, error: words }
  return self
}
