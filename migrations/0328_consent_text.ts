import { type Kysely, sql } from 'kysely'

/** Which text a contact accepted, as the sha256 of it, beside when. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table contact add column lgpd_text text`.execute(db)
  await sql`
    update contact c set lgpd_text = (
      select substring(l.note from 8) from ticket t join ticket_log l on l.ticket_id = t.id
      where t.contact_id = c.id and l.type in ('consentGiven', 'consentTold') and l.note like 'sha256:%'
      order by abs(extract(epoch from l.created_at - c.lgpd_accepted_at)) limit 1)
    where c.lgpd_accepted_at is not null`.execute(db)
}
