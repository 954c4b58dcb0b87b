import { Button, HTMLSelect, InputGroup, Switch } from '@blueprintjs/core'
import { ArrowDown, ArrowUp, DragHandleVertical, Plus, Trash } from '@blueprintjs/icons'
import { useState } from 'react'
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

/** One level of options, each with those below it; dragged to another place among them, or moved by buttons, so by keys too. */
export function OptionEditor({ options, at, onChange, ...same }: Level) {
  const put = (n: number, next: Option) => onChange(options.with(n, next))
  const [carried, carry] = useState<number | null>(null)
  const [over, hover] = useState<number | null>(null)
  const move = (from: number, to: number) => onChange(options.toSpliced(from, 1).toSpliced(to, 0, options[from]!))
  const step = (n: number, way: Way) => {
    const to = n + (way === 'up' ? -1 : 1)
    move(n, to)
    goOnWith(`${at}/${to}`, way)
  }
  const putDown = () => {
    carry(null)
    hover(null)
  }
  return (
    <ol className={css.level}>
      {options.map((option, n) => (
        <li
          key={option.id ?? `new-${n}`}
          data-over={over === n && carried !== null && carried !== n ? (carried < n ? 'below' : 'above') : undefined}
          onDragOver={(event) => {
            if (carried === null) return // of another level
            event.preventDefault()
            event.stopPropagation()
            hover(n)
          }}
          onDrop={(event) => {
            if (carried === null) return
            event.preventDefault()
            event.stopPropagation()
            if (carried !== n) move(carried, n)
            putDown()
          }}
        >
          <One
            {...same}
            option={option}
            at={`${at}/${n}`}
            n={n}
            onChange={(next) => put(n, next)}
            onRemove={() => onChange(options.toSpliced(n, 1))}
            last={n === options.length - 1}
            onStep={(way) => step(n, way)}
            onCarry={(is) => (is ? carry(n) : putDown())}
          />
        </li>
      ))}
    </ol>
  )
}

type Way = 'up' | 'down'
/** Who moves an option by its buttons goes on with it. */
const goOnWith = (place: string, way: Way) =>
  requestAnimationFrame(() => {
    const its = (one: Way) => document.querySelector<HTMLElement>(`[data-option="${place}"] [data-way=${one}]:enabled`)
    ;(its(way) ?? its(way === 'up' ? 'down' : 'up'))?.focus()
  })

type OneOf = Omit<Level, 'options' | 'onChange'> & {
  option: Option
  n: number
  onChange: (option: Option) => void
  onRemove: () => void
  last: boolean
  onStep: (way: Way) => void
  /** It is carried, or put down. */
  onCarry: (is: boolean) => void
}
function One({ option, n, at, leads, fault, strict, last, onChange, onRemove, onStep, onCarry }: OneOf) {
  const say = useWords(botWords)
  const called = useWords(typeWords)
  const wrong = useWords(errorWords)
  const form = useWords(uiWords)
  const name = option.name.trim() || say('unnamed', { n: n + 1 })
  const set = (change: Partial<Option>) => onChange({ ...option, ...change })
  const short = option.name.trim().length < 4 && (strict || option.name.trim() !== '')
  const mine = fault?.at === at ? fault : null
  const long = mine?.field === 'greetingMessage'
  const chosen = leads.users.find(({ id }) => id === option.optUserId)
  const told = (fault: OptionFault) => {
    if (fault.code === 'ERR_INVALID_INPUT') return say('target')
    return fault.code === 'ERR_NO_PERMISSION/queue' ? say('servesNot', { name: chosen?.name ?? '' }) : wrong(fault.code)
  }
  const problem = short ? say('short') : mine && !long && told(mine)
  const people = leads.users.filter((one) => one.serves || one === chosen) // who no longer serves it stands there until it is mended
  const target = { queue: ['optQueueId', leads.queues], attendent: ['optUserId', people], file: ['optFileId', leads.files] } as const
  const led = option.queueType in target ? target[option.queueType as keyof typeof target] : null
  return (
    <div className={css.option}>
      <div className={css.line} data-option={at}>
        <span
          className={css.handle}
          draggable
          aria-hidden
          title={say('drag')}
          onDragStart={({ dataTransfer }) => {
            dataTransfer.setData('application/x-guiche-option', at)
            dataTransfer.effectAllowed = 'move'
            onCarry(true)
          }}
          onDragEnd={() => onCarry(false)}
        >
          <DragHandleVertical size={16} />
        </span>
        <InputGroup
          fill
          value={option.name}
          placeholder={say('name')}
          aria-label={`${say('name')} ${n + 1}`}
          aria-invalid={Boolean(problem)}
          {...(problem && { intent: 'danger' as const })}
          onValueChange={(text) => set({ name: text })}
        />
        {(['up', 'down'] as const).map((way) => (
          <Button
            key={way}
            data-way={way}
            variant="minimal"
            icon={way === 'up' ? <ArrowUp size={14} /> : <ArrowDown size={14} />}
            aria-label={say(way, { name })}
            disabled={way === 'up' ? n === 0 : last}
            onClick={() => onStep(way)}
          />
        ))}
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
