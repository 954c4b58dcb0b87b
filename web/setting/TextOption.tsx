import { Button, InputGroup } from '@blueprintjs/core'
import { useAtom } from 'jotai'
import type { KeyboardEvent } from 'react'
import { Check } from 'typebox/schema'
import { webAddress } from '#domain/interactive/rules.ts'
import { type Setting, type SettingKey, settings } from '#domain/setting/contract.ts'
import { textNames } from '#domain/ticket/rules.ts'
import { translate, useWords } from '#web/i18n.ts'
import { interactiveWords } from '#web/interactive/words.ts'
import { mailWords } from '#web/mail/words.ts'
import { CustomerTextArea } from '#web/message/customer-text/CustomerTextArea.tsx'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Discard } from '#web/ui/Discard.tsx'
import { link } from '#web/ui/link.ts'
import { useUnsaved } from '#web/ui/unsaved.ts'
import { uiWords } from '#web/ui/words.ts'
import { draftsAtom } from './atoms.ts'
import css from './Option.module.css'
import { optionWords, settingWords } from './words.ts'

/** R-SET-04 */
const leaving = 500

/** A text setting. The draft stays while another user changes the value; a button or Ctrl+Enter saves it. */
export function TextOption(of: {
  id: string
  of: SettingKey
  value: string
  /** The text is in use, so it cannot be empty. */
  needed: boolean
  /** The field was just opened by its switch. */
  begin?: boolean
  onSave: (text: string) => Promise<unknown>
  onCancel?: () => void
}) {
  const t = useWords(settingWords)
  const tUi = useWords(uiWords)
  const act = useAsyncAction()
  const [drafts, setDrafts] = useAtom(draftsAtom)
  const draft = drafts[of.of]
  const secret = (settings[of.of] as Setting).secret === true
  const text = draft?.text ?? (secret ? '' : of.value)
  const changed = draft !== undefined && (secret || text !== of.value)
  const forget = () => setDrafts(({ [of.of]: _, ...others }) => others)
  const cancel = () => {
    forget()
    of.onCancel?.()
  }
  const unsaved = useUnsaved(changed, cancel, act.pending)
  const meant = of.of === 'lgpdLink' ? link(text) : text
  const wrong = changed ? wrongIn(of.of, meant, of.needed) : null
  const theirs = changed && !secret && draft.from !== of.value
  const save = act(async () => {
    await new Promise((left) => setTimeout(left, leaving))
    await of.onSave(meant)
    forget()
  })
  const mayGo = changed && wrong === null
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && mayGo) {
      event.preventDefault()
      void save()
    }
  }
  const field = {
    id: of.id,
    value: text,
    fill: true,
    autoFocus: of.begin ?? false,
    'aria-invalid': wrong !== null,
    ...(wrong && { intent: 'danger' as const, 'aria-describedby': `${of.id}-wrong` }),
    onKeyDown: press,
  }
  const type = (next: string) => setDrafts((now) => ({ ...now, [of.of]: { text: next, from: draft?.from ?? of.value } }))
  return (
    <div className={css.text}>
      {of.of === 'lgpdLink' ? (
        <InputGroup {...field} inputMode="url" placeholder="https://" onValueChange={type} onBlur={() => meant !== text && type(meant)} />
      ) : secret ? (
        <InputGroup
          {...field}
          type="password"
          autoComplete="new-password"
          placeholder={translate(mailWords, of.value === '' ? 'passwordUnset' : 'passwordSet')}
          onValueChange={type}
        />
      ) : (settings[of.of] as Setting).of === 'platform' || of.of === 'maxOpenTickets' ? (
        <InputGroup {...field} onValueChange={type} />
      ) : (
        <CustomerTextArea
          {...field}
          {...(of.of === 'sendQueuePositionMessage' && { names: [...textNames, 'position'] })}
          autoResize
          rows={2}
          onChange={({ target }) => type(target.value)}
        />
      )}
      {wrong && (
        <p id={`${of.id}-wrong`} className={css.wrong} role="alert">
          {wrong}
        </p>
      )}
      {theirs && (
        <p className={css.theirs} role="status">
          {t('changedMeanwhile', { text: of.value || tUi('emptied') })}
          <Button variant="minimal" size="small" text={tUi('takeTheirs')} onClick={forget} />
        </p>
      )}
      {unsaved.asking ? (
        <Discard lost={[translate(optionWords, of.of as keyof typeof optionWords)]} of={unsaved} />
      ) : (
        (changed || of.begin) && (
          <div className={css.buttons}>
            <Button text={tUi('cancel')} disabled={act.pending} onClick={cancel} />
            <Button intent="primary" text={tUi('save')} loading={act.pending} disabled={!mayGo} onClick={() => void save()} />
          </div>
        )
      )}
    </div>
  )
}

function wrongIn(key: SettingKey, text: string, needed: boolean): string | null {
  if (needed && text.trim() === '') return translate(uiWords, 'required')
  const shape = settings[key].shape as { maxLength?: number }
  if (key === 'lgpdLink' && text !== '' && webAddress(text) === null) return translate(interactiveWords, 'badLink')
  if (Check(shape as object, text as unknown)) return null
  const { maxLength = 0 } = shape
  return text.length > maxLength ? translate(uiWords, 'tooLong', { n: maxLength }) : translate(uiWords, 'badValue')
}
