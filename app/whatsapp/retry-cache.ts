import type { Contact, WASocket } from '@whiskeysockets/baileys'
import type { Connection, Identity } from '../channels/channel.ts'
import type { AppContext } from '../context.ts'
import { calledHere, resolveContact } from '../inbound/contact-resolver.ts'
import type { Account } from './account.ts'
import type { Memory } from './memory.ts'
import { idsOf } from './parse-inbound.ts'

type At = { now: Connection; account: Account; memory: Memory; db: AppContext['db'] }

/** What people are called who do not say it themselves, by whoever knows. */
export function calling({ now, account, memory: { groups, names }, db }: At) {
  /** As they are called here, by the phone of the account or by the group they are in; null: nobody says. */
  async function calledOf(ids: Identity[], chat: string): Promise<string | null> {
    const { me } = account.creds()
    const among = (jids: (string | null | undefined)[]) => idsOf(jids).some((one) => ids.some(({ id }) => id === one.id))
    if (among([me?.id, me?.lid]) && me?.name) return me.name
    const one = groups.get(chat)?.participants.find(({ id, lid, phoneNumber }) => among([id, lid, phoneNumber]))
    const all = [...ids, ...idsOf([one?.phoneNumber])]
    return (await calledHere(now, all, db)) ?? all.map(({ id }) => names.get(id)).find(Boolean) ?? one?.name ?? one?.notify ?? null
  }
  /** The same, or their number. */
  async function nameOf(ids: Identity[], chat: string): Promise<string | null> {
    const one = groups.get(chat)?.participants.find(({ id, lid }) => idsOf([id, lid]).some((its) => ids.some(({ id }) => id === its.id)))
    const numbers = [...ids, ...idsOf([one?.phoneNumber])].filter(({ kind }) => kind === 'phone')
    return (await calledOf(ids, chat)) ?? numbers[0]?.id ?? null
  }

  /** What the phone calls them, or they as a business: that is whose contact had only a number, and who writes without a name later. */
  function learn(ev: WASocket['ev'], warn: (error: unknown, what: string) => void): void {
    const learnContact = ({ id, lid, phoneNumber, name, verifiedName }: Partial<Contact>) => {
      const called = name || verifiedName
      const ids = idsOf([id, lid, phoneNumber]).filter(
        ({ kind }, i, all) => kind !== 'group' && all.findIndex((one) => one.kind === kind) === i,
      )
      if (!called || ids.length === 0) return
      for (const one of ids) names.set(one.id, called)
      void resolveContact(now, { ids, name: called, group: false }, false, db).catch((error) =>
        warn(error, 'what a contact is called was not kept'),
      )
    }
    ev.on('contacts.upsert', (list) => list.forEach(learnContact))
    ev.on('contacts.update', (list) => list.forEach(learnContact))
  }
  return { calledOf, nameOf, learn }
}
