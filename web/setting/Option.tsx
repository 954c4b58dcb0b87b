import { Switch } from '@blueprintjs/core'
import { useAtom, useAtomValue, useSetAtom, useStore } from 'jotai'
import { type ReactNode, useId, useState } from 'react'
import { useLocation } from 'wouter'
import { lacksText, missingText, on, type Setting, type SettingKey, type Settings, settings, textsInUse } from '#domain/setting/contract.ts'
import type { ApiError } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { toast, toastUndo } from '#web/ui/toaster.ts'
import { draftsAtom, setTo, storedAtom, valuesAtom, wantedAtom } from './atoms.ts'
import { CountryOption } from './CountryOption.tsx'
import { choicesOf, isSwitch } from './choices.ts'
import { confirmationFor } from './groups.ts'
import { hintWords } from './hint-words.ts'
import css from './Option.module.css'
import { TextOption } from './TextOption.tsx'
import { choiceWords, optionWords, settingWords } from './words.ts'
import { ZoneOption } from './ZoneOption.tsx'

const off = (choices: string[]) => choices.find((one) => one === 'disabled' || one === 'false')!
const turned = (choices: string[]) => choices.find((one) => one === 'enabled' || one === 'true')!

/**
 * One setting. It is saved on change, a text by its own button. `searching`: a search shows an option whatever
 * other setting it depends on.
 */
export function Option({ of: key, searching }: { of: SettingKey; searching: boolean }) {
  const t = useWords(settingWords)
  const tOption = useWords(optionWords)
  const values = useAtomValue(valuesAtom)
  const act = useAsyncAction()
  const [asked, setAsked] = useState<string | null>(null)
  const [allWanted, setAllWanted] = useAtom(wantedAtom)
  const wanted = allWanted[key]
  const want = (to?: string) => setAllWanted(({ [key]: _, ...others }) => (to === undefined ? others : { ...others, [key]: to }))
  const explained = useRefusalExplained(want)
  const store = useStore()
  const line: Setting = settings[key]
  const value = values[key]
  const choices = choicesOf(key)

  const save = async (to: string) => {
    await setTo(key, to)
    const saved = `${tOption(key as keyof typeof optionWords)}: ${t('saved')}`
    if (to === value || line.secret) return toast(saved)
    toastUndo(saved, t('undo'), async () => {
      if (store.get(valuesAtom)[key] === to) return setTo(key, value)
      toast(t('notUndone'), 'warning') // another user has changed it since
    })
  }
  const choose = (to: string) => {
    if (to === value) return
    if (missingText(values, key, to)) want(to)
    else if (confirmationFor(key, to, values)) setAsked(to)
    else void act(() => save(to), { refused: explained(to) })()
  }
  if (choices === null && key !== 'timeZone' && key !== 'phoneCountry') return <TextRow of={key} searching={searching} onSave={save} />
  const question = asked === null ? null : confirmationFor(key, asked, values)
  const first = wantedText(values, allWanted, key)
  return (
    <>
      <Row of={key} busy={act.pending}>
        {(id, label) => (
          <Control
            of={key}
            {...{ id, label, value, choices, busy: act.pending, shown: first ? wanted! : value, onChoose: choose }}
            onSwitch={(to) => {
              want()
              choose(to)
            }}
          />
        )}
      </Row>
      {first && (
        <Row of={first} note={t(key === 'acceptCallWhatsapp' ? 'callTextFirst' : 'textFirst')}>
          {(id) => (
            <TextOption
              id={id}
              of={first}
              value=""
              needed
              begin
              onCancel={() => want()}
              onSave={async (text) => {
                await setTo(first, text)
                await save(wanted!)
                want()
              }}
            />
          )}
        </Row>
      )}
      {question && (
        <Confirm
          title={tOption(key as keyof typeof optionWords)}
          question={t(question, { zone: asked! })}
          verb={t('change')}
          intent={key === 'timeZone' ? 'primary' : 'danger'}
          onConfirm={() => save(asked!)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

/** Leads to the text that a refused option lacks: a rating text of a connection, or one that another user has just emptied. */
function useRefusalExplained(want: (to: string) => void) {
  const t = useWords(settingWords)
  const [, go] = useLocation()
  const reload = useSetAtom(storedAtom.reload)
  const explain = (to: string, { detail }: ApiError): boolean => {
    if (detail.rule === 'needsText') {
      want(to)
      void reload()
      return true
    }
    if (detail.rule !== 'needsRating') return false
    toast(t('ratingTextMissing', { names: String(detail.connections) }), 'warning', {
      action: { text: t('toConnections'), run: () => go('/connections') },
    })
    return true
  }
  return (to: string) => (error: ApiError) => explain(to, error)
}

/** A text. It is hidden while no setting uses it, and while the form of its switch asks for it. */
function TextRow({ of: key, searching, onSave }: { of: SettingKey; searching: boolean; onSave: (text: string) => Promise<unknown> }) {
  const values = useAtomValue(valuesAtom)
  const allWanted = useAtomValue(wantedAtom)
  const drafts = useAtomValue(draftsAtom)
  const { usedWhile }: Setting = settings[key]
  const inUse = usedWhile === undefined || textsInUse(values).includes(key)
  const wantedBy = (usedWhile?.[0] ?? neededBy(key)) as SettingKey | undefined
  if (wantedBy && wantedText(values, allWanted, wantedBy) === key) return null
  if (!inUse && !searching && !drafts[key]) return null
  return (
    <Row of={key}>
      {(id) => <TextOption id={id} of={key} value={values[key]} needed={usedWhile !== undefined && inUse} onSave={onSave} />}
    </Row>
  )
}

/** The control of a setting with few values. `shown`: what a switch shows while it waits for its text. */
function Control(of: {
  of: SettingKey
  id: string
  label: string
  value: string
  shown: string
  choices: string[] | null
  busy: boolean
  onChoose: (to: string) => void
  onSwitch: (to: string) => void
}) {
  const { id, value, choices, onChoose } = of
  if (of.of === 'timeZone') return <ZoneOption id={id} value={value} off={of.busy} onChoose={onChoose} />
  if (of.of === 'phoneCountry') return <CountryOption id={id} value={value} off={of.busy} onChoose={onChoose} />
  if (!isSwitch(choices!)) return <Choices id={id} choices={choices!} value={value} off={of.busy} onChoose={onChoose} />
  return (
    <Switch
      size="large"
      id={id}
      aria-label={of.label}
      className={css.switch ?? ''}
      checked={of.shown === turned(choices!)}
      disabled={of.busy}
      onChange={({ currentTarget }) => of.onSwitch(currentTarget.checked ? turned(choices!) : off(choices!))}
    />
  )
}

/** The setting that cannot be switched on without this text. */
const neededBy = (text: SettingKey) => (Object.keys(settings) as SettingKey[]).find((key) => (settings[key] as Setting).needs === text)

/** The text that a wanted setting still needs; null if none, or if another user has written it since. */
const wantedText = (now: Settings, wanted: Partial<Settings>, key: SettingKey): SettingKey | null =>
  wanted[key] === undefined ? null : missingText(now, key, wanted[key])

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
  const t = useWords(settingWords)
  const tOption = useWords(optionWords)
  const tHint = useWords(hintWords)
  const id = useId()
  const values = useAtomValue(valuesAtom)
  const line: Setting = settings[key]
  const above = line.under as keyof typeof optionWords | undefined
  const label = tOption(key as keyof typeof optionWords)
  return (
    <li className={`${css.option} ${line.usedWhile ? css.below : ''}`} aria-busy={busy} data-part="option" data-setting={key}>
      <div className={css.description}>
        <label htmlFor={id}>{label}</label>
        {note ? <p role="status">{note}</p> : key in hintWords && <p>{tHint(key as keyof typeof hintWords)}</p>}
        {line.idle && <p className={css.idle}>{t('idle')}</p>}
        {line.needs && lacksText(values, key) && (
          <p className={css.idle}>{t('lacksText', { name: tOption(line.needs as keyof typeof optionWords) })}</p>
        )}
        {above && !on(values, above) && <p className={css.idle}>{t('under', { name: tOption(above) })}</p>}
      </div>
      <div className={css.control}>{children(id, label)}</div>
    </li>
  )
}

function Choices(of: { id: string; choices: string[]; value: string; off: boolean; onChoose: (to: string) => void }) {
  const tChoice = useWords(choiceWords)
  return (
    <HTMLSelect id={of.id} fill value={of.value} disabled={of.off} onChange={({ target }) => of.onChoose(target.value)}>
      {of.choices.map((one) => (
        <option key={one} value={one}>
          {one in choiceWords ? tChoice(one as keyof typeof choiceWords) : one}
        </option>
      ))}
    </HTMLSelect>
  )
}
