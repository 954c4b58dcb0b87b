import { type GroupMetadata, jidDecode, type WASocket } from '@whiskeysockets/baileys'
import type { Connection } from '#app/channels/channel.ts'
import type { AppContext } from '#app/context.ts'
import { groupsAre } from '#app/inbound/contact-names.ts'
import type { Memory } from './memory.ts'

type Deps = { connection: Connection; memory: Pick<Memory, 'groups'>; ctx: AppContext; warn: (error: unknown, message: string) => void }

/** Keeps the groups of an account with their participants, and stores their names. */
export function createGroupCache({ connection, memory: { groups }, ctx, warn }: Deps) {
  /** `renamed`: the subject changed just now. */
  async function store(list: GroupMetadata[], renamed = false): Promise<void> {
    for (const one of list) groups.set(one.id, one)
    const since = (at = 0) => (renamed ? ctx.clock.now() / 1000 : at)
    const subjects = list.map(({ id, subject, subjectTime }) => ({ id: jidDecode(id)!.user, subject, since: since(subjectTime) }))
    await groupsAre(connection, subjects, ctx).catch((error) => warn(error, 'Group names could not be stored'))
  }
  function reload(sock: WASocket, jid: string | undefined, renamed = false): void {
    if (jid)
      void sock.groupMetadata(jid).then(
        (one) => store([one], renamed),
        () => groups.delete(jid),
      )
  }
  return {
    subjectOf: (jid: string): string => groups.get(jid)?.subject ?? '',
    /** Loads a group once, because otherwise each message to the group requests it again. */
    async metadataOf(jid: string, sock: WASocket): Promise<GroupMetadata | undefined> {
      const known = groups.get(jid)
      if (known) return known
      await store([await sock.groupMetadata(jid)])
      return groups.get(jid)
    },
    loadAll(sock: WASocket): void {
      void sock.groupFetchAllParticipating().then(
        (all) => store(Object.values(all)),
        (error) => warn(error, 'Group list could not be loaded'),
      )
    },
    /** Follows changes of groups and of their participants. */
    follow(sock: WASocket): void {
      sock.ev.on('groups.upsert', (list) => void store(list))
      sock.ev.on('groups.update', (list) => {
        for (const { id, subject } of list) reload(sock, id, subject !== undefined)
      })
      sock.ev.on('group-participants.update', ({ id }) => reload(sock, id))
    },
  }
}
