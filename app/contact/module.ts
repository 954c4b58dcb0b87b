import { ContactRow, contacts, contactTopic } from '#domain/contact/contract.ts'
import { veilContact } from '#domain/contact/mask.ts'
import { contactsById } from '#projections/contact/read.ts'
import { type Area, calls } from '../module.ts'
import { contactRoutes } from './routes.ts'

export const contactArea: Area = {
  calls: [calls('contacts', contacts, contactRoutes)],
  shapes: { Contact: ContactRow },
  topics: ({ db }) => [{ topic: contactTopic, load: (companyId, ids) => contactsById(db, companyId, ids), veil: veilContact }],
}
