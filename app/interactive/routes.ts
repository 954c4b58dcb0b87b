import type { Viewer } from '#domain/access.ts'
import { maskMessage } from '#domain/contact/mask.ts'
import { refuse } from '#domain/errors.ts'
import type { interactive } from '#domain/interactive/contract.ts'
import { asText, everyText, type Interactive } from '#domain/interactive/rules.ts'
import type { MessageRow } from '#domain/message/contract.ts'
import { messagesById } from '#projections/message/read.ts'
import type { Handlers, UploadGuard } from '../http/serve.ts'
import { placeholderFiller } from '../message/placeholders.ts'
import type { Deps } from '../message/routes.ts'
import { executeSend, uploadLimitsFor, withUploadedFile } from '../message/send.ts'
import { waitUntilVisible } from '../projection/wait-for-projection.ts'
import type { StoredFile } from '../storage/media.ts'
import { findVisibleTicket } from '../ticket/visibility.ts'
import { type Fields, read } from './read.ts'

type Guard = { seen?: number; anyway?: boolean }

export const interactiveRoutes = (deps: Deps): Handlers<typeof interactive> => {
  const { db, media, waitForProjection } = deps

  type Ticket = { id: number; contactId: number }
  async function send(viewer: Viewer, ticket: Ticket, written: Interactive, file: StoredFile | null, guard: Guard, commandId: string) {
    const message = everyText(written, await placeholderFiller(db, viewer, ticket))
    const body = asText(message)
    const content = { kind: 'interactiveMessage' as const, body, media: file?.media ?? null, vCard: null, quotedId: null }
    const options = { private: false, forwarded: false, seen: guard.seen ?? null, anyway: guard.anyway === true, interactive: message }
    const { messageId, result: asked } = await executeSend(deps, viewer, ticket.id, content, options, commandId)
    await waitUntilVisible(waitForProjection, asked, [messageId])
    const messages: MessageRow[] = await messagesById(db, [messageId], media.url)
    /* With a variable the text may differ, because the contact was renamed. */
    const isOf = (row: MessageRow) => row.body === body || body !== asText(written)
    if (asked.events.length === 0 && !messages.every(isOf)) refuse('ERR_COMMAND_REUSED')
    return { messages: viewer.masked ? messages.map(maskMessage) : messages }
  }
  const of = async (viewer: Viewer, ticketId: number, fields: Fields, guard: Guard, commandId: string) => {
    const ticket = await findVisibleTicket(db, viewer, ticketId)
    return send(viewer, ticket, read(fields), null, guard, commandId)
  }

  return {
    list: ({ viewer, params, body, commandId }) => of(viewer, params.ticketId, { kind: 'list', body }, body, commandId),
    copy: ({ viewer, params, body, commandId }) => of(viewer, params.id, { kind: 'copy', body }, body, commandId),
    call: ({ viewer, params, body, commandId }) => of(viewer, params.id, { kind: 'call', body }, body, commandId),
    pix: ({ viewer, params, body, commandId }) => of(viewer, params.id, { kind: 'pix', body }, body, commandId),

    async url({ viewer, params, body, files, commandId }) {
      const ticket = await findVisibleTicket(db, viewer, params.id)
      const message = read({ kind: 'url', body })
      const fits = ({ kind }: StoredFile) => void (kind === 'image' || refuse('ERR_UNSUPPORTED_MEDIA', { field: 'image' }))
      return withUploadedFile(viewer, ticket.id, files, fits, (picture) => send(viewer, ticket, message, picture, body, commandId), deps)
    },
  }
}

/** The picture above the text. */
export const beforePicture = (deps: Deps): UploadGuard<typeof interactive> => ({
  url: ({ viewer, params, commandId }) =>
    uploadLimitsFor(viewer, params.id || refuse('ERR_INVALID_INPUT/ticket', { field: 'id' }), commandId, deps),
})
