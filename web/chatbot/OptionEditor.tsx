import { Button, InputGroup } from '@blueprintjs/core'
import { DragHandleVertical, Plus, Trash } from '@blueprintjs/icons'
import { type ReactNode, useRef, useState } from 'react'
import type { Option } from '#domain/chatbot/contract.ts'
import type { OptionFault } from '#domain/chatbot/rules.ts'
import '#web/area-errors.ts'
import { errorWords } from '#web/errors.ts'
import { useWords } from '#web/i18n.ts'
import { useCarried, usePlace } from '#web/ui/drag.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './Bot.module.css'
import { handsOver, MoveButtons, type MoveDirection, OptionKind, OptionMessage, type Steps } from './OptionFields.tsx'
import { blankOption, type Leads, moved, type Where } from './options.ts'
import { botWords } from './words.ts'

type Shared = {
  leads: Leads
  fault: OptionFault | null
  /** Also reports empty names that were never edited. */
  strict: boolean
  /** Moves an option within the whole tree. `by`: the pressed button, which keeps the focus after the move. */
  onMove: (from: string, to: string, where: Where, by?: MoveDirection) => void
  /** Options that a change of type removed, by path. They can be restored until paths change. */
  taken: Readonly<Record<string, Option[]>>
  onTake: (at: string, options: Option[]) => void
  onShift: () => void
}
type Level = Shared & { options: Option[]; at: string; onChange: (options: Option[]) => void }

/** Edits the whole tree; an option may move to any level. */
export function OptionEditor({ options, onChange, ...same }: Omit<Level, 'at' | 'onMove' | 'taken' | 'onTake' | 'onShift'>) {
  const [taken, setTaken] = useState<Readonly<Record<string, Option[]>>>({})
  const onShift = () => setTaken({})
  const onMove: Level['onMove'] = (from, to, where, by) => {
    const after = moved(options, from, to, where)
    if (!after) return
    onShift()
    onChange(after.tree)
    if (by) goOnWith(after.at, by)
  }
  const take = (of: string, below: Option[]) => setTaken((now) => ({ ...now, [of]: below }))
  return <Options {...same} {...{ options, onChange, onMove, taken, onTake: take, onShift }} at="chatbots" />
}

/** One level of options with their children. Options are moved by drag, by buttons and by keys. */
function Options({ options, at, onChange, ...same }: Level) {
  return (
    <ol className={css.level}>
      {options.map((option, n) => (
        <One
          key={option.id ?? `new-${n}`}
          {...same}
          option={option}
          before={options[n - 1]}
          at={`${at}/${n}`}
          n={n}
          onChange={(next) => onChange(options.with(n, next))}
          onRemove={() => {
            same.onShift()
            onChange(options.toSpliced(n, 1))
          }}
          last={n === options.length - 1}
        />
      ))}
    </ol>
  )
}

const goOnWith = (place: string, way: MoveDirection) =>
  requestAnimationFrame(() => {
    const its = (one: MoveDirection) => document.querySelector<HTMLElement>(`[data-option="${place}"] [data-way=${one}]:enabled`)
    const ways = ({ up: ['up', 'down'], down: ['down', 'up'], out: ['out', 'in', 'up'], in: ['in', 'out'] } as const)[way]
    ways.map(its).find(Boolean)?.focus()
  })

const siblingAt = (at: string, step: number) => at.replace(/(?<!\d)\d+$/, (n) => `${Number(n) + step}`)
const overAt = (at: string) => at.replace(/\/chatbots\/\d+$/, '')

/** The error of an option that is shown below its name; null: none. */
function useProblem(option: Option, fault: OptionFault | null, { strict, leads }: Pick<Shared, 'strict' | 'leads'>): string | null {
  const t = useWords(botWords)
  const tError = useWords(errorWords)
  const name = option.name.trim()
  if (name.length < 4 && (strict || name !== '')) return t('short')
  if (!fault || fault.field === 'greetingMessage') return null // the text shows its own error
  if (fault.code === 'ERR_INVALID_INPUT') return t('target')
  const chosen = leads.users.find(({ id }) => id === option.optUserId)
  return fault.code === 'ERR_NO_PERMISSION/queue' ? t('servesNot', { name: chosen?.name ?? '' }) : tError(fault.code)
}

type OneOf = Shared & {
  option: Option
  before: Option | undefined
  n: number
  at: string
  onChange: (option: Option) => void
  onRemove: () => void
  last: boolean
}
const stepsFrom = ({ at, n, last, before }: Pick<OneOf, 'at' | 'n' | 'last' | 'before'>): Steps => ({
  up: [n > 0, siblingAt(at, -1), 'top'],
  down: [!last, siblingAt(at, 1), 'bottom'],
  out: [overAt(at) !== 'chatbots' && at.includes('/chatbots/'), overAt(at), 'bottom'],
  in: [before?.queueType === 'text', siblingAt(at, -1), 'inside'],
})
/** One option with its level below. */
function One({ option, before, n, at, last, onChange, onRemove, ...same }: OneOf) {
  const { leads, fault, onMove } = same
  const t = useWords(botWords)
  const tUi = useWords(uiWords)
  const name = option.name.trim() || t('unnamed', { n: n + 1 })
  const set = (change: Partial<Option>) => onChange({ ...option, ...change })
  const mine = fault?.at === at ? fault : null
  const problem = useProblem(option, mine, same)
  const place = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLSpanElement>(null)
  const over = usePlace<'top' | 'bottom'>(place, {
    edges: 'rows',
    takes: ({ kind, id }) => kind === 'option' && at !== id && !at.startsWith(`${id}/`),
    put: ({ id }, where) => onMove(`${id}`, at, where),
  })
  useCarried(handle, { kind: 'option', id: at })
  const taken = same.taken[at] ?? []
  const retype = (queueType: Option['queueType']) => {
    const shows = queueType === 'text'
    same.onTake(at, shows ? [] : [...taken, ...option.chatbots])
    set({
      ...{ queueType, optQueueId: null, optUserId: null, optFileId: null },
      chatbots: shows ? [...taken, ...option.chatbots] : [],
      ...(handsOver(queueType) && { closeTicket: false }),
    })
  }
  return (
    <li ref={place} data-over={over ?? undefined}>
      <div className={css.option}>
        <div className={css.line} data-option={at}>
          <span ref={handle} className={css.handle} aria-hidden title={t('drag')}>
            <DragHandleVertical size={16} />
          </span>
          <InputGroup
            fill
            value={option.name}
            placeholder={t('name')}
            aria-label={`${t('name')} ${n + 1}`}
            aria-invalid={Boolean(problem)}
            {...(problem && { intent: 'danger' as const })}
            onValueChange={(text) => set({ name: text })}
          />
          <MoveButtons name={name} steps={stepsFrom({ at, n, last, before })} onMove={(to, where, by) => onMove(at, to, where, by)} />
          <Button variant="minimal" icon={<Trash size={14} />} aria-label={t('remove', { name })} onClick={onRemove} />
        </div>
        {problem && (
          <p className={css.problem} role="alert">
            {problem}
          </p>
        )}
        <OptionKind option={option} name={name} leads={leads} onSet={set} onRetype={retype} />
        <OptionMessage option={option} name={name} long={mine?.field === 'greetingMessage'} onSet={set} />
        {taken.length > 0 && option.queueType !== 'text' && (
          <p className={css.lead} role="status">
            {t(taken.length === 1 ? 'takenOne' : 'takenMany', { n: taken.length })}{' '}
            <Button size="small" variant="minimal" text={tUi('undo')} onClick={() => retype('text')} />
          </p>
        )}
        {option.queueType === 'text' && (
          <>
            <Options {...same} options={option.chatbots} at={`${at}/chatbots`} onChange={(chatbots) => set({ chatbots })} />
            <Below at={at} onMove={onMove}>
              <Button
                variant="minimal"
                size="small"
                icon={<Plus size={14} />}
                text={t('addBelow', { name })}
                onClick={() => set({ chatbots: [...option.chatbots, blankOption()] })}
              />
            </Below>
          </>
        )}
      </div>
    </li>
  )
}

/** The place below an option where a child option is created or dropped. */
function Below({ at, onMove, children }: { at: string; onMove: Level['onMove']; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const over = usePlace<'on'>(box, {
    edges: null,
    takes: ({ kind, id }) => kind === 'option' && at !== id && !at.startsWith(`${id}/`),
    put: ({ id }) => onMove(`${id}`, at, 'inside'),
  })
  return (
    <div ref={box} className={css.below} data-below={at} data-over={over ?? undefined}>
      {children}
    </div>
  )
}
