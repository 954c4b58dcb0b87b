import { ContactRow, contacts, contactTopic } from '#domain/contact/contract.ts'
import { maskContact } from '#domain/contact/mask.ts'
import { hourMs } from '#domain/duration/rules.ts'
import { contactsById } from '#projections/contact/read.ts'
import { calls, type FeatureModule } from '../module.ts'
import { eraseDeletedContacts } from './remove.ts'
import { contactRoutes } from './routes.ts'

export const contactModule: FeatureModule = {
  calls: [calls('contacts', contacts, contactRoutes)],
  openApiSchemas: { Contact: ContactRow },
  scheduledTasks: [{ name: 'erase deleted contacts', everyMs: hourMs, atStart: true, run: eraseDeletedContacts }],
  topics: ({ db }) => [{ topic: contactTopic, load: (companyId, ids) => contactsById(db, companyId, ids), mask: maskContact }],
}
