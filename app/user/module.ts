import { Me, UserBody, UserRow, user, users } from '#domain/user/contract.ts'
import { userTopic } from '#domain/user/topic.ts'
import { calls, type FeatureModule } from '../module.ts'
import { updateFullness } from './availability.ts'
import { usersIn, withPicture } from './colleagues.ts'
import { beforePicture } from './picture.ts'
import { releaseLate, releaseOutsideLate } from './retire.ts'
import { userRoutes } from './routes.ts'

export const userModule: FeatureModule = {
  calls: [calls('users', users, userRoutes, beforePicture)],
  openApiSchemas: { Colleague: UserRow, User: user.Row, UserBody, Me },
  topics: ({ db, media }) => [
    {
      topic: userTopic,
      load: async (companyId, ids) => (await usersIn(db, companyId).where('user.id', 'in', ids).execute()).map(withPicture(media)),
    },
  ],
  jobs: [releaseLate, releaseOutsideLate],
  scheduledTasks: [{ name: 'tell who is full', everyMs: 2000, everywhere: true, run: updateFullness }],
}
