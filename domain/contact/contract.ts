import type { Static } from 'typebox'
import * as Type from 'typebox'
import { acting, signedIn } from '#domain/access.ts'
import { numberSigns } from '#domain/contact/rules.ts'
import { get, Id, IdList, Moment, Name, Nullable, PageNumber, post, put, Text, version } from '#domain/contract.ts'
import { topic } from '#domain/topic.ts'

const Coloured = Type.Object({ id: Id, name: Type.String(), color: Type.String() })

export const ContactRow = Type.Object({
  id: Id,
  uuid: Type.String(),
  companyId: Id,
  name: Type.String(),
  number: Type.String(),
  email: Type.String(),
  channel: Type.String(),
  isGroup: Type.Boolean(),
  /** Whether a ticket can be opened with it; of others the list shows nothing (R-PHONE-02). */
  validNumber: Type.Boolean(),
  active: Type.Boolean(),
  disableBot: Type.Boolean(),
  acceptAudioMessage: Type.Boolean(),
  lgpdAcceptedAt: Nullable(Moment),
  /** The sha256 of the text about their data that they accepted then. */
  lgpdText: Nullable(Type.String()),
  urlPicture: Nullable(Type.String()),
  whatsappId: Nullable(Id),
  extraInfo: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), value: Type.String() })),
  tags: Type.Array(Coloured),
  createdAt: Moment,
  updatedAt: Moment,
  version,
})
export type ContactRow = Static<typeof ContactRow>

/** Name 2 to 250, number 8 to 50 (R-CONTACT-03, R-CONTACT-04, A-VALID-01). */
const Body = Type.Object(
  {
    name: Name(250, 2),
    number: Type.String({ minLength: 8, maxLength: 50, pattern: `^[${numberSigns}\\d]+$` }),
    email: Type.Optional(Type.Union([Type.String({ maxLength: 250, format: 'email' }), Type.Literal('')])),
    extraInfo: Type.Optional(Type.Array(Type.Object({ name: Text(100, 1), value: Text(500) }), { maxItems: 50 })),
    disableBot: Type.Optional(Type.Boolean()),
    acceptAudioMessage: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

/** What a form takes. What is not given stays: whoever sees the number masked, or changes one field alone, leaves the rest to others. */
export const ContactEdit = Type.Object(
  {
    ...Body.properties,
    name: Type.Optional(Body.properties.name),
    number: Type.Optional(Type.String({ ...Body.properties.number, pattern: `^[${numberSigns}\\d*]+$` })),
  },
  { additionalProperties: false },
)

/** A row may come back whole, with a name and a number that no form would take: only what differs is held against `ContactEdit`. */
const Edited = Type.Object(
  { ...ContactEdit.properties, name: Type.Optional(Text(250)), number: Type.Optional(Text(250)), version: Type.Optional(version) },
  { additionalProperties: false },
)

export const contacts = {
  list: get('/contacts', {
    may: signedIn,
    says: 'Contacts by name, by name or number, tag, channel and kind.',
    query: Type.Object({
      searchParam: Type.Optional(Text(200)),
      pageNumber: Type.Optional(PageNumber),
      contactTag: Type.Optional(IdList),
      channel: Type.Optional(Type.String({ maxLength: 20 })),
      isGroup: Type.Optional(Type.Boolean()),
    }),
    answer: Type.Object({ contacts: Type.Array(ContactRow), hasMore: Type.Boolean(), count: Type.Integer() }),
  }),
  profile: get('/contacts/profile/:number', {
    may: signedIn,
    says: 'Whether a number is on WhatsApp, as a connected number of the company is told; null where its kind of connection does not say.',
    answer: Type.Object({ number: Type.String(), exists: Nullable(Type.Boolean()), urlPicture: Nullable(Type.String()) }),
    refuses: ['ERR_WAPP_INVALID_CONTACT', 'ERR_WAPP_NOT_INITIALIZED', 'ERR_WAPP_CHECK_CONTACT'],
  }),
  find: get('/contacts/:id', { may: signedIn, says: 'One contact.', answer: ContactRow }),
  duplicates: get('/contacts/:id/duplicates', {
    may: signedIn,
    says: 'Other contacts that the network told to be the same person.',
    answer: Type.Array(ContactRow),
  }),
  create: post('/contacts', {
    may: acting,
    says: 'Adds a contact; refused where the number has one.',
    body: Body,
    answer: ContactRow,
    once: true,
  }),
  update: put('/contacts/:id', {
    may: acting,
    says: 'Changes a contact; what is not given stays. Refused where `version` is not that of the row any more.',
    body: Edited,
    answer: ContactRow,
    once: true,
    refuses: ['ERR_ROW_CHANGED'],
  }),
  toggleAcceptAudio: put('/contacts/toggleAcceptAudio/:id', {
    may: acting,
    says: 'Takes voice messages of a contact from now on, or no more; the setting of the company counts too (A-AUDIO-01).',
    answer: ContactRow,
    once: true,
  }),
  toggleDisableBot: put('/contacts/toggleDisableBot/:contactId', {
    may: acting,
    says: 'Switches the bot off for a contact, or on again (R-BOT-05).',
    answer: ContactRow,
    once: true,
  }),
  tags: get('/contactTags/:contactId', {
    may: signedIn,
    says: 'The labels of a contact.',
    answer: Type.Object({ tags: Type.Array(Coloured) }),
  }),
  syncTags: post('/tags/sync', {
    may: acting,
    says: 'The contact has these tags from now on, and no others; lanes are left alone (A-LANE-02).',
    body: Type.Object({ contactId: Id, tags: Type.Array(Type.Object({ id: Id }), { maxItems: 100 }) }, { additionalProperties: false }),
    answer: ContactRow,
    once: true,
  }),
  changeTags: put('/contacts/:id/tags', {
    may: acting,
    says: 'Gives the contact tags and takes others away; those that are not named stay, lanes too.',
    body: Type.Object(
      { added: Type.Array(Id, { maxItems: 100 }), taken: Type.Array(Id, { maxItems: 100 }) },
      { additionalProperties: false },
    ),
    answer: ContactRow,
    once: true,
  }),
}

export const contactTopic = topic<ContactRow>('contact', 'contact', () => true)
