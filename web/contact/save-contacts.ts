import type { Static } from 'typebox'
import { contacts } from '#domain/contact/contract.ts'
import { api } from '#web/api.ts'
import { saveFile } from '#web/ui/save-file.ts'

/** Saves contacts as a file, in one of two formats (R-CONTACT-08). An empty query saves all. */
export async function saveContacts(call: 'export' | 'exportText', query: Static<typeof contacts.export.query>): Promise<void> {
  const file = await api.contacts[call]({ query }, { received: () => undefined })
  saveFile(contacts[call].file.name, file as Blob)
}
