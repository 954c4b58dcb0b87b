import type { ConnectionFields } from '#domain/connection-settings/contract.ts'
import { useWords } from '#web/i18n.ts'
import { CustomerTextOrNullField } from '#web/message/customer-text/CustomerTextField.tsx'
import { useSettings } from '#web/session.ts'
import { idleHint } from './idle.ts'
import { connectionFieldWords } from './words.ts'

type Name = keyof ConnectionFields & keyof typeof connectionFieldWords
/** An optional text to customers. Without a hint of its own it says when a company setting keeps the text from being sent. */
export function SettingTextField({ name, foreign, hint }: { name: Name; foreign: boolean; hint?: string }) {
  const t = useWords(connectionFieldWords)
  const settings = useSettings()
  const below = hint ?? (foreign ? undefined : idleHint(name, settings))
  return <CustomerTextOrNullField name={name} label={t(name)} optional {...(below && { hint: below })} />
}
