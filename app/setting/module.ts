import { publishSetting, SettingRow, settingCalls, settingTopic } from '#domain/setting/contract.ts'
import { rowsOf } from '../live/gateway.ts'
import { calls, type FeatureModule } from '../module.ts'
import { settingRoutes } from './routes.ts'

export const settingModule: FeatureModule = {
  calls: [calls('settings', settingCalls, settingRoutes)],
  openApiSchemas: { Setting: SettingRow },
  topics: ({ db }) => {
    const load = rowsOf(db, 'companySetting')
    return [{ topic: settingTopic, load: async (companyId, ids) => (await load(companyId, ids)).map(publishSetting) }]
  },
}
