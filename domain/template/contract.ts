import type { Static } from 'typebox'
import * as Type from 'typebox'
import { acting, signedIn } from '#domain/access.ts'
import { get, Moment, post, Text } from '#domain/contract.ts'
import { MessageRow } from '#domain/message/contract.ts'

const Field = Type.Object({
  at: Type.Enum(['header', 'body', 'button']),
  /** The index of the button, from 0. */
  button: Type.Integer(),
  /** The placeholder in the braces: a number or a name. */
  name: Type.String(),
  /** The example of the template's author. */
  example: Type.String(),
})

/** A text approved by WhatsApp with which a business may start a conversation, with its placeholders. */
export const Template = Type.Object({
  name: Type.String(),
  language: Type.String(),
  /** Only an approved template can be sent; `unknown`: a status that we do not know. */
  status: Type.Enum(['approved', 'pending', 'rejected', 'paused', 'disabled', 'unknown']),
  /** The category that decides WhatsApp's price. */
  category: Type.Enum(['marketing', 'utility', 'authentication', 'unknown']),
  header: Type.String(),
  /** The kind of file in the header; `other`: a location or another unsupported kind. */
  media: Type.Enum(['none', 'image', 'video', 'document', 'other']),
  body: Type.String(),
  footer: Type.String(),
  buttons: Type.Array(
    Type.Object({
      kind: Type.Enum(['reply', 'url', 'phone', 'copy', 'otp', 'other']),
      text: Type.String(),
      /** The URL or the phone number. */
      value: Type.String(),
    }),
  ),
  fields: Type.Array(Field),
})
export type Template = Static<typeof Template>

/** The chosen template with the values of its fields. */
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
    summary:
      'Lists the templates of the account of a ticket’s connection (WhatsApp Cloud API), from a cache of some minutes, or with `fresh` from WhatsApp.',
    query: Type.Object({ fresh: Type.Optional(Type.Boolean()) }),
    answer: Type.Object({ templates: Type.Array(Template), at: Moment }),
    errors: [
      'ERR_CHANNEL_CANNOT',
      'ERR_CHANNEL_TOKEN',
      'ERR_CHANNEL_AWAY',
      'ERR_CHANNEL_FORBIDDEN',
      'ERR_CHANNEL_ACCOUNT',
      'ERR_CHANNEL_LIMITED',
    ],
  }),
  send: post('/templates/:ticketId', {
    eventuallyConsistent: true,
    may: acting,
    summary:
      'Sends a template with the values of its fields in order. A header file is uploaded as multipart. The conversation shows the message as the customer sees it.',
    upload: true,
    body: Type.Object({ template: Filled }, { additionalProperties: false }),
    answer: MessageRow,
    errors: [
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
