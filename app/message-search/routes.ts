import type { Kysely } from 'kysely'
import { ids } from '#domain/contract.ts'
import { refuse } from '#domain/errors.ts'
import type { MessageFilter, messageSearch } from '#domain/message-search/contract.ts'
import { areSearchable, searchTerms } from '#domain/message-search/rules.ts'
import type { Database } from '#projections/database.ts'
import { searchMessages } from '#projections/message-search/read.ts'
import { countNumber } from '../contact/number-questions.ts'
import type { Handlers } from '../http/serve.ts'

/** Whether the filter limits the messages even without a text. */
const limits = ({ sender, from, to, kind, ticketId, ...lists }: MessageFilter): boolean =>
  [sender, from, to, kind, ticketId].some((value) => value !== undefined) ||
  [lists.queueIds, lists.users, lists.tags, lists.whatsapps].some((list) => ids(list).length > 0)

export const messageSearchRoutes = ({ db }: { db: Kysely<Database> }): Handlers<typeof messageSearch> => ({
  async list({ viewer, query, wire }) {
    countNumber(viewer, query.searchParam, wire)
    const terms = searchTerms(query.searchParam ?? '')
    if (terms.length > 0 ? !areSearchable(terms) : !limits(query)) refuse('ERR_SEARCH_TOO_SHORT')
    return searchMessages(db, viewer, query)
  },
})
