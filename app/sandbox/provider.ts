import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '#projections/database.ts'
import { type Channel, Later, Refused, type Target } from '../channels/channel.ts'
import { awaken, type Entry, takeDown } from '../channels/journal.ts'

type Fault = {
  loseAnswers: boolean
  delayMs: number
  laterMs: number | null
  failCode: string | null
  afterwards: boolean
  duplicate: boolean
}

/** A provider of our own with phones in a table: it accepts, delivers, marks, fails and loses answers like a real one, on real paths. */
export function sandboxProvider(db: Kysely<Database>): Channel {
  /** One of the faults that were ordered is used up by each send. */
  async function fault(connectionId: number): Promise<Fault | undefined> {
    return db
      .updateTable('sandboxFault')
      .set({ remaining: sql`remaining - 1` })
      .where('connectionId', '=', connectionId)
      .where('remaining', '>', 0)
      .returning(['loseAnswers', 'delayMs', 'laterMs', 'failCode', 'afterwards', 'duplicate'])
      .executeTakeFirst()
  }
  const change = ({ connectionId }: Target, externalId: string, set: object) =>
    db.updateTable('sandboxMessage').set(set).where('connectionId', '=', connectionId).where('id', '=', externalId).execute()

  return {
    sameIdIsSafe: true,

    async send(to, externalId, { kind, body, media, vCard, quotedExternalId }) {
      const planned = await fault(to.connectionId)
      if (planned?.delayMs) await sleep(planned.delayMs)
      if (planned?.laterMs != null) throw new Later('TOO_FAST', planned.laterMs)
      if (planned?.failCode && planned.afterwards) {
        await takeDown(db, [notDelivered(to, externalId, planned.failCode)])
        awaken(db, to.connectionId)
        return null
      }
      if (planned?.failCode) throw new Refused(planned.failCode)
      await db.transaction().execute(async (tx) => {
        const arrived = await tx
          .insertInto('sandboxMessage')
          .values({
            ...{ companyId: to.companyId, connectionId: to.connectionId, id: externalId, phone: to.number, fromPhone: false, author: null },
            ...{
              kind,
              body: vCard ?? body,
              media: media && JSON.stringify(media),
              quotedId: quotedExternalId,
              ours: null,
              theirs: null,
              mark: 'delivered',
            },
          })
          .onConflict((row) => row.doNothing()) // the same id again reaches the phone once
          .returning('n')
          .executeTakeFirst()
        if (arrived)
          await takeDown(tx, [
            marked(to, externalId, 'delivered'),
            ...(planned?.duplicate ? [{ ...marked(to, externalId, 'delivered'), externalId: `${externalId}:delivered:again` }] : []),
          ])
      })
      awaken(db, to.connectionId)
      if (planned?.loseAnswers) throw new Error('the answer was lost')
      return null
    },

    react: async (to, externalId, emoji) => void (await change(to, externalId, { ours: emoji || null })),
    remove: async (to, externalId) => void (await change(to, externalId, { removed: true, body: '', media: null })),
    edit: async (to, externalId, body) => void (await change(to, externalId, { body, edited: true })),
    rejectCall: async (to, externalId) => void (await change(to, externalId, { mark: 'rejected' })),
    async read(to, externalIds) {
      if (externalIds.length === 0) return
      await db
        .updateTable('sandboxMessage')
        .set({ mark: 'read' })
        .where('connectionId', '=', to.connectionId)
        .where('fromPhone', '=', true)
        .where('id', 'in', externalIds)
        .execute()
    },
  }
}

type Where = Pick<Target, 'companyId' | 'connectionId' | 'number'>
const told = ({ companyId, connectionId, number }: Where, externalId: string, heard: Entry['heard']): Entry => ({
  ...{ companyId, connectionId, externalId, conversation: number, heard },
})
export const marked = (to: Where, externalId: string, mark: 'delivered' | 'read' | 'played'): Entry =>
  told(to, `${externalId}:${mark}`, { type: 'mark', externalIds: [externalId], mark })
const notDelivered = (to: Where, externalId: string, code: string): Entry =>
  told(to, `${externalId}:failed`, { type: 'failed', externalIds: [externalId], code })
