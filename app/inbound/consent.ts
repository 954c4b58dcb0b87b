import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { customerLanguageOf, on } from '#domain/setting/contract.ts'
import { type Consent, consentText } from '#domain/ticket/consent.ts'
import { createStoreBatchLoader } from '#projections/batch-loader.ts'
import { joinShown } from '#projections/contact/person.ts'
import type { Database } from '#projections/database.ts'
import { settingsOf } from '../setting/read.ts'

type ConsentKey = { contactId: number; connectionId: number }
type ConsentRow = { lgpdMessage: string | null; lgpdLink: string | null; lgpdAcceptedAt: string | null }
const consentRowOf = createStoreBatchLoader(async (db: Kysely<Database>, list: ConsentKey[]): Promise<(ConsentRow | undefined)[]> => {
  const column = (name: keyof ConsentKey) => list.map((one) => one[name])
  const { rows } = await sql<ConsentRow & { n: number }>`
    select w.n::int, k.lgpd_message, k.lgpd_link, c.lgpd_accepted_at
    from unnest(${column('contactId')}::int[], ${column('connectionId')}::int[]) with ordinality as w(contact_id, connection_id, n)
      ${joinShown(sql`w.contact_id`)} join connection k on k.id = w.connection_id`.execute(db)
  const found = new Map(rows.map(({ n, ...one }) => [n, one]))
  return list.map((_, i) => found.get(i + 1))
})

/**
 * Returns the current privacy notice for a contact, or null if there is none. The connection's texts take precedence over the company's
 * (A-LGPD-02). `again`: the text that follows an invalid answer. `accepted`: the contact has accepted the notice.
 */
export async function consentOf(
  db: Kysely<Database>,
  { companyId, ...who }: ConsentKey & { companyId: number },
): Promise<{ consent: Consent; text: string; again: string; accepted: boolean } | null> {
  const settings = await settingsOf(db, companyId)
  if (!on(settings, 'enableLGPD')) return null
  const row = await consentRowOf(db, { contactId: who.contactId, connectionId: who.connectionId })
  if (!row) return null
  const asks = on(settings, 'lgpdConsent')
  const [message, link] = [row.lgpdMessage?.trim() || settings.lgpdMessage, row.lgpdLink?.trim() || settings.lgpdLink]
  const language = customerLanguageOf(settings)
  const text = consentText(message, link, asks, language)
  if (text === null) return null
  const again = `${text}\n\n${settings.lgpdUnclearMessage}`.trim()
  return { text, again, consent: { asks, text: createHash('sha256').update(text).digest('hex') }, accepted: row.lgpdAcceptedAt !== null }
}
