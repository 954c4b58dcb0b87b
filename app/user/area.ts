import { users, userTopic } from '#domain/user/contract.ts'
import { type Area, calls } from '../area.ts'
import { userRoutes, usersIn } from './routes.ts'

export const userArea: Area = {
  calls: [calls('users', users, userRoutes)],
  topics: ({ db }) => [{ topic: userTopic, load: (companyId, ids) => usersIn(db, companyId).where('user.id', 'in', ids).execute() }],
}
