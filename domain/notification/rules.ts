import { timeIn } from '#domain/zone/rules.ts'
import type { NotificationSettings } from './contract.ts'

/** The settings of a user who has changed none. */
export const defaultNotifications: NotificationSettings = {
  ...{ messageSound: true, waitingSound: true, volume: 1 },
  ...{ quiet: null, notices: 'sender' },
}

/**
 * Whether it is a quiet hour in the time zone. The hours end before the minute `to`; a start after the end passes midnight,
 * equal ones mean the whole day.
 */
export function isQuiet(quiet: NotificationSettings['quiet'], timeZone: string, now: Date): boolean {
  if (!quiet) return false
  const { from, to } = quiet
  const time = timeIn(timeZone, now)
  return from < to ? from <= time && time < to : time >= from || time < to
}
