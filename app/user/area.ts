import { Me, UserRow, users, userTopic } from '#domain/user/contract.ts'
import { type Area, calls } from '../area.ts'
import { beforePicture, userRoutes, usersIn, withPicture } from './routes.ts'

export const userArea: Area = {
  calls: [calls('users', users, userRoutes, beforePicture)],
  shapes: { User: UserRow, Me },
  topics: ({ db, media }) => [
    {
      topic: userTopic,
      load: async (companyId, ids) => (await usersIn(db, companyId).where('user.id', 'in', ids).execute()).map(withPicture(media)),
    },
  ],
}
