import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { textIn } from '#domain/flow/texts.ts'
import { customerLanguageOf, on } from '#domain/setting/contract.ts'
import { type Consent, consentText } from '#domain/ticket/consent.ts'
import { gatheredBy } from '#projections/batch-loader.ts'
import type { Database } from '#projections/database.ts'
import { settingsOf } from '../setting/read.ts'

type Asked = { contactId: number; connectionId: number }
type Own = { lgpdMessage: string | null; lgpdLink: string | null; lgpdAcceptedAt: string | null }
const ownOf = gatheredBy(async (db: Kysely<Database>, list: Asked[]): Promise<(Own | undefined)[]> => {
  const column = (name: keyof Asked) => list.map((one) => one[name])
  const { rows } = await sql<Own & { n: number }>`
    select w.n::int, k.lgpd_message, k.lgpd_link, c.lgpd_accepted_at
    from unnest(${column('contactId')}::int[], ${column('connectionId')}::int[]) with ordinality as w(contact_id, connection_id, n)
      join contact c on c.id = w.contact_id join connection k on k.id = w.connection_id`.execute(db)
  const found = new Map(rows.map(({ n, ...one }) => [n, one]))
  return list.map((_, i) => found.get(i + 1))
})

/**
 * What a contact is told about their data, as it stands today; null: nothing. What the connection says goes before what the company says
 * (A-LGPD-02). `again`: what follows an answer that is none; `accepted`: they have accepted it.
 */
export async function consentOf(
  db: Kysely<Database>,
  { companyId, ...who }: Asked & { companyId: number },
): Promise<{ consent: Consent; text: string; again: string; accepted: boolean } | null> {
  const settings = await settingsOf(db, companyId)
  if (!on(settings, 'enableLGPD')) return null
  const own = await ownOf(db, { contactId: who.contactId, connectionId: who.connectionId })
  if (!own) return null
  const asks = on(settings, 'lgpdConsent')
  const [message, link] = [own.lgpdMessage?.trim() || settings.lgpdMessage, own.lgpdLink?.trim() || settings.lgpdLink]
  const language = customerLanguageOf(settings)
  const text = consentText(message, link, asks, language)
  if (text === null) return null
  const again = `${text}\n\n${textIn(language, 'oneOrTwo')}`
  return { text, again, consent: { asks, text: createHash('sha256').update(text).digest('hex') }, accepted: own.lgpdAcceptedAt !== null }
}
