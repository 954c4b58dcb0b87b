import type { Static } from 'typebox'
import * as Type from 'typebox'
import { acting, signedIn } from '#domain/access.ts'
import { get, Moment, post, Text } from '#domain/contract.ts'
import { MessageRow } from '#domain/message/contract.ts'

const Field = Type.Object({
  at: Type.Enum(['header', 'body', 'button']),
  /** Which button, from 0. */
  button: Type.Integer(),
  /** What stands in the braces: a number, or a name. */
  name: Type.String(),
  /** What its author gave as an example. */
  example: Type.String(),
})

/** A text that WhatsApp approved, by which a business may write first: what the customer sees of it, and what is to be filled in. */
export const Template = Type.Object({
  name: Type.String(),
  language: Type.String(),
  /** Only an approved one can be sent; `unknown`: WhatsApp knows more words than we do. */
  status: Type.Enum(['approved', 'pending', 'rejected', 'paused', 'disabled', 'unknown']),
  /** By which WhatsApp counts what it costs. */
  category: Type.Enum(['marketing', 'utility', 'authentication', 'unknown']),
  header: Type.String(),
  /** The file that it begins with; `other`: a place, or what nothing here can give it. */
  media: Type.Enum(['none', 'image', 'video', 'document', 'other']),
  body: Type.String(),
  footer: Type.String(),
  buttons: Type.Array(
    Type.Object({
      kind: Type.Enum(['reply', 'url', 'phone', 'copy', 'otp', 'other']),
      text: Type.String(),
      /** Where it leads, whom it calls. */
      value: Type.String(),
    }),
  ),
  fields: Type.Array(Field),
})
export type Template = Static<typeof Template>

/** Which one, and what stands in its fields. */
const Filled = Type.Object(
  {
    name: Text(512, 1),
    language: Text(20, 1),
    values: Type.Array(Text(1000), { maxItems: 50 }),
  },
  { additionalProperties: false },
)

export const templates = {
  list: get('/templates/:ticketId', {
    may: signedIn,
    says: 'The templates of the account that a ticket’s connection is (WhatsApp Cloud API), as they were known some minutes ago, or with `fresh` now.',
    query: Type.Object({ fresh: Type.Optional(Type.Boolean()) }),
    answer: Type.Object({ templates: Type.Array(Template), at: Moment }),
    refuses: [
      'ERR_CHANNEL_CANNOT',
      'ERR_CHANNEL_TOKEN',
      'ERR_CHANNEL_AWAY',
      'ERR_CHANNEL_FORBIDDEN',
      'ERR_CHANNEL_ACCOUNT',
      'ERR_CHANNEL_LIMITED',
    ],
  }),
  send: post('/templates/:ticketId', {
    follows: true,
    may: acting,
    says: 'Sends a template with its fields filled in, in their order, and with its file where it begins with one, as that of a multipart form; it stands in the conversation as the customer sees it.',
    upload: true,
    body: Type.Object({ template: Filled }, { additionalProperties: false }),
    answer: MessageRow,
    refuses: [
      'ERR_CHANNEL_CANNOT',
      'ERR_TEMPLATE_GONE',
      'ERR_TEMPLATE_MEDIA',
      'ERR_UPLOAD_QUOTA',
      'ERR_TEMPLATE_PAUSED',
      'ERR_TEMPLATE_FIELDS',
      'ERR_CHANNEL_TOKEN',
      'ERR_CHANNEL_AWAY',
    ],
  }),
}
