import type { Static } from 'typebox'
import * as Type from 'typebox'
import { acting, signedIn, type Viewer } from '#domain/access.ts'
import { del, fileShown, get, Id, Name, Nullable, post, put, resource, Text, version, Written } from '#domain/contract.ts'
import type { Case } from '#domain/errors.ts'
import { searchable } from '#domain/text/rules.ts'
import { topic } from '#domain/topic.ts'

/** A text with a shortcode. `geral`: anyone may edit it; `visao`: others may see it (A-QUICK-01). */
export const quickReply = resource('/quick-messages', {
  list: 'records',
  table: 'quickMessage',
  one: 'a quick reply',
  missing: 'ERR_NO_QUICK_MESSAGE_FOUND',
  fields: {
    /** Stored without the slash that lists show before it. */
    shortcode: Name(50),
    message: Written(10_000),
    geral: Type.Boolean({ default: false }),
    visao: Type.Boolean({ default: false }),
    /** Whether it is offered in the composer. */
    status: Type.Boolean({ default: true }),
    userId: Nullable(Id),
  },
  readOnly: fileShown,
  file: true,
  search: ['shortcode', 'message'],
  read: signedIn,
  write: acting,
})
export type QuickReplyRow = Static<typeof quickReply.Row>

export const quickReplies = {
  ...quickReply.calls,
  create: { ...quickReply.calls.create, upload: true as const, errors: ['ERR_SHORTCODE_SPACES'] as Case[] },
  update: put('/quick-messages/:id', {
    may: acting,
    summary:
      'Changes a quick reply; omitted fields stay. An uploaded file replaces its file; `removeFile` removes it. Refused if `version` is outdated.',
    body: Type.Object(
      { ...quickReply.Change.properties, version: Type.Optional(version), removeFile: Type.Optional(Type.Boolean()) },
      { additionalProperties: false },
    ),
    answer: quickReply.Row,
    idempotent: true,
    upload: true,
    errors: ['ERR_ROW_CHANGED', 'ERR_SHORTCODE_SPACES'],
  }),
  attach: post('/quick-messages/:id/media-upload', {
    may: acting,
    summary: 'Uploads the file of a quick reply and replaces the previous one.',
    body: Type.Object({ typeArch: Type.Optional(Text(50)) }, { additionalProperties: false }),
    answer: quickReply.Row,
    idempotent: true,
    upload: true,
  }),
  detach: del('/quick-messages/:id/media-upload', { may: acting, summary: 'Removes the file of a quick reply.', idempotent: true }),
  choices: get('/quick-messages/list', {
    may: signedIn,
    summary: 'Lists the active quick replies that the caller may see.',
    query: Type.Object({ companyId: Type.Optional(Id), userId: Type.Optional(Id) }),
    answer: Type.Array(quickReply.Row),
  }),
}

/** The shortcode as it is stored, without a typed slash. */
export const bareShortcode = (typed: string): string => typed.trim().replace(/^[/\s]+/, '')

/** Whether the shortcode has no space, because typing after a slash ends at the first space (R-QUICK-01). */
export const isOneWord = (shortcode: string): boolean => !/\s/.test(bareShortcode(shortcode))

/** Whether two shortcodes look the same to a reader. */
export const sameShortcode = (a: string, b: string): boolean => {
  const read = (typed: string) => searchable(bareShortcode(typed)).replace(/\s+/g, ' ')
  return read(a) === read(b)
}

type Owned = Pick<QuickReplyRow, 'geral' | 'visao' | 'userId'>
export const seesReply = (viewer: Viewer, { geral, visao, userId }: Owned): boolean => geral || visao || userId === viewer.id
/** Published as `company-<id>-quickmessage`. */
export const quickReplyTopic = topic<QuickReplyRow>('quickmessage', quickReply.topic.field, seesReply)
export const mayEditReply = (viewer: Viewer, { geral, userId }: Owned): boolean => geral || userId === viewer.id
