import { Button, Radio, RadioGroup, Switch } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { useId, useState } from 'react'
import type { NotificationSettings } from '#domain/notification/contract.ts'
import { on } from '#domain/setting/contract.ts'
import { TimeInput } from '#web/hours/TimeInput.tsx'
import { useWords } from '#web/i18n.ts'
import { useSettings } from '#web/session.ts'
import { notificationSettingsAtom } from './atoms.ts'
import css from './SoundSettings.module.css'
import { saveNotifications } from './settings.ts'
import { tones } from './tones.ts'
import { soundWords } from './words.ts'

/** Sounds, volume, quiet hours and browser notices of the user; each change is stored at once. */
export function SoundSettings() {
  const t = useWords(soundWords)
  const company = useSettings()
  const { messageSound, waitingSound } = useAtomValue(notificationSettingsAtom)
  const hasWaiting = on(company, 'showNotificationPending')
  return (
    <div className={css.settings}>
      <Volume />
      <Switch
        label={t('messageSound')}
        checked={messageSound}
        onChange={({ currentTarget: { checked } }) => saveNotifications({ messageSound: checked })}
      />
      <Switch
        label={t('waitingSound')}
        checked={waitingSound && hasWaiting}
        disabled={!hasWaiting}
        onChange={({ currentTarget: { checked } }) => saveNotifications({ waitingSound: checked })}
      />
      {!hasWaiting && <p className={css.hint}>{t('waitingOff')}</p>}
      <QuietHours />
      <Notices />
    </div>
  )
}

/** R-LAYOUT-08. The new volume sounds once and is stored when the slider is released. */
function Volume() {
  const t = useWords(soundWords)
  const id = useId()
  const { volume } = useAtomValue(notificationSettingsAtom)
  const [moved, setMoved] = useState<number | null>(null)
  const shown = moved ?? volume
  const save = () => {
    if (moved === null) return
    setMoved(null)
    if (moved === volume) return
    saveNotifications({ volume: moved })
    tones.play({ sound: 'message', volume: moved })
  }
  const text = shown === 0 ? t('silent') : `${Math.round(shown * 100)} %`
  return (
    <div className={css.volume}>
      <label htmlFor={id}>{t('volume')}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={1}
        step={0.1}
        value={shown}
        aria-valuetext={text}
        onChange={({ currentTarget: { valueAsNumber } }) => setMoved(valueAsNumber)}
        onPointerUp={save}
        onKeyUp={save}
        onBlur={save}
      />
      <output htmlFor={id} className="nums">
        {text}
      </output>
    </div>
  )
}

const usual = { from: '22:00', to: '07:00' }
const isTime = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text)
function QuietHours() {
  const t = useWords(soundWords)
  const { timeZone } = useSettings()
  const { quiet } = useAtomValue(notificationSettingsAtom)
  /** Two times of which one is not valid yet. */
  const [typed, setTyped] = useState<NotificationSettings['quiet']>(null)
  const shown = typed ?? quiet
  const change = (part: Partial<typeof usual>) => {
    const next = { ...(shown ?? usual), ...part }
    const isValid = isTime(next.from) && isTime(next.to)
    setTyped(isValid ? null : next)
    if (isValid) saveNotifications({ quiet: next })
  }
  return (
    <>
      <Switch
        label={t('quiet')}
        checked={quiet !== null}
        onChange={({ currentTarget: { checked } }) => {
          setTyped(null)
          saveNotifications({ quiet: checked ? usual : null })
        }}
      />
      {shown && (
        <>
          <div className={css.times}>
            <span>{t('quietFrom')}</span>
            <TimeInput label={t('quietFrom')} value={shown.from} wrong={!isTime(shown.from)} onChange={(from) => change({ from })} />
            <span>{t('quietTo')}</span>
            <TimeInput label={t('quietTo')} value={shown.to} wrong={!isTime(shown.to)} onChange={(to) => change({ to })} />
          </div>
          {typed ? (
            <p className={css.wrong} role="alert">
              {t('quietWrong')}
            </p>
          ) : (
            <p className={css.hint}>{t('quietHint', { zone: timeZone })}</p>
          )}
        </>
      )}
    </>
  )
}

const kinds = ['text', 'sender', 'never'] as const
type Permission = NotificationPermission | 'unsupported'
const permissionNow = (): Permission => (typeof Notification === 'undefined' ? 'unsupported' : Notification.permission)

/** The browser asks for its permission only after a click here. */
function Notices() {
  const t = useWords(soundWords)
  const { notices } = useAtomValue(notificationSettingsAtom)
  const [permission, setPermission] = useState(permissionNow)
  const ask = async () => setPermission(await Notification.requestPermission())
  const choose = (kind: NotificationSettings['notices']) => {
    saveNotifications({ notices: kind })
    if (kind !== 'never' && permission === 'default') void ask()
  }
  return (
    <>
      <RadioGroup
        label={t('notices')}
        selectedValue={notices}
        onChange={({ currentTarget: { value } }) => choose(value as NotificationSettings['notices'])}
      >
        {kinds.map((kind) => (
          <Radio key={kind} value={kind} label={t(kind)} />
        ))}
      </RadioGroup>
      {notices !== 'never' && permission === 'default' && <Button size="small" text={t('allow')} onClick={() => void ask()} />}
      {notices !== 'never' && (permission === 'denied' || permission === 'unsupported') && (
        <p className={css.hint} role="status">
          {t(permission)}
        </p>
      )}
    </>
  )
}
