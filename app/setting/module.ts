import { SettingRow, settingCalls, settingTopic } from '#domain/setting/contract.ts'
import { rowsOf } from '../live/gateway.ts'
import { type Area, calls } from '../module.ts'
import { settingRoutes } from './routes.ts'

export const settingArea: Area = {
  calls: [calls('settings', settingCalls, settingRoutes)],
  shapes: { Setting: SettingRow },
  topics: ({ db }) => [{ topic: settingTopic, load: rowsOf(db, 'companySetting') }],
}
