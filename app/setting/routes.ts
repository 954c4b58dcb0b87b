import { refuse } from '#domain/errors.ts'
import type { settingCalls } from '#domain/setting/contract.ts'
import type { AppContext } from '../context.ts'
import type { Handlers } from '../http/serve.ts'
import { settingsOf } from './read.ts'
import { publicSetting } from './store.ts'

type Deps = Pick<AppContext, 'db' | 'companySettingStore'>

export const settingRoutes = ({ db, companySettingStore: store }: Deps): Handlers<typeof settingCalls> => ({
  list: ({ viewer }) => store.all(viewer),
  find: ({ viewer, params }) => store.one(viewer, params.key),
  set: ({ params, body, ...ask }) => store.set(ask, params.key, body.value, 'value'),
  async ofCompany({ viewer, params }) {
    if (params.companyId !== viewer.companyId) refuse('ERR_NOT_FOUND')
    return Object.fromEntries((await store.all(viewer)).map(({ key, value }) => [key, value]))
  },
  async one({ viewer, query: { column } }) {
    const { key, value } = await store.one(viewer, column)
    return { [key]: value }
  },
  setOne: ({ body: { column, data }, ...ask }) => store.set(ask, column, data, 'data'),
  userCreation: async () => ({ userCreation: (await settingsOf(db, 0)).userCreation as 'enabled' }),
  public: ({ params }) => publicSetting(db, params.key),
})
