import { Button, HTMLSelect, InputGroup, Switch } from '@blueprintjs/core'
import { ArrowDown, ArrowUp, Plus, Trash } from '@blueprintjs/icons'
import type { Option } from '#domain/chatbot/contract.ts'
import { longestText, optionTypes } from '#domain/chatbot/contract.ts'
import type { OptionFault } from '#domain/chatbot/rules.ts'
import { errorWords } from '#web/errors.ts'
import { useWords } from '#web/i18n.ts'
import { SaidText } from '#web/message/said/SaidText.tsx'
import { uiWords } from '#web/ui/words.ts'
import css from './Bot.module.css'
import { blankOption, type Leads } from './options.ts'
import { botWords, typeWords } from './words.ts'

type Level = {
  options: Option[]
  at: string
  leads: Leads
  fault: OptionFault | null
  /** Names that were not written yet are at fault too. */
  strict: boolean
  onChange: (options: Option[]) => void
}

/** One level of options, each with those below it; moved by buttons, so by keys too. */
export function OptionEditor({ options, at, onChange, ...same }: Level) {
  const put = (n: number, next: Option) => onChange(options.with(n, next))
  const swap = (n: number, to: number) => onChange(options.with(n, options[to]!).with(to, options[n]!))
  return (
    <ol className={css.level}>
      {options.map((option, n) => (
        <li key={option.id ?? `new-${n}`}>
          <One
            {...same}
            option={option}
            at={`${at}/${n}`}
            n={n}
            onChange={(next) => put(n, next)}
            onRemove={() => onChange(options.toSpliced(n, 1))}
            onUp={n === 0 ? null : () => swap(n, n - 1)}
            onDown={n === options.length - 1 ? null : () => swap(n, n + 1)}
          />
        </li>
      ))}
    </ol>
  )
}

type OneOf = Omit<Level, 'options' | 'onChange'> & {
  option: Option
  n: number
  onChange: (option: Option) => void
  onRemove: () => void
  onUp: (() => void) | null
  onDown: (() => void) | null
}
function One({ option, n, at, leads, fault, strict, onChange, onRemove, onUp, onDown }: OneOf) {
  const say = useWords(botWords)
  const called = useWords(typeWords)
  const wrong = useWords(errorWords)
  const form = useWords(uiWords)
  const name = option.name.trim() || say('unnamed', { n: n + 1 })
  const set = (change: Partial<Option>) => onChange({ ...option, ...change })
  const short = option.name.trim().length < 4 && (strict || option.name.trim() !== '')
  const mine = fault?.at === at ? fault : null
  const long = mine?.field === 'greetingMessage'
  const problem = short ? say('short') : mine && !long && (mine.code === 'ERR_INVALID_INPUT' ? say('target') : wrong(mine.code))
  const target = { queue: ['optQueueId', leads.queues], attendent: ['optUserId', leads.users], file: ['optFileId', leads.files] } as const
  const led = option.queueType in target ? target[option.queueType as keyof typeof target] : null
  return (
    <div className={css.option}>
      <div className={css.line}>
        <InputGroup
          fill
          value={option.name}
          placeholder={say('name')}
          aria-label={`${say('name')} ${n + 1}`}
          aria-invalid={Boolean(problem)}
          {...(problem && { intent: 'danger' as const })}
          onValueChange={(text) => set({ name: text })}
        />
        <Button variant="minimal" icon={<ArrowUp size={14} />} aria-label={say('up', { name })} disabled={!onUp} onClick={() => onUp?.()} />
        <Button
          variant="minimal"
          icon={<ArrowDown size={14} />}
          aria-label={say('down', { name })}
          disabled={!onDown}
          onClick={() => onDown?.()}
        />
        <Button variant="minimal" icon={<Trash size={14} />} aria-label={say('remove', { name })} onClick={onRemove} />
      </div>
      {problem && (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={css.line}>
        <HTMLSelect
          aria-label={`${say('type')}: ${name}`}
          value={option.queueType}
          options={optionTypes.filter((type) => type !== 'integration').map((value) => ({ value, label: called(value) }))}
          onChange={({ currentTarget }) =>
            set({ queueType: currentTarget.value as Option['queueType'], optQueueId: null, optUserId: null, optFileId: null })
          }
        />
        {led && (
          <HTMLSelect
            aria-label={`${say(option.queueType === 'queue' ? 'queue' : option.queueType === 'file' ? 'file' : 'user')}: ${name}`}
            value={option[led[0]] ?? ''}
            onChange={({ currentTarget: { value } }) => set({ [led[0]]: value === '' ? null : Number(value) })}
          >
            <option value="">{say(option.queueType === 'attendent' ? 'anyone' : 'choose')}</option>
            {led[1].map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </HTMLSelect>
        )}
        <Switch
          className={css.closes!}
          label={say('closes')}
          checked={option.closeTicket}
          onChange={({ currentTarget }) => set({ closeTicket: currentTarget.checked })}
        />
      </div>
      <SaidText
        fill
        rows={1}
        className={css.message!}
        aria-invalid={long}
        {...(long && { intent: 'danger' as const })}
        aria-label={`${say('message')}: ${name}`}
        placeholder={say('message')}
        value={option.greetingMessage ?? ''}
        onChange={({ target }) => set({ greetingMessage: target.value === '' ? null : target.value })}
      />
      {long && (
        <p className={css.problem} role="alert">
          {form('tooLong', { n: longestText })}
        </p>
      )}
      {option.queueType === 'text' && (
        <>
          {option.chatbots.length > 0 && !option.greetingMessage?.trim() && <p className={css.lead}>{say('messageNeeded')}</p>}
          <OptionEditor
            options={option.chatbots}
            at={`${at}/chatbots`}
            leads={leads}
            fault={fault}
            strict={strict}
            onChange={(chatbots) => set({ chatbots })}
          />
          <Button
            variant="minimal"
            size="small"
            icon={<Plus size={14} />}
            text={say('addBelow', { name })}
            onClick={() => set({ chatbots: [...option.chatbots, blankOption()] })}
          />
        </>
      )}
    </div>
  )
}
