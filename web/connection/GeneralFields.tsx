import { useAtomValue } from 'jotai'
import { type Channel, channels } from '#domain/channel/channels.ts'
import type { Connection } from '#domain/connection/contract.ts'
import { useWords } from '#web/i18n.ts'
import { queueChoices } from '#web/ticket/choices.ts'
import { ChoiceField, ColourField, NumberOrNullField, Pair, SwitchField, TextField } from '#web/ui/fields.tsx'
import { uiWords } from '#web/ui/words.ts'
import css from './Connections.module.css'
import { DigitsField, QueuesField, TokenField, WordSwitchField } from './fields.tsx'
import { NameField } from './NameField.tsx'
import { connectionFieldWords, connectionWords } from './words.ts'

export const generalFields = [
  ...['name', 'color', 'isDefault', 'allowGroup', 'groupAsTicket', 'interactiveMessages'],
  ...['queueIds', 'sendIdQueue', 'timeSendQueue', 'timeCreateNewTicket', 'token'],
]

/** Name, colour, groups, queues and API key of a connection. `foreign`: only its own company sets its queues. */
export function GeneralFields({ row, channel, foreign }: { row: Connection | null; channel: Channel; foreign: boolean }) {
  const t = useWords(connectionWords)
  const tConnectionField = useWords(connectionFieldWords)
  const tUi = useWords(uiWords)
  const queues = useAtomValue(queueChoices.all)
  return (
    <>
      {foreign ? <TextField name="name" label={tConnectionField('name')} autoFocus /> : <NameField id={row?.id ?? null} />}
      <ColourField name="color" label={tConnectionField('color')} none={tUi('none')} hint={t('colourHint')} />
      <SwitchField name="isDefault" label={tConnectionField('isDefault')} />
      {channels[channel].groups && (
        <>
          <SwitchField name="allowGroup" label={tConnectionField('allowGroup')} />
          <WordSwitchField name="groupAsTicket" label={tConnectionField('groupAsTicket')} />
        </>
      )}
      <WordSwitchField name="interactiveMessages" label={tConnectionField('interactiveMessages')} />
      {foreign ? (
        <p role="note" className={css.foreign}>
          {t('foreign')}
        </p>
      ) : (
        <>
          <QueuesField name="queueIds" label={tConnectionField('queueIds')} />
          <Pair>
            <ChoiceField name="sendIdQueue" label={tConnectionField('sendIdQueue')} choices={queues} none={t('noQueue')} />
            <DigitsField name="timeSendQueue" label={tConnectionField('timeSendQueue')} hint={t('zeroOff')} />
          </Pair>
        </>
      )}
      <NumberOrNullField name="timeCreateNewTicket" label={tConnectionField('timeCreateNewTicket')} hint={t('zeroOff')} />
      <TokenField name="token" label={tConnectionField('token')} hint={t('tokenHint')} />
    </>
  )
}
