import { minuteMs } from '#domain/duration/rules.ts'
import type { ErrorCode } from '#domain/errors.ts'

/**
 * What a Graph error means for the call: retry later; permanent; no call of this account can succeed; or the
 * outcome is unknown.
 */
export type Outcome = 'later' | 'never' | 'dead' | 'unknown'
export type Fault = { outcome: Outcome; code: ErrorCode; afterMs?: number }

const rate: Fault = { outcome: 'later', code: 'ERR_CHANNEL_LIMITED', afterMs: minuteMs }
const closed: Fault = { outcome: 'never', code: 'ERR_WINDOW_CLOSED' }
const away: Fault = { outcome: 'never', code: 'ERR_CONTACT_UNREACHABLE' }
const elsewhere: Fault = { outcome: 'never', code: 'ERR_CHANNEL_ELSEWHERE' }
const template: Fault = { outcome: 'never', code: 'ERR_TEMPLATE_REFUSED' }
const gone: Fault = { outcome: 'never', code: 'ERR_TEMPLATE_GONE' }
const paused: Fault = { outcome: 'never', code: 'ERR_TEMPLATE_PAUSED' }
const fields: Fault = { outcome: 'never', code: 'ERR_TEMPLATE_FIELDS' }
const file: Fault = { outcome: 'never', code: 'ERR_UNSUPPORTED_MEDIA' }
const dead: Fault = { outcome: 'dead', code: 'ERR_CHANNEL_TOKEN' }
const forbidden: Fault = { outcome: 'never', code: 'ERR_CHANNEL_FORBIDDEN' }
const unregistered: Fault = { outcome: 'dead', code: 'ERR_CHANNEL_UNREGISTERED' }
const pin: Fault = { outcome: 'never', code: 'ERR_CHANNEL_PIN' }
const pinLater: Fault = { outcome: 'never', code: 'ERR_CHANNEL_PIN_LATER' }
const open: Fault = { outcome: 'unknown', code: 'ERR_SENDING_WAPP_MSG' }
const refused: Fault = { outcome: 'never', code: 'ERR_SENDING_WAPP_MSG' }

/** By Graph's error code, with its subcode where two cases share a code. */
const faults: Record<string, Fault> = {
  // any product
  1: open,
  2: open,
  ...{ 4: rate, 17: rate, 32: rate, 613: rate, 80007: rate },
  ...{ 3: forbidden, 10: forbidden, 200: forbidden, 368: forbidden, '10/1893063': forbidden },
  ...{ 190: dead, 102: dead },
  // Messenger and Instagram
  ...{ '10/2018278': closed, '10/2534022': closed, '10/2018065': closed, '10/2018300': elsewhere },
  ...{ '100/2018001': away, 551: away, '100/33': away },
  // WhatsApp
  131047: closed,
  ...{ 131026: away, 131049: away, 131050: away, 131045: forbidden, 131031: forbidden, 133010: unregistered },
  // registration: a wrong PIN, too many PINs or registrations, an unverified number
  ...{ 133005: pin, 133008: pinLater, 133009: pinLater, 133016: pinLater, 133006: forbidden },
  ...{ 131051: file, 131052: file, 131053: file },
  131056: { ...rate, afterMs: 6000 }, // concerns one recipient; others are not limited
  ...{ 130429: { ...rate, afterMs: 5000 }, 131048: { ...rate, afterMs: 10 * minuteMs } },
  ...{ 131000: open, 131016: open },
  ...{ 132000: fields, 132005: fields, 132012: fields, 132018: fields, 132001: gone, 132015: paused, 132016: paused },
}

/** A code without an HTTP status comes later, in the status of a message that was not delivered. */
export function faultOf(code: number, subcode?: number, status = 400): Fault {
  const known = faults[`${code}/${subcode}`] ?? faults[code]
  if (known) return known
  if (code >= 132000 && code < 133000) return template
  return status >= 500 ? open : refused
}
