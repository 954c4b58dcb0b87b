import type { Generated, JSONColumnType } from 'kysely'

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
/** Two contacts that were reported as one person. */
export interface ContactDuplicateTable {
  companyId: number
  contactId: number
  duplicateId: number
  foundAt: Generated<string>
}
