import type { Static } from 'typebox'
import * as Type from 'typebox'
import { acting, admin, signedIn } from '#domain/access.ts'
import { numberSigns } from '#domain/contact/rules.ts'
import { longestExtraName, longestExtraValue, mostExtraFields } from '#domain/contact-field/rules.ts'
import { rowErrors } from '#domain/contact-import/contract.ts'
import { del, get, Id, IdList, Moment, Name, Nullable, PageNumber, post, put, Text, version } from '#domain/contract.ts'
import type { Case } from '#domain/errors.ts'
import { MessageRow } from '#domain/message/contract.ts'
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
  /** Whether a ticket can be opened with the number; the list hides invalid ones (R-PHONE-02). */
  validNumber: Type.Boolean(),
  active: Type.Boolean(),
  disableBot: Type.Boolean(),
  acceptAudioMessage: Type.Boolean(),
  lgpdAcceptedAt: Nullable(Moment),
  /** The SHA-256 of the privacy text that the contact accepted. */
  lgpdText: Nullable(Type.String()),
  urlPicture: Nullable(Type.String()),
  whatsappId: Nullable(Id),
  /** The connection through which the contact came. */
  whatsapp: Nullable(Type.Object({ id: Id, name: Type.String() })),
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
    extraInfo: Type.Optional(
      Type.Array(Type.Object({ name: Text(longestExtraName, 1), value: Text(longestExtraValue) }), { maxItems: mostExtraFields }),
    ),
    disableBot: Type.Optional(Type.Boolean()),
    acceptAudioMessage: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

/** The fields of an edit form. Omitted fields stay, so that users who see a masked number can change the others. */
export const ContactEdit = Type.Object(
  {
    ...Body.properties,
    name: Type.Optional(Body.properties.name),
    number: Type.Optional(Type.String({ ...Body.properties.number, pattern: `^[${numberSigns}\\d*]+$` })),
  },
  { additionalProperties: false },
)

/** Clients may send the whole row, also with an invalid name or number. Only changed fields are validated with `ContactEdit`. */
const Edited = Type.Object(
  { ...ContactEdit.properties, name: Type.Optional(Text(250)), number: Type.Optional(Text(250)), version: Type.Optional(version) },
  { additionalProperties: false },
)

/** A row of an imported table, as it was typed. `tags`: names between commas. `validateContact`: whether the network is asked for the number. */
const ImportedRow = Type.Object(
  {
    name: Text(250),
    number: Text(250),
    email: Type.Optional(Text(250)),
    tags: Type.Optional(Text(2000)),
    validateContact: Type.Optional(Type.Enum(['true', 'false'])),
  },
  { additionalProperties: false },
)
const importErrors = [...rowErrors, 'ERR_WAPP_INVALID_CONTACT'] as const satisfies Case[]

/** `isCurrent`: the merge is not undone. `canUndo`: nor was its target merged into another contact since. */
const Merge = Type.Object({
  id: Id,
  source: Type.Object({ id: Id, name: Type.String(), number: Type.String(), email: Type.String(), channel: Type.String() }),
  target: Type.Object({ id: Id, name: Type.String() }),
  user: Nullable(Type.Object({ id: Id, name: Type.String() })),
  createdAt: Moment,
  canUndo: Type.Boolean(),
})
export type Merge = Static<typeof Merge>
/** `kind`: phone, lid, scoped or group. `contactId`: the contact that the id belongs to after an undo. */
const Overview = Type.Object({
  ids: Type.Array(Type.Object({ contactId: Id, network: Type.String(), kind: Type.String(), id: Type.String() })),
  merges: Type.Array(Merge),
})
export type Overview = Static<typeof Overview>

/** Whose values of an extra field stay, if both contacts have different ones; both by default (A-MERGE-02). */
const MergeChoices = Type.Array(
  Type.Object({ name: Text(longestExtraName, 1), keep: Type.Enum(['source', 'target', 'both']) }, { additionalProperties: false }),
  { maxItems: mostExtraFields },
)

const Similarity = Type.Enum(['email', 'number', 'name', 'network'])
export type Similarity = Static<typeof Similarity>
const Similar = Type.Object({ contact: ContactRow, why: Type.Array(Similarity) })
export type Similar = Static<typeof Similar>

const Filter = Type.Object({
  searchParam: Type.Optional(Text(200)),
  contactTag: Type.Optional(IdList),
  channel: Type.Optional(Text(20)),
  isGroup: Type.Optional(Type.Boolean()),
  /** False: only blocked ones. */
  active: Type.Optional(Type.Boolean()),
  /** First and last day, in the company's zone, of the last message from or to the contact. */
  lastFrom: Type.Optional(Type.String({ format: 'date' })),
  lastTo: Type.Optional(Type.String({ format: 'date' })),
  /** True: only contacts without any message. */
  neverContacted: Type.Optional(Type.Boolean()),
})

export const contacts = {
  list: get('/contacts', {
    may: signedIn,
    summary: 'Lists contacts by name; filtered by name or number, tag, channel, group, block and last message.',
    query: Type.Object({ ...Filter.properties, pageNumber: Type.Optional(PageNumber) }),
    answer: Type.Object({ contacts: Type.Array(ContactRow), hasMore: Type.Boolean(), count: Type.Integer() }),
  }),
  export: get('/contacts/export', {
    may: signedIn,
    summary: 'Exports the listed contacts as an Excel file; numbers are masked as in the list (R-CONTACT-08).',
    query: Filter,
    answer: Type.Unknown(),
    file: { name: 'contatos.xlsx', mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  }),
  exportText: get('/contacts/export/csv', {
    may: signedIn,
    summary:
      'Exports the listed contacts as separated text (UTF-8, semicolons); a cell that a spreadsheet would calculate begins with an apostrophe, which an import takes off.',
    query: Filter,
    answer: Type.Unknown(),
    file: { name: 'contatos.csv', mediaType: 'text/csv; charset=utf-8' },
  }),
  names: get('/contacts/list', {
    may: signedIn,
    summary: 'Lists the first 1,000 contacts by name without their details; `name` is a part of the name or number.',
    query: Type.Object({ name: Type.Optional(Text(200)) }),
    answer: Type.Array(Type.Object({ id: Id, name: Type.String(), number: Type.String() })),
  }),
  profile: get('/contacts/profile/:number', {
    may: signedIn,
    summary: 'Shows whether a number is on WhatsApp, as a connection of the company reports; null if its channel cannot tell.',
    answer: Type.Object({ number: Type.String(), exists: Nullable(Type.Boolean()), urlPicture: Nullable(Type.String()) }),
    errors: ['ERR_WAPP_INVALID_CONTACT', 'ERR_WAPP_NOT_INITIALIZED', 'ERR_WAPP_CHECK_CONTACT'],
  }),
  find: get('/contacts/:id', { may: signedIn, summary: 'Shows a contact.', answer: ContactRow }),
  duplicates: get('/contacts/:id/duplicates', {
    may: signedIn,
    summary: 'Lists other contacts that the network reported as the same person.',
    answer: Type.Array(ContactRow),
  }),
  create: post('/contacts', {
    may: acting,
    summary:
      'Creates a contact; refused if the number already has one, or if a connected connection reports that it is not on its network.',
    body: Body,
    answer: ContactRow,
    idempotent: true,
    errors: ['ERR_WAPP_INVALID_CONTACT', 'ERR_CONTACT_FIELD'],
  }),
  importOne: post('/contactsImport', {
    may: acting,
    summary:
      'Imports one row: creates a contact, or completes the one with this number. An empty field changes nothing; missing tags are created (A-IMP-03).',
    body: ImportedRow,
    answer: ContactRow,
    idempotent: true,
    errors: importErrors,
  }),
  update: put('/contacts/:id', {
    may: acting,
    summary: 'Changes a contact; omitted fields stay. Refused if `version` is outdated.',
    body: Edited,
    answer: ContactRow,
    idempotent: true,
    errors: ['ERR_ROW_CHANGED', 'ERR_WAPP_INVALID_CONTACT', 'ERR_CONTACT_FIELD'],
  }),
  toggleAcceptAudio: put('/contacts/toggleAcceptAudio/:id', {
    may: acting,
    summary: 'Switches voice messages of a contact on or off; the company’s setting counts too (A-AUDIO-01).',
    answer: ContactRow,
    idempotent: true,
  }),
  toggleDisableBot: put('/contacts/toggleDisableBot/:contactId', {
    may: acting,
    summary: 'Switches the bot for a contact off or on (R-BOT-05).',
    answer: ContactRow,
    idempotent: true,
  }),
  block: put('/contacts/block/:id', {
    may: acting,
    summary: 'Blocks (`active` false) or unblocks a contact. Messages of a blocked contact are not stored (R-CONTACT-01, A-BOT-01).',
    body: Type.Object({ active: Type.Boolean() }, { additionalProperties: false }),
    answer: ContactRow,
    idempotent: true,
  }),
  remove: del('/contacts/:id', {
    may: admin,
    summary: 'Deletes a contact. Refused while it has an active ticket. Its closed tickets keep its name for 30 days (A-CONTACT-01).',
    idempotent: true,
    errors: ['ERR_OTHER_OPEN_TICKET'],
  }),
  merge: post('/contacts/:id/merge', {
    may: acting,
    summary:
      'Merges a contact into another, which then shows the tickets, notes, tags and fields of both. Refused while both have an active ticket on one connection (A-MERGE-01).',
    body: Type.Object({ targetId: Id, fields: Type.Optional(MergeChoices) }, { additionalProperties: false }),
    answer: ContactRow,
    idempotent: true,
    errors: ['ERR_MERGE_SELF', 'ERR_MERGE_GROUP', 'ERR_MERGE_ACTIVE_TICKETS'],
  }),
  separate: post('/contacts/:id/separate', {
    may: acting,
    summary: 'Undoes the merge of a contact: both are as before, and each ticket belongs to the contact whose id opened it (A-MERGE-01).',
    answer: ContactRow,
    idempotent: true,
    errors: ['ERR_MERGED_FURTHER'],
  }),
  similar: get('/contacts/:id/similar', {
    may: signedIn,
    summary:
      'Proposes contacts to merge: with the same address, the number in another form, the same name, or reported as the same by the network.',
    answer: Type.Array(Similar),
  }),
  overview: get('/contacts/:id/overview', {
    may: signedIn,
    summary: 'Lists the ids by which a contact is known, and the contacts that were merged into it.',
    answer: Overview,
  }),
  files: get('/contacts/:id/files', {
    may: signedIn,
    summary: 'Lists the messages with a file in the tickets of a contact that the caller may see, newest first (A-CONTACT-04).',
    query: Type.Object({
      /** The cursor of the previous page. */
      cursor: Type.Optional(Type.String({ pattern: '^\\d{1,13}-\\d{1,10}$' })),
    }),
    answer: Type.Object({
      files: Type.Array(MessageRow),
      /** For the next page; null: this is the last one. */
      cursor: Nullable(Type.String()),
    }),
  }),
  tags: get('/contactTags/:contactId', {
    may: signedIn,
    summary: 'Lists the tags of a contact.',
    answer: Type.Object({ tags: Type.Array(Coloured) }),
  }),
  syncTags: post('/tags/sync', {
    may: acting,
    summary: 'Replaces the tags of a contact; lanes are not affected (A-LANE-02).',
    body: Type.Object({ contactId: Id, tags: Type.Array(Type.Object({ id: Id }), { maxItems: 100 }) }, { additionalProperties: false }),
    answer: ContactRow,
    idempotent: true,
  }),
  changeTags: put('/contacts/:id/tags', {
    may: acting,
    summary: 'Adds and removes tags of a contact; other tags and lanes stay.',
    body: Type.Object(
      { added: Type.Array(Id, { maxItems: 100 }), taken: Type.Array(Id, { maxItems: 100 }) },
      { additionalProperties: false },
    ),
    answer: ContactRow,
    idempotent: true,
  }),
}

export const contactTopic = topic<ContactRow>('contact', 'contact', () => true)
