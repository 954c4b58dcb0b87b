import { type SettingKey, settings } from '#domain/setting/contract.ts'

/** The possible values of a setting that has only a few. */
export const choicesOf = (key: SettingKey): string[] | null =>
  'enum' in settings[key].shape ? (settings[key].shape.enum as string[]) : null
export const isSwitch = (choices: string[]): boolean => choices.length === 2 && (choices.includes('enabled') || choices.includes('true'))
