import type { Generated, JSONColumnType } from 'kysely'

export interface ContactTable {
  id: Generated<number>
  version: Generated<number>
  uuid: Generated<string>
  companyId: number
  name: string
  /** Nobody told a name: they are called by their number, or by a neutral word. */
  nameless: Generated<boolean>
  /** As the network tells it, or as it was typed, completed by the country. */
  number: string
  /** `numberKey` of it; where another person has that key, `exactKey`. */
  numberKey: string
  /** In its own country (A-PHONE-03); of whoever wrote to us, always. */
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

/** When their picture was last asked for. */
export interface ContactPictureTable {
  contactId: number
  companyId: number
  askedAt: string
}
/** By what a contact is known on a network; `key`: as it is compared. */
export interface ContactIdentityTable {
  companyId: number
  network: string
  kind: string
  key: string
  id: string
  contactId: number
}
/** Two contacts that were told to be one person. */
export interface ContactDuplicateTable {
  companyId: number
  contactId: number
  duplicateId: number
  foundAt: Generated<string>
}
