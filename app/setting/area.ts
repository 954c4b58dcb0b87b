import { SettingRow, settingCalls, settingTopic } from '#domain/setting/contract.ts'
import { type Area, calls } from '../area.ts'
import { rowsOf } from '../http/live.ts'
import { settingRoutes } from './routes.ts'

export const settingArea: Area = {
  calls: [calls('settings', settingCalls, settingRoutes)],
  shapes: { Setting: SettingRow },
  topics: ({ db }) => [{ topic: settingTopic, load: rowsOf(db, 'companySetting') }],
}
