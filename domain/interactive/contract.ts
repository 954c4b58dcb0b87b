import type { Static, TProperties } from 'typebox'
import * as Type from 'typebox'
import { acting } from '#domain/access.ts'
import { post, Text, Written } from '#domain/contract.ts'
import type { Case } from '#domain/errors.ts'
import { MessageRow } from '#domain/message/contract.ts'
import { most, pixKeys } from './rules.ts'

/** The stale-reply guard. `seen`: the revision on screen; `anyway`: send despite a newer answer. */
const guard = {
  seen: Type.Optional(Type.Integer({ minimum: 0, maximum: 2147483647 })),
  anyway: Type.Optional(Type.Boolean()),
}
const about = { title: Written(most.title), description: Type.Optional(Text(most.description)) }
const button = { ...about, buttonText: Written(most.buttonText) }
const closed = <P extends TProperties>(fields: P) => Type.Object(fields, { additionalProperties: false })

const Row = closed({
  title: Written(most.row),
  description: Type.Optional(Text(most.rowDescription)),
  /** Published clients send row ids; the server replaces them with its own numbers. */
  rowId: Type.Optional(Text(200)),
})
const Group = closed({ title: Type.Optional(Text(most.section)), rows: Type.Array(Row, { minItems: 1, maxItems: most.rows }) })

/** The fields of each kind, with their published names (A-MSG-05); `guarded` adds the guard. */
export const listFields = closed({ ...button, sections: Type.Array(Group, { minItems: 1, maxItems: most.rows }) })
export const copyFields = closed({ ...button, copyText: Written(most.copies) })
export const callFields = closed({ ...button, copyText: Written(40) })
export const urlFields = closed({ ...button, copyText: Written(most.url) })
export const pixFields = closed({
  title: Written(most.title),
  sendkey_type: Type.Enum([...pixKeys]),
  sendKey: Written(most.key),
  sendmerchant_name: Written(most.merchant),
  /** In reais, as a number or as typed; absent: the payer chooses the amount. */
  sendvalue: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: most.cents / 100 }), Text(20), Type.Null()])),
})
const guarded = <P extends TProperties>({ properties }: { properties: P }) => closed({ ...properties, ...guard })

const answer = Type.Object({ messages: Type.Array(MessageRow) })
const errors: Case[] = ['ERR_COMMAND_REUSED', 'ERR_TICKET_CHANGED']
const sends = { eventuallyConsistent: true, may: acting, answer, errors, invalidPathCase: 'ERR_INVALID_INPUT/ticket' } as const

export const interactive = {
  list: post('/messages/lista/:ticketId', {
    ...sends,
    body: guarded(listFields),
    summary: 'Sends a list that the customer chooses from; as a numbered text if the channel has no lists.',
  }),
  copy: post('/messages/copy/:id', { ...sends, body: guarded(copyFields), summary: 'Sends a text with a copy button.' }),
  call: post('/messages/call/:id', { ...sends, body: guarded(callFields), summary: 'Sends a number with a call button.' }),
  url: post('/messages/URL/:id', {
    ...sends,
    body: closed({ ...urlFields.properties, ...guard, image: Type.Optional(Type.Union([Type.Literal(''), Type.Null()])) }),
    summary: 'Sends a link with a button; a picture above it is uploaded as multipart.',
    upload: true,
    errors: ['ERR_UPLOAD_QUOTA', ...errors],
  }),
  pix: post('/messages/PIX/:id', { ...sends, body: guarded(pixFields), summary: 'Sends a Pix key with its copy-and-paste code.' }),
}
export type ListBody = Static<typeof listFields>
export type CopyBody = Static<typeof copyFields>
export type CallBody = Static<typeof callFields>
export type UrlBody = Static<typeof urlFields>
export type PixBody = Static<typeof pixFields>
