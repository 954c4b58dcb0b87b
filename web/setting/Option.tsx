import { HTMLSelect, Switch } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { type ReactNode, useId, useState } from 'react'
import { type Setting, type SettingKey, saidNow, settings, unwritten } from '#domain/setting/contract.ts'
import { useWords } from '#web/i18n.ts'
import { useAct } from '#web/ui/act.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { toast, toastUndo } from '#web/ui/toaster.ts'
import { setTo, valuesAtom } from './atoms.ts'
import { asks } from './groups.ts'
import css from './Option.module.css'
import { TextOption } from './TextOption.tsx'
import { choiceWords, hintWords, optionWords, settingWords } from './words.ts'
import { ZoneOption } from './ZoneOption.tsx'

const choicesOf = (key: SettingKey): string[] | null => ('enum' in settings[key].shape ? (settings[key].shape.enum as string[]) : null)
const isSwitch = (choices: string[]) => choices.length === 2 && (choices.includes('enabled') || choices.includes('true'))
const off = (choices: string[]) => choices.find((one) => one === 'disabled' || one === 'false')!
const turned = (choices: string[]) => choices.find((one) => one === 'enabled' || one === 'true')!

/** One setting, set as soon as it is changed; a text by its own button. `searching`: what one looks for is shown wherever it belongs to. */
export function Option({ of: key, searching }: { of: SettingKey; searching: boolean }) {
  const say = useWords(settingWords)
  const name = useWords(optionWords)
  const values = useAtomValue(valuesAtom)
  const act = useAct()
  const [asked, ask] = useState<string | null>(null)
  const [wanted, want] = useState<string | null>(null)
  const line: Setting = settings[key]
  const value = values[key]
  const choices = choicesOf(key)

  const save = async (to: string) => {
    await setTo(key, to)
    if (to === value) return toast(say('saved'))
    toastUndo(say('saved'), say('undo'), () => setTo(key, value))
  }
  const choose = (to: string) => {
    if (to === value) return
    if (unwritten(values, key, to)) want(to)
    else if (asks(key, to, values)) ask(to)
    else void act(() => save(to))()
  }
  if (choices === null && key !== 'timeZone') {
    const { saidWhile } = line
    const said = saidWhile === undefined || saidNow(values).includes(key)
    return said || searching ? (
      <Row of={key}>{(id) => <TextOption id={id} of={key} value={value} needed={saidWhile !== undefined && said} onSave={save} />}</Row>
    ) : null
  }
  const question = asked === null ? null : asks(key, asked, values)
  const first = wanted === null ? null : unwritten(values, key, wanted)
  return (
    <>
      <Row of={key} busy={act.pending}>
        {(id, label) =>
          key === 'timeZone' ? (
            <ZoneOption id={id} value={value} off={act.pending} onChoose={choose} />
          ) : isSwitch(choices!) ? (
            <Switch
              size="large"
              id={id}
              aria-label={label}
              className={css.switch ?? ''}
              checked={(wanted ?? value) === turned(choices!)}
              disabled={act.pending}
              onChange={({ currentTarget }) => {
                want(null)
                choose(currentTarget.checked ? turned(choices!) : off(choices!))
              }}
            />
          ) : (
            <Choices id={id} choices={choices!} value={value} off={act.pending} onChoose={choose} />
          )
        }
      </Row>
      {first && (
        <Row of={first} note={say(key === 'acceptCallWhatsapp' ? 'callTextFirst' : 'textFirst')}>
          {(id) => (
            <TextOption
              id={id}
              of={first}
              value=""
              needed
              begin
              onCancel={() => want(null)}
              onSave={async (text) => {
                await setTo(first, text)
                await save(wanted!)
                want(null)
              }}
            />
          )}
        </Row>
      )}
      {question && (
        <Confirm
          title={name(key as keyof typeof optionWords)}
          question={say(question, { zone: asked! })}
          verb={say('change')}
          intent={key === 'timeZone' ? 'primary' : 'danger'}
          onConfirm={() => save(asked!)}
          onClose={() => ask(null)}
        />
      )}
    </>
  )
}

function Row({
  of: key,
  note,
  busy = false,
  children,
}: {
  of: SettingKey
  note?: string
  busy?: boolean
  children: (id: string, label: string) => ReactNode
}) {
  const say = useWords(settingWords)
  const name = useWords(optionWords)
  const hint = useWords(hintWords)
  const id = useId()
  const line: Setting = settings[key]
  const label = name(key as keyof typeof optionWords)
  return (
    <li className={`${css.option} ${line.saidWhile ? css.below : ''}`} aria-busy={busy} data-part="option" data-setting={key}>
      <div className={css.told}>
        <label htmlFor={id}>{label}</label>
        {note ? <p role="status">{note}</p> : key in hintWords && <p>{hint(key as keyof typeof hintWords)}</p>}
        {line.idle && <p className={css.idle}>{say('idle')}</p>}
      </div>
      <div className={css.control}>{children(id, label)}</div>
    </li>
  )
}

function Choices(of: { id: string; choices: string[]; value: string; off: boolean; onChoose: (to: string) => void }) {
  const name = useWords(choiceWords)
  return (
    <HTMLSelect id={of.id} fill value={of.value} disabled={of.off} onChange={({ target }) => of.onChoose(target.value)}>
      {of.choices.map((one) => (
        <option key={one} value={one}>
          {one in choiceWords ? name(one as keyof typeof choiceWords) : one}
        </option>
      ))}
    </HTMLSelect>
  )
}
