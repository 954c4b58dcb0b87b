import type { Kysely } from 'kysely'
import { networkOf } from '#domain/contact/rules.ts'
import type { Database } from '#projections/database.ts'
import { within } from '../eventlog/patience.ts'
import { keyOf } from './caller.ts'
import type { Channel, Connection, Heard } from './channel.ts'

type Deps = { db: Kysely<Database>; channel?: (provider: string) => Channel | undefined }
/** Nobody waits longer to be heard because of a name. */
const mostMs = 4000

/** What was heard from somebody new, with their name, where the provider tells it only to who asks. */
export async function withName(now: Connection, heard: Heard, { db, channel }: Deps): Promise<Heard> {
  const ask = heard.type === 'message' && heard.name === '' && heard.group === null ? channel?.(now.provider)?.nameOf : undefined
  if (!ask || heard.type !== 'message') return heard
  const who = heard.from[0]!
  const known = await db
    .selectFrom('contactIdentity')
    .select('contactId')
    .where('companyId', '=', now.companyId)
    .where('network', '=', networkOf(now.channel))
    .where('kind', '=', who.kind)
    .where('key', '=', keyOf(who))
    .executeTakeFirst()
  if (known) return heard
  const name = await within(ask(now, who), mostMs, 'asking for a name').catch(() => '')
  return { ...heard, name }
}
