import type { Viewer } from '#domain/access.ts'
import { channelOfProduct, channels } from '#domain/channel/channels.ts'
import { maskMessage } from '#domain/contact/mask.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import { type ErrorCode, errors, refuse } from '#domain/errors.ts'
import type { Template, templates } from '#domain/template/contract.ts'
import { begins, faultIn, filledIn, sendable, files as taken } from '#domain/template/rules.ts'
import { messagesById } from '#projections/message/read.ts'
import type { TicketSummary } from '#projections/ticket/read.ts'
import { PermanentChannelError, TransientChannelError } from '../channels/channel.ts'
import type { AppContext } from '../context.ts'
import type { Handlers, UploadGuard } from '../http/serve.ts'
import { megabyte } from '../http/upload-limits.ts'
import { executeSend, uploadLimitsFor, withUploadedFile } from '../message/send.ts'
import { GraphApiError } from '../meta/graph.ts'
import { accountTemplates, asSent } from '../meta/templates.ts'
import { waitUntilVisible } from '../projection/wait-for-projection.ts'
import type { StoredFile } from '../storage/media.ts'
import { findVisibleTicket } from '../ticket/visibility.ts'

type Known = { templates: Template[]; at: string }
const keptMs = 10 * minuteMs
const mostKept = 500

/** WhatsApp’s templates, cached for some minutes, because an agent who chooses one reads them often. */
export const templateRoutes = (deps: AppContext): Handlers<typeof templates> => {
  const { db, clock, waitForProjection, media } = deps
  const kept = new Map<number, Known>()

  async function of({ whatsappId }: TicketSummary, fresh: boolean): Promise<Known> {
    const known = kept.get(whatsappId)
    if (known && !fresh && clock.now() - Date.parse(known.at) < keptMs) return known
    const account = await deps.meta.publicPart(db, whatsappId)
    if (!account || !channels[channelOfProduct(account.product)].window?.templates) refuse('ERR_CHANNEL_CANNOT')
    const found = { templates: (await refuseChannelError(accountTemplates(deps, whatsappId))).toSorted(usable), at: clock.iso() }
    kept.delete(whatsappId)
    kept.set(whatsappId, found)
    if (kept.size > mostKept) kept.delete(kept.keys().next().value!)
    return found
  }

  return {
    list: async ({ viewer, params, query }) => of(await findVisibleTicket(db, viewer, params.ticketId), query.fresh === true),

    async send({ viewer, params, body, files, commandId }) {
      const { name, language, values } = body.template
      const ticket = await findVisibleTicket(db, viewer, params.ticketId)
      const all = (await of(ticket, false)).templates
      const template = all.find((one) => one.name === name && one.language === language) ?? refuse('ERR_TEMPLATE_GONE')
      if (template.status !== 'approved') refuse('ERR_TEMPLATE_PAUSED')
      const file = begins(template)
      if (!sendable(template)) refuse('ERR_TEMPLATE_MEDIA')
      if ((file !== null) !== files.length > 0) refuse('ERR_TEMPLATE_FIELDS', { field: 'file' })
      const fault = faultIn(template, values)
      if (fault !== null) refuse('ERR_TEMPLATE_FIELDS', { field: `values/${fault}` })
      const options = { private: false, forwarded: false, seen: null, anyway: false, template: asSent(template, values) }
      const content = { body: filledIn(template, values), vCard: null, quotedId: null }
      const send = (one: StoredFile | null) =>
        executeSend(deps, viewer, ticket.id, { ...content, kind: one?.kind ?? 'chat', media: one?.media ?? null }, options, commandId)
      const { messageId, result: asked } = await withUploadedFile(viewer, ticket.id, files, (one) => file && fitsIn(file, one), send, deps)
      await waitUntilVisible(waitForProjection, asked, [messageId])
      const [row] = await messagesById(db, [messageId], media.url)
      return maskTemplates(viewer, row ?? refuse('ERR_CREATING_MESSAGE'))
    },
  }
}

const maskTemplates = (viewer: Viewer, row: Parameters<typeof maskMessage>[0]) => (viewer.masked ? maskMessage(row) : row)
function fitsIn(file: keyof typeof taken, { media: { mime, size } }: StoredFile): void {
  const { types, most } = taken[file]
  if (!types.includes(mime)) refuse('ERR_UNSUPPORTED_MEDIA', { field: 'file' })
  if (size > most * megabyte) refuse('ERR_TOO_LARGE', { limit: most })
}
/** The header file of a template. */
export const beforeHeader = (deps: AppContext): UploadGuard<typeof templates> => ({
  send: ({ viewer, params, commandId }) => uploadLimitsFor(viewer, params.ticketId!, commandId, deps),
})
/** Templates that can be sent come first. */
const usable = (a: Template, b: Template) =>
  Number(sendable(b)) - Number(sendable(a)) || a.name.localeCompare(b.name, 'en', { numeric: true }) || a.language.localeCompare(b.language)

/** Turns a channel error into a refusal. */
const refuseChannelError = <T>(act: Promise<T>): Promise<T> =>
  act.catch((error: unknown) => {
    if (error instanceof GraphApiError) refuse('ERR_CHANNEL_AWAY')
    if (!(error instanceof TransientChannelError || error instanceof PermanentChannelError)) throw error
    refuse(error.code in errors ? (error.code as ErrorCode) : 'ERR_CHANNEL_AWAY')
  })
