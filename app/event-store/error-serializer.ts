import { pino } from 'pino'

/** What Postgres says of a value that does not fit, without the value, which stands last. */
export const withoutValue = (message: string): string => message.replace(/: "[\s\S]*$/, '')

/** An error as a log may hold it: beside its message, what Postgres says quotes rows, and WhatsApp’s client stanzas, with names and words in them. */
export function unquoted(error: unknown): object {
  if (!(error instanceof Error)) return { message: typeof error === 'string' ? error : JSON.stringify(error) }
  const all = pino.stdSerializers.err(error) as Record<string, unknown>
  const { detail: _d, where: _w, internalQuery: _q, parameters: _p, data: _s, ...rest } = all
  if (!/^22...$/.test(String(rest.code))) return rest
  const message = withoutValue(error.message)
  return { ...rest, message, stack: String(rest.stack).replace(error.message, () => message) }
}
