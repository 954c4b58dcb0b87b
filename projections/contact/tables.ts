import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { MergedFields } from '#domain/contact/merge.ts'

export interface ContactTable {
  id: Generated<number>
  version: Generated<number>
  uuid: Generated<string>
  companyId: number
  name: string
  /** No name is known: the number or a neutral word is shown. */
  nameless: Generated<boolean>
  /** As reported by the network, or as entered and completed with the country. */
  number: string
  /** `numberKey` of the number, or `exactKey` if another contact has that key. */
  numberKey: string
  /** Valid in its country (A-PHONE-03); always true for contacts who have written. */
  validNumber: Generated<boolean>
  email: Generated<string>
  channel: string
  isGroup: Generated<boolean>
  active: Generated<boolean>
  disableBot: Generated<boolean>
  acceptAudioMessage: Generated<boolean>
  lgpdAcceptedAt: string | null
  lgpdText: Generated<string | null>
  urlPicture: string | null
  whatsappId: number | null
  extraInfo: JSONColumnType<{ id: number; name: string; value: string }[], string, string>
  createdAt: Generated<string>
  updatedAt: Generated<string>
  deletedAt: string | null
  /** The target of its merge (A-MERGE-01): the last one, if that was merged again. */
  mergedIntoId: Generated<number | null>
  /** The contact that is shown for this one: the target of its merge, else itself. */
  personId: GeneratedAlways<number>
}

/** When a contact's picture was last requested. */
export interface ContactPictureTable {
  contactId: number
  companyId: number
  askedAt: string
}
/** An identifier of a contact on a network. `key` is its normalised form. */
export interface ContactIdentityTable {
  companyId: number
  network: string
  kind: string
  key: string
  id: string
  contactId: number
}
/** A number that a user replaced. `ids`: the identifiers that went with it. */
export interface ContactFormerNumberTable {
  id: Generated<number>
  companyId: number
  contactId: number
  number: string
  ids: JSONColumnType<{ kind: string; id: string }[], string, string>
  until: Generated<string>
}
/** Two contacts that were reported as one person. */
export interface ContactDuplicateTable {
  companyId: number
  contactId: number
  duplicateId: number
  foundAt: Generated<string>
}

/** What an undo restores. `added`: the extra fields that the target got; `tagIds`: those of the source; `newTagIds`: those that the target got. */
export type MergeChanges = {
  before: MergedFields
  after: MergedFields
  added: { name: string; value: string }[]
  /** Values of the target that the person who merged chose to drop. */
  removed?: { name: string; value: string }[]
  tagIds: number[]
  newTagIds: number[]
}
/** A merge of two contacts. `changes` is empty once one of them is erased. */
export interface ContactMergeTable {
  id: Generated<number>
  companyId: number
  sourceId: number
  targetId: number
  userId: number | null
  createdAt: Generated<string>
  undoneAt: string | null
  undoneUserId: number | null
  changes: JSONColumnType<Partial<MergeChanges>, string, string>
}
