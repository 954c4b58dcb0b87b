import { pino } from 'pino'

/** Removes the invalid value that Postgres quotes at the end of a message. */
export const withoutValue = (message: string): string => message.replace(/: "[\s\S]*$/, '')

/**
 * Serializes an error for the application log without personal data. Extra fields of Postgres errors quote rows, and those of the
 * WhatsApp client quote stanzas; both contain names and message texts.
 */
export function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: typeof error === 'string' ? error : JSON.stringify(error) }
  const all = pino.stdSerializers.err(error) as Record<string, unknown>
  const { detail: _d, where: _w, internalQuery: _q, parameters: _p, data: _s, ...rest } = all
  if (!/^22...$/.test(String(rest.code))) return rest
  const message = withoutValue(error.message)
  return { ...rest, message, stack: String(rest.stack).replace(error.message, () => message) }
}
