import type { Static } from 'typebox'
import * as Type from 'typebox'
import { Nullable } from '#domain/contract.ts'

const Time = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })
const strict = { additionalProperties: false }

/** How a user is notified, on every device. */
export const NotificationSettings = Type.Object(
  {
    /** Whether a new message in an own ticket sounds. */
    messageSound: Type.Boolean(),
    /** Whether a new waiting ticket sounds, if the company notifies about these. */
    waitingSound: Type.Boolean(),
    /** From 0, which is silent, to 1 (R-LAYOUT-08). */
    volume: Type.Number({ minimum: 0, maximum: 1 }),
    /** Daily hours without sounds and browser notices, in the company's time zone; they may pass midnight. */
    quiet: Nullable(Type.Object({ from: Time, to: Time }, strict)),
    /** Browser notices: with the text of the message, with the sender only, or none. */
    notices: Type.Enum(['text', 'sender', 'never']),
  },
  strict,
)
export type NotificationSettings = Static<typeof NotificationSettings>
