import type { Viewer } from '#domain/access.ts'
import { veilMessage } from '#domain/contact/veil.ts'
import type { Upload } from '#domain/contract.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import type { interactive } from '#domain/interactive/contract.ts'
import { asText, type Interactive } from '#domain/interactive/rules.ts'
import type { MessageRow } from '#domain/message/contract.ts'
import { mayAnswer } from '#domain/ticket/conversation.ts'
import { messagesById } from '#projections/message/read.ts'
import type { StoredFile } from '../http/media.ts'
import { shown } from '../http/reached.ts'
import type { First, Handlers } from '../http/serve.ts'
import type { Deps } from '../message/routes.ts'
import { clientIdOf, sendInto } from '../message/send.ts'
import { isAdmin, sighted, stamp } from '../ticket/sight.ts'
import { type Fields, read } from './read.ts'

type Guard = { seen?: number; anyway?: boolean }

export const interactiveRoutes = (deps: Deps): Handlers<typeof interactive> => {
  const { db, media, reached } = deps

  async function said(viewer: Viewer, ticketId: number, message: Interactive, file: StoredFile | null, guard: Guard, commandId: string) {
    const body = asText(message)
    const content = { kind: 'interactiveMessage' as const, body, media: file?.media ?? null, vCard: null, quotedId: null }
    const options = { private: false, forwarded: false, seen: guard.seen ?? null, anyway: guard.anyway === true, interactive: message }
    const { messageId, asked } = await sendInto(deps, viewer, ticketId, content, options, commandId)
    await shown(reached, asked, [messageId])
    const messages: MessageRow[] = await messagesById(db, [messageId], media.url)
    if (asked.facts.length === 0 && !messages.every((row) => row.body === body)) refuse('ERR_COMMAND_REUSED')
    return { messages: viewer.masked ? messages.map(veilMessage) : messages }
  }
  const of = async (viewer: Viewer, ticketId: number, fields: Fields, guard: Guard, commandId: string) => {
    const { id } = await sighted(db, viewer, ticketId)
    return said(viewer, id, read(fields), null, guard, commandId)
  }

  return {
    list: ({ viewer, params, body, commandId }) => of(viewer, params.ticketId, { kind: 'list', body }, body, commandId),
    copy: ({ viewer, params, body, commandId }) => of(viewer, params.id, { kind: 'copy', body }, body, commandId),
    call: ({ viewer, params, body, commandId }) => of(viewer, params.id, { kind: 'call', body }, body, commandId),
    pix: ({ viewer, params, body, commandId }) => of(viewer, params.id, { kind: 'pix', body }, body, commandId),

    async url({ viewer, params, body, files, commandId }) {
      const { id } = await sighted(db, viewer, params.id)
      const message = read({ kind: 'url', body })
      const file = await picture(viewer, id, files)
      const held = file && { id: file.hold, companyId: viewer.companyId, key: file.media.key }
      try {
        const answer = await said(viewer, id, message, file, body, commandId)
        if (held) await media.settle(held)
        return answer
      } catch (error) {
        if (held && error instanceof Refusal && error.status < 500) await media.release(held) // of any other failure nobody knows whether it was written
        throw error
      }
    },
  }

  /** At most one, and nothing else: it stands above the words. */
  async function picture({ companyId }: Viewer, ticketId: number, [file, ...more]: Upload[]): Promise<StoredFile | null> {
    if (more.length > 0) refuse('ERR_INVALID_INPUT', { field: 'image' })
    if (!file) return null
    const stored = await media.store(companyId, file, { ticketId })
    if (stored.kind === 'image') return stored
    await media.release({ id: stored.hold, companyId, key: stored.media.key })
    return refuse('ERR_UNSUPPORTED_MEDIA', { field: 'image' })
  }
}

/** As a file of any other message: brought to a ticket that one may answer, by a company that has room for it. */
export const beforePicture = ({ db, see, media }: Deps): First<typeof interactive> => ({
  async url({ viewer, params, commandId }) {
    const { id } = await sighted(db, viewer, params.id!)
    const clientId = clientIdOf(viewer, id, commandId)
    const ticket = await see(viewer.companyId, id, { ids: [clientId] })
    if (ticket.status === 'absent' || ticket.status === 'deleted') refuse('ERR_NO_TICKET_FOUND')
    if (ticket.spent.has(clientId)) return {}
    mayAnswer(ticket, stamp(viewer).by, isAdmin(viewer))
    return { room: await media.room(viewer.companyId) }
  },
})
