import { useWords } from '#web/i18n.ts'
import { NumberOrNullField, Pair } from '#web/ui/fields.tsx'
import { WordsField } from './fields.tsx'
import { SettingTextField } from './SettingTextField.tsx'
import { connectionFieldWords, connectionWords } from './words.ts'

export const chatbotFields = [
  ...['maxUseBotQueues', 'timeUseBotQueues', 'expiresTicket', 'whenExpiresTicket', 'expiresInactiveMessage'],
  ...['timeInactiveMessage', 'inactiveMessage'],
]

/** How often the bot asks, and what happens to customers who do not answer. */
export function ChatbotFields({ foreign }: { foreign: boolean }) {
  const t = useWords(connectionWords)
  const tConnectionField = useWords(connectionFieldWords)
  return (
    <>
      <Pair>
        <NumberOrNullField name="maxUseBotQueues" label={tConnectionField('maxUseBotQueues')} />
        <NumberOrNullField name="timeUseBotQueues" label={tConnectionField('timeUseBotQueues')} hint={t('zeroOff')} />
      </Pair>
      <Pair>
        <NumberOrNullField name="expiresTicket" label={tConnectionField('expiresTicket')} hint={t('zeroOff')} />
        <WordsField
          name="whenExpiresTicket"
          label={tConnectionField('whenExpiresTicket')}
          choices={[
            { value: '0', label: t('anyMessage') },
            { value: '1', label: t('ourMessage') },
          ]}
        />
      </Pair>
      <SettingTextField name="expiresInactiveMessage" foreign={foreign} />
      <NumberOrNullField name="timeInactiveMessage" label={tConnectionField('timeInactiveMessage')} hint={t('zeroOff')} />
      <SettingTextField name="inactiveMessage" foreign={foreign} />
    </>
  )
}
