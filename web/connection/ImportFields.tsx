import { Callout } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { useWatch } from 'react-hook-form'
import { useWords } from '#web/i18n.ts'
import { queueChoices } from '#web/ticket/choices.ts'
import { ChoiceField, Pair, SwitchField } from '#web/ui/fields.tsx'
import { MomentField } from './fields.tsx'
import { importWords } from './import-words.ts'
import { sessionWords } from './session-words.ts'

/** Which messages from before the link are imported, and where to (R-CONN-08). */
export function ImportFields({ linked }: { linked: boolean }) {
  const t = useWords(importWords)
  const tSession = useWords(sessionWords)
  const queues = useAtomValue(queueChoices.all)
  const on = useWatch({ name: 'enableImportMessage' }) as boolean
  return (
    <>
      <SwitchField name="enableImportMessage" label={t('enableImportMessage')} />
      <p className="bp6-form-helper-text">{t('hint')}</p>
      {on && linked && (
        <Callout compact intent="warning" role="note">
          {tSession('importLinked')}
        </Callout>
      )}
      {on && (
        <>
          <Pair>
            <MomentField name="importOldMessages" label={t('importOldMessages')} />
            <MomentField name="importRecentMessages" label={t('importRecentMessages')} end />
          </Pair>
          <ChoiceField name="queueIdImportMessages" label={t('queueIdImportMessages')} choices={queues} none={t('noQueue')} />
          <SwitchField name="importOldMessagesGroups" label={t('importOldMessagesGroups')} />
          <SwitchField name="closedTicketsPostImported" label={t('closedTicketsPostImported')} />
        </>
      )}
    </>
  )
}
