import { outages } from '#domain/connection/rules.ts'
import { words } from '#web/i18n.ts'

/** Why a connection is away; apart from what its screens say, for every screen tells it. */
export const outageWords = words(outages)
