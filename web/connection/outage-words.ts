import { outages } from '#domain/connection/rules.ts'
import { words } from '#web/i18n.ts'

/** Why a connection is down. This is a separate file because every screen shows it. */
export const outageWords = words(outages)
