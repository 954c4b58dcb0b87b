import { refuse } from '#domain/errors.ts'
import { publishSetting, type settingCalls } from '#domain/setting/contract.ts'
import type { AppContext } from '../context.ts'
import type { Handlers } from '../http/serve.ts'
import { settingsOf } from './read.ts'
import { publicSetting } from './store.ts'

type Deps = Pick<AppContext, 'db' | 'companySettingStore'>

export const settingRoutes = ({ db, companySettingStore: store }: Deps): Handlers<typeof settingCalls> => ({
  list: async ({ viewer }) => (await store.all(viewer)).map(publishSetting),
  find: async ({ viewer, params }) => publishSetting(await store.one(viewer, params.key)),
  set: async ({ params, body, ...ask }) => publishSetting(await store.set(ask, params.key, body.value, 'value')),
  async ofCompany({ viewer, params }) {
    if (params.companyId !== viewer.companyId) refuse('ERR_NOT_FOUND')
    return Object.fromEntries((await store.all(viewer)).map(publishSetting).map(({ key, value }) => [key, value]))
  },
  async one({ viewer, query: { column } }) {
    const { key, value } = publishSetting(await store.one(viewer, column))
    return { [key]: value }
  },
  setOne: async ({ body: { column, data }, ...ask }) => publishSetting(await store.set(ask, column, data, 'data')),
  userCreation: async () => ({ userCreation: (await settingsOf(db, 0)).userCreation as 'enabled' }),
  public: ({ params }) => publicSetting(db, params.key),
})
