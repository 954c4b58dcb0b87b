import type { Contact, WASocket } from '@whiskeysockets/baileys'
import type { Connection, Identity } from '../channels/channel.ts'
import { type ContactStore, calledHere, resolveContact } from '../inbound/contact-resolver.ts'
import type { Account } from './account.ts'
import type { Memory } from './memory.ts'
import { idsOf } from './parse-inbound.ts'

type At = { now: Connection; account: Account; memory: Memory; store: ContactStore }

/** Finds the names of people who publish none. */
export function calling({ now: connection, account, memory: { groups, names }, store }: At) {
  /** Returns the name from our contacts, the account's address book or the group. Null: no source has a name. */
  async function calledOf(ids: Identity[], chat: string): Promise<string | null> {
    const { me } = account.creds()
    const among = (jids: (string | null | undefined)[]) => idsOf(jids).some((one) => ids.some(({ id }) => id === one.id))
    if (among([me?.id, me?.lid]) && me?.name) return me.name
    const one = groups.get(chat)?.participants.find(({ id, lid, phoneNumber }) => among([id, lid, phoneNumber]))
    const all = [...ids, ...idsOf([one?.phoneNumber])]
    return (
      (await calledHere(connection, all, store)) ?? all.map(({ id }) => names.get(id)).find(Boolean) ?? one?.name ?? one?.notify ?? null
    )
  }
  /** Returns the same name, or else the phone number. */
  async function nameOf(ids: Identity[], chat: string): Promise<string | null> {
    const one = groups.get(chat)?.participants.find(({ id, lid }) => idsOf([id, lid]).some((its) => ids.some(({ id }) => id === its.id)))
    const numbers = [...ids, ...idsOf([one?.phoneNumber])].filter(({ kind }) => kind === 'phone')
    return (await calledOf(ids, chat)) ?? numbers[0]?.id ?? null
  }

  /** Learns names from the address book and of businesses. Nameless contacts get them, and later messages without a name. */
  function learn(ev: WASocket['ev'], warn: (error: unknown, what: string) => void): void {
    const learnContact = ({ id, lid, phoneNumber, name, verifiedName }: Partial<Contact>) => {
      const called = name || verifiedName
      const ids = idsOf([id, lid, phoneNumber]).filter(
        ({ kind }, i, all) => kind !== 'group' && all.findIndex((one) => one.kind === kind) === i,
      )
      if (!called || ids.length === 0) return
      for (const one of ids) names.set(one.id, called)
      void resolveContact(connection, { ids, name: called, group: false }, false, store).catch((error) =>
        warn(error, 'Contact name could not be stored'),
      )
    }
    ev.on('contacts.upsert', (list) => list.forEach(learnContact))
    ev.on('contacts.update', (list) => list.forEach(learnContact))
  }
  return { calledOf, nameOf, learn }
}
