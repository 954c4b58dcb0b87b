import { Button, Switch } from '@blueprintjs/core'
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { longestText, type Option, optionTypes } from '#domain/chatbot/contract.ts'
import { textIn } from '#domain/flow/texts.ts'
import { customerLanguageOf } from '#domain/setting/contract.ts'
import { useWords } from '#web/i18n.ts'
import { CustomerTextArea } from '#web/message/customer-text/CustomerTextArea.tsx'
import { valuesAtom } from '#web/setting/atoms.ts'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { uiWords } from '#web/ui/words.ts'
import css from './Bot.module.css'
import type { Leads, Where } from './options.ts'
import { botWords, typeWords } from './words.ts'

export type MoveDirection = 'up' | 'down' | 'out' | 'in'
/** The possible moves of an option by button: whether each is open, and where it leads. */
export type Steps = Record<MoveDirection, [open: boolean, to: string, where: Where]>
const icons = { up: ArrowUp, down: ArrowDown, out: ArrowLeft, in: ArrowRight }

type Of = { option: Option; name: string; onSet: (change: Partial<Option>) => void }

export function MoveButtons({
  name,
  steps,
  onMove,
}: {
  name: string
  steps: Steps
  onMove: (to: string, where: Where, by: MoveDirection) => void
}) {
  const t = useWords(botWords)
  return (['up', 'down', 'out', 'in'] as const).map((way) => {
    const [open, to, where] = steps[way]
    const Icon = icons[way]
    return (
      <Button
        key={way}
        data-way={way}
        variant="minimal"
        icon={<Icon size={14} />}
        aria-label={t(way, { name })}
        title={t(way, { name })}
        disabled={!open}
        onClick={() => onMove(to, where, way)}
      />
    )
  })
}

/** These types hand the ticket on, so no automatic close follows. */
export const handsOver = (type: Option['queueType']) => type === 'attendent' || type === 'queue'

/** What an option does: its type, its target, and whether the ticket is closed afterwards. */
export function OptionKind({
  option,
  name,
  leads,
  onSet,
  onRetype,
}: Of & { leads: Leads; onRetype: (queueType: Option['queueType']) => void }) {
  const t = useWords(botWords)
  const tType = useWords(typeWords)
  // a chosen agent who no longer serves the queue stays visible until it is corrected
  const people = leads.users.filter((one) => one.serves || one.id === option.optUserId)
  const target = { queue: ['optQueueId', leads.queues], attendent: ['optUserId', people], file: ['optFileId', leads.files] } as const
  const led = option.queueType in target ? target[option.queueType as keyof typeof target] : null
  return (
    <div className={css.line}>
      <HTMLSelect
        aria-label={`${t('type')}: ${name}`}
        value={option.queueType}
        options={optionTypes.filter((type) => type !== 'integration').map((value) => ({ value, label: tType(value) }))}
        onChange={({ currentTarget }) => onRetype(currentTarget.value as Option['queueType'])}
      />
      {led && (
        <HTMLSelect
          aria-label={`${t(option.queueType === 'queue' ? 'queue' : option.queueType === 'file' ? 'file' : 'user')}: ${name}`}
          value={option[led[0]] ?? ''}
          onChange={({ currentTarget: { value } }) => onSet({ [led[0]]: value === '' ? null : Number(value) })}
        >
          <option value="">{t(option.queueType === 'attendent' ? 'anyone' : 'choose')}</option>
          {led[1].map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </HTMLSelect>
      )}
      {!handsOver(option.queueType) && (
        <Switch
          className={css.closes!}
          label={t('closes')}
          checked={option.closeTicket}
          onChange={({ currentTarget }) => onSet({ closeTicket: currentTarget.checked })}
        />
      )}
    </div>
  )
}

/** The text of an option, and what happens without it. */
export function OptionMessage({ option, name, long, onSet }: Of & { long: boolean }) {
  const t = useWords(botWords)
  const tUi = useWords(uiWords)
  const language = customerLanguageOf(useAtomValue(valuesAtom))
  const isEmpty = !option.greetingMessage?.trim()
  return (
    <>
      <CustomerTextArea
        fill
        rows={1}
        className={css.message!}
        aria-invalid={long}
        {...(long && { intent: 'danger' as const })}
        aria-label={`${t('message')}: ${name}`}
        placeholder={t('message')}
        value={option.greetingMessage ?? ''}
        onChange={({ target }) => onSet({ greetingMessage: target.value === '' ? null : target.value })}
      />
      {long && (
        <p className={css.problem} role="alert">
          {tUi('tooLong', { n: longestText })}
        </p>
      )}
      {isEmpty && option.queueType === 'attendent' && <p className={css.lead}>{t('standardText', { text: textIn(language, 'chosen') })}</p>}
      {isEmpty && option.queueType === 'text' && option.chatbots.length > 0 && <p className={css.lead}>{t('messageNeeded')}</p>}
    </>
  )
}
