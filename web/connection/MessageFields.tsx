import { useWords } from '#web/i18n.ts'
import { FileField } from '#web/ui/FileField.tsx'
import { Pair } from '#web/ui/fields.tsx'
import { DayField, LinkField } from './fields.tsx'
import { SettingTextField } from './SettingTextField.tsx'
import { connectionFieldWords, connectionWords } from './words.ts'

export const messageFields = [
  ...['greetingMessage', 'file', 'complationMessage', 'outOfHoursMessage', 'collectiveVacationMessage'],
  ...['collectiveVacationStart', 'collectiveVacationEnd', 'lgpdMessage', 'lgpdLink'],
]

/** The texts that a connection sends by itself. `foreign`: the settings of its company are unknown here. */
export function MessageFields({ foreign }: { foreign: boolean }) {
  const t = useWords(connectionWords)
  const tConnectionField = useWords(connectionFieldWords)
  return (
    <>
      <SettingTextField name="greetingMessage" foreign={foreign} hint={t('greetingHint')} />
      <FileField label={tConnectionField('media')} />
      <SettingTextField name="complationMessage" foreign={foreign} />
      <SettingTextField name="outOfHoursMessage" foreign={foreign} />
      <SettingTextField name="collectiveVacationMessage" foreign={foreign} />
      <Pair>
        <DayField name="collectiveVacationStart" label={tConnectionField('collectiveVacationStart')} />
        <DayField name="collectiveVacationEnd" label={tConnectionField('collectiveVacationEnd')} />
      </Pair>
      <SettingTextField name="lgpdMessage" foreign={foreign} />
      <LinkField name="lgpdLink" label={tConnectionField('lgpdLink')} />
    </>
  )
}
