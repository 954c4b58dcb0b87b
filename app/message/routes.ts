import type { Viewer } from '#domain/access.ts'
import { channels } from '#domain/channel/channels.ts'
import { maskMessage } from '#domain/contact/mask.ts'
import { ids } from '#domain/contract.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import { everyText } from '#domain/interactive/rules.ts'
import type { MessageRow, messages } from '#domain/message/contract.ts'
import { signed } from '#domain/message/rules.ts'
import { on } from '#domain/setting/contract.ts'
import { mayAnswer } from '#domain/ticket/conversation.ts'
import type { TicketCommand } from '#domain/ticket/decide.ts'
import type { Content } from '#domain/ticket/events.ts'
import { failedMessages } from '#projections/message/failed.ts'
import { canReadTicket, countMessages, listMessages, listMessagesFrom, messagesById, searchThread } from '#projections/message/read.ts'
import { type TicketSummary, ticketSummary } from '#projections/ticket/read.ts'
import { countNumber } from '../contact/number-questions.ts'
import type { Handlers, UploadGuard } from '../http/serve.ts'
import { idOnItsWay } from '../outbound/outbox.ts'
import { waitUntilVisible } from '../projection/wait-for-projection.ts'
import { recordSecurity } from '../security/log.ts'
import { settingsOf } from '../setting/read.ts'
import type { MediaStore, StoredFile } from '../storage/media.ts'
import { recordAccess } from '../ticket/access.ts'
import type { Deps as TicketDeps } from '../ticket/execute.ts'
import { findVisibleTicket, isAdmin, toCommandMetadata } from '../ticket/visibility.ts'
import { type Checking, checkDelivery } from './check.ts'
import { forwardToContact } from './forward.ts'
import { fillForTicket, forwardFiller } from './placeholders.ts'
import { clientIdOf, executeSend } from './send.ts'

export type Deps = TicketDeps & { media: MediaStore } & Checking
type Sending = Parameters<typeof executeSend> extends [unknown, ...infer Rest] ? Rest : never

export const messageRoutes = (deps: Deps): Handlers<typeof messages> => {
  const parts = createParts(deps)
  return { ...readRoutes(deps, parts), ...sendRoutes(deps, parts), ...changeRoutes(deps, parts), ...resendRoutes(deps, parts) }
}

type Parts = ReturnType<typeof createParts>
function createParts(deps: Deps) {
  const { db, execute, waitForProjection, media } = deps
  const url = media.url
  const byIds = (ids: number[]) => messagesById(db, ids, url)
  const maskRows = (viewer: Viewer, rows: MessageRow[]) => (viewer.masked ? rows.map(maskMessage) : rows)

  /** Returns a visible ticket whose messages are shown. Records an access event if another agent serves it. */
  async function read(viewer: Viewer, ticketId: number, commandId: string): Promise<TicketSummary> {
    const ticket = await findVisibleTicket(db, viewer, ticketId)
    if (ticket.userId !== viewer.id) await recordAccess(execute, viewer, ticket.id, 'peek', commandId)
    return ticket
  }

  const send = (...[viewer, ticketId, content, options, commandId]: Sending) =>
    executeSend(deps, viewer, ticketId, content, options, commandId)

  /** Internal messages are never signed (A-MSG-01). */
  async function withSignature(viewer: Viewer, ticket: TicketSummary, body: string, wanted: boolean): Promise<string> {
    if (!wanted || body.trim() === '' || !on(await settingsOf(db, viewer.companyId), 'sendSignMessage')) return body
    return signed(viewer.name, ticket.channel, body)
  }

  /** Returns a message of a visible ticket, and the ticket. */
  async function findMessage(viewer: Viewer, id: number): Promise<{ message: MessageRow; ticket: TicketSummary }> {
    const [message] = await byIds([id])
    if (!message || message.companyId !== viewer.companyId) refuse('ERR_FETCH_WAPP_MSG')
    return { message, ticket: await findVisibleTicket(db, viewer, message.ticketId) }
  }
  /**
   * Returns a message that the viewer sees in a conversation, and its ticket, which may be an earlier one
   * (A-VIS-02).
   */
  async function visibleMessage(viewer: Viewer, id: number): Promise<{ message: MessageRow; ticket: TicketSummary }> {
    const [message] = await byIds([id])
    const ticket = message && (await ticketSummary(db, viewer.companyId, message.ticketId))
    if (!message || !ticket) refuse('ERR_FETCH_WAPP_MSG')
    return (await canReadTicket(db, viewer, ticket.id)) ? { message, ticket } : refuse('ERR_NO_TICKET_FOUND')
  }
  async function change(
    viewer: Viewer,
    id: number,
    command: (message: MessageRow) => TicketCommand,
    commandId: string,
  ): Promise<MessageRow> {
    const { message } = await findMessage(viewer, id)
    await waitUntilVisible(
      waitForProjection,
      await execute(message.ticketId, { ...command(message), ...toCommandMetadata(viewer) }, commandId),
      [id],
    )
    return maskRows(viewer, await byIds([id]))[0] ?? refuse('ERR_FETCH_WAPP_MSG')
  }
  return { url, byIds, maskRows, read, send, withSignature, findMessage, visibleMessage, change }
}

const readRoutes = ({ db, execute }: Deps, { url, maskRows, read }: Parts) =>
  ({
    failed: ({ viewer }) => failedMessages(db, viewer),
    async dismiss({ viewer, params }) {
      const { companyId, id: userId } = viewer
      const [message] = (await failedMessages(db, viewer, params.id)).messages
      const row = { companyId, userId, messageId: message?.id ?? refuse('ERR_FETCH_WAPP_MSG') }
      const once = db.insertInto('failureDismissal').values(row)
      await once.onConflict((known) => known.doNothing()).execute()
    },

    async list({ viewer, params, query, commandId }) {
      const { pageNumber, beforeId, sinceId } = query
      if ([pageNumber, beforeId, sinceId].filter((one) => one !== undefined).length > 1)
        refuse('ERR_INVALID_INPUT', { field: sinceId === undefined ? 'beforeId' : 'sinceId' })
      const { id } = await read(viewer, params.ticketId, commandId)
      const part = { ticketId: id, queueIds: ids(query.selectedQueues) }
      const cursorId = beforeId ?? sinceId
      const { messages, hasMore } =
        cursorId === undefined
          ? await listMessages(db, viewer, { ...part, pageNumber: pageNumber ?? 1 }, url)
          : ((await listMessagesFrom(db, viewer, { ...part, cursorId, direction: beforeId ? 'older' : 'newer' }, url)) ??
            refuse('ERR_FETCH_WAPP_MSG'))
      return { messages: maskRows(viewer, messages), hasMore }
    },

    async search({ viewer, params, query: { searchParam, pageNumber = 1 }, commandId, wire }) {
      countNumber(viewer, searchParam, wire)
      const search = searchParam.trim()
      if (search === '') refuse('ERR_INVALID_INPUT', { field: 'searchParam' })
      const { id } = await read(viewer, params.ticketId, commandId)
      return searchThread(db, viewer, id, search, pageNumber)
    },

    async print({ viewer, params, commandId, wire }) {
      const { id, uuid } = await findVisibleTicket(db, viewer, params.ticketId)
      await recordAccess(execute, viewer, id, 'print', commandId)
      const event = { companyId: viewer.companyId, userId: viewer.id, address: wire.ip }
      await recordSecurity(db, { ...event, kind: 'exported', detail: { ticket: uuid, format: 'pdf' } })
      return countMessages(db, viewer, id)
    },
  }) satisfies Partial<Handlers<typeof messages>>

const sendRoutes = ({ db, media, waitForProjection }: Deps, { byIds, maskRows, send, withSignature }: Parts) =>
  ({
    async send({ viewer, params, body, files, commandId }) {
      const ticket = await findVisibleTicket(db, viewer, params.ticketId)
      const hidden = body.isPrivate === true
      const written = hidden ? (body.body ?? '') : await fillForTicket(db, viewer, ticket, body.body ?? '')
      const text = await withSignature(viewer, ticket, written, body.signMessage === true && !hidden)
      const options = { private: hidden, forwarded: false, seen: body.seen ?? null, anyway: body.anyway === true }
      const base = { vCard: body.vCard ?? null, quotedId: body.quotedMsg?.id ?? null }
      if (files.length === 0) {
        const kind = base.vCard ? 'contactMessage' : 'chat'
        const { messageId, result } = await send(viewer, ticket.id, { ...base, kind, body: text, media: null }, options, commandId)
        await waitUntilVisible(waitForProjection, result, [messageId])
        const messages = await byIds([messageId])
        /* With a variable the text may differ, because the contact was renamed. */
        const isOf = (row: MessageRow) => row.isEdited || row.isDeleted || row.body.endsWith(written) || body.body?.includes('{')
        // an answer would claim that this text was sent
        if (result.events.length === 0 && !messages.every(isOf)) refuse('ERR_COMMAND_REUSED')
        return { messages: maskRows(viewer, messages) }
      }
      const stored: StoredFile[] = []
      const sent: Awaited<ReturnType<typeof send>>[] = []
      try {
        // checks all files before it sends any
        for (const file of files) stored.push(await media.store(viewer.companyId, file, { ticketId: ticket.id }))
        const captioned = stored.findIndex(({ kind }) => kind !== 'audio') // an audio message shows no text, so the text follows it
        for (const [i, one] of stored.entries()) {
          const file = { kind: one.kind, media: one.media, vCard: null }
          const content = { ...file, quotedId: i === 0 ? base.quotedId : null, body: i === captioned ? text : '' }
          sent.push(await send(viewer, ticket.id, content, { ...options, anyway: options.anyway || i > 0 }, `${commandId}-${i}`))
          await media.settle(uploadHoldOf(viewer, one))
        }
        if (captioned < 0 && text.trim() !== '') {
          const content = { kind: 'chat' as const, media: null, vCard: null, quotedId: null, body: text }
          sent.push(await send(viewer, ticket.id, content, { ...options, anyway: true }, `${commandId}-words`))
        }
      } catch (error) {
        /** After any other failure the outcome is unknown, so the sweep reads the event store. */
        const unsent = error instanceof Refusal && error.status < 500 ? stored.slice(sent.length) : stored.slice(sent.length + 1)
        for (const one of unsent) await media.release(uploadHoldOf(viewer, one))
        throw error
      }
      const all = sent.map(({ messageId }) => messageId)
      await waitUntilVisible(waitForProjection, sent.at(-1)!.result, all)
      return { messages: maskRows(viewer, await byIds(all)) }
    },
  }) satisfies Partial<Handlers<typeof messages>>

const changeRoutes = ({ db }: Deps, { change, findMessage }: Parts) => {
  const edit: Handlers<typeof messages>['edit'] = async ({ viewer, params, body: { body }, commandId }) => {
    const { message, ticket } = await findMessage(viewer, params.id)
    const text = message.isPrivate ? body : await fillForTicket(db, viewer, ticket, body)
    return change(viewer, params.id, ({ id }) => ({ type: 'Edit', messageId: id, body: text, admin: isAdmin(viewer) }), commandId)
  }

  return {
    edit,
    change: edit,
    remove: ({ viewer, params, commandId }) =>
      change(viewer, params.id, ({ id }) => ({ type: 'Remove', messageId: id, admin: isAdmin(viewer) }), commandId),
    react: ({ viewer, params, body, commandId }) =>
      change(viewer, params.id, ({ id }) => ({ type: 'React', messageId: id, emoji: body.type, admin: isAdmin(viewer) }), commandId),
  } satisfies Partial<Handlers<typeof messages>>
}

const resendRoutes = (deps: Deps, { byIds, maskRows, send, withSignature, findMessage, visibleMessage }: Parts) => {
  const { db, waitForProjection } = deps
  return {
    /** Sends an undelivered message again as a new message. It uses the stored file and keeps the quote. */
    async again({ viewer, params, commandId }) {
      const { message, ticket } = await findMessage(viewer, params.id)
      if (!message.fromMe || (message.failed === null && !message.uncertain)) refuse('ERR_FETCH_WAPP_MSG')
      const { template, interactive, ...content } = { ...(await contentOf(db, message)), quotedId: message.quotedMsg?.id ?? null }
      // the same provider id stops a second delivery
      const externalId = message.uncertain && channels[ticket.channel].once ? await idOnItsWay(db, message.id) : undefined
      const options = { private: false, forwarded: message.isForwarded, seen: null, anyway: true, again: message.id, externalId }
      const as = { ...(template && { template }), ...(interactive && { interactive }) }
      const { messageId, result } = await send(viewer, ticket.id, content, { ...options, ...as }, commandId)
      await waitUntilVisible(waitForProjection, result, [messageId])
      return maskRows(viewer, await byIds([messageId]))[0] ?? refuse('ERR_CREATING_MESSAGE')
    },

    check: async ({ viewer, params }) => checkDelivery(await findMessage(viewer, params.id), deps),

    async forward({ viewer, body, commandId }) {
      const { message, ticket: source } = await visibleMessage(viewer, body.messageId)
      if (message.isDeleted || message.isPrivate) refuse('ERR_FETCH_WAPP_MSG')
      const { template: _, interactive, ...kept } = await contentOf(db, message) // sends only the text, without the template
      const rest = wholeOf(kept)
      const fill = message.fromMe ? await forwardFiller(db, viewer, source) : (text: string) => text
      const text = rest.body === '' ? '' : await withSignature(viewer, source, fill(rest.body), body.signMessage === true)
      const content = { ...rest, body: text, quotedId: null }
      const options = {
        private: false,
        forwarded: true,
        seen: null,
        anyway: true,
        aside: true,
        ...(interactive && { interactive: everyText(interactive, fill) }),
      } as const
      const put = (ticketId: number) => send(viewer, ticketId, content, options, commandId)
      const { result } = await forwardToContact(viewer, body.contactId, source, body.queueId ?? null, put, commandId, deps)
      await waitForProjection(result.position) // the message was sent, even if the read models lag
      return { sent: true as const }
    },
  } satisfies Partial<Handlers<typeof messages>>
}

const uploadHoldOf = ({ companyId }: Viewer, { hold, media: { key } }: StoredFile) => ({ id: hold, companyId, key })

/**
 * Checks before a file is read: the ticket is visible, the viewer may answer it, and the quota has room. A
 * note is allowed to every viewer of the ticket. A repeated call only returns its earlier answer.
 */
export const beforeUpload = ({ db, load, media }: Deps): UploadGuard<typeof messages> => ({
  async send({ viewer, params, commandId }) {
    const { id } = await findVisibleTicket(db, viewer, params.ticketId)
    const clientId = clientIdOf(viewer, id, `${commandId}-0`)
    const ticket = await load(viewer.companyId, id, { ids: [clientId] })
    if (ticket.status === 'absent' || ticket.status === 'deleted') refuse('ERR_NO_TICKET_FOUND')
    if (ticket.usedIds.has(clientId)) return {}
    return {
      room: await media.room(viewer.companyId),
      fields: async ({ isPrivate }) => isPrivate === 'true' || mayAnswer(ticket, toCommandMetadata(viewer).by, isAdmin(viewer)),
    }
  },
})

async function contentOf(db: Deps['db'], { id, mediaType, body, vCard }: MessageRow) {
  const kept = db.selectFrom('message').select(['media', 'template', 'interactive']).where('id', '=', id)
  const { media, template, interactive } = await kept.executeTakeFirstOrThrow()
  return { kind: mediaType as Content['kind'], body, media, vCard, template, interactive }
}
/** Text or contact cards too long for an event are forwarded as the file that holds all of it. */
const wholeOf = <C extends Pick<Content, 'kind' | 'body' | 'media' | 'vCard'>>(content: C): C =>
  content.media && (content.kind === 'chat' || content.kind === 'contactMessage')
    ? { ...content, kind: 'application', body: '', vCard: null }
    : content
