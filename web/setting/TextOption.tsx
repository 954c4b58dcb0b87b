import { Button, InputGroup, TextArea } from '@blueprintjs/core'
import { useAtom, useAtomValue } from 'jotai'
import type { KeyboardEvent } from 'react'
import { type Setting, type SettingKey, settings } from '#domain/setting/contract.ts'
import { textNames } from '#domain/ticket/rules.ts'
import { translate, useWords } from '#web/i18n.ts'
import { mailWords } from '#web/mail/words.ts'
import { CustomerTextArea } from '#web/message/customer-text/CustomerTextArea.tsx'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Discard } from '#web/ui/Discard.tsx'
import { caps } from '#web/ui/keys.ts'
import { link } from '#web/ui/link.ts'
import { touched } from '#web/ui/touched.ts'
import { useUnsaved } from '#web/ui/unsaved.ts'
import { uiWords } from '#web/ui/words.ts'
import { draftsAtom, valuesAtom } from './atoms.ts'
import css from './Option.module.css'
import { isNumber, textProblem } from './text-problem.ts'
import { optionWords, settingWords } from './words.ts'

/** R-SET-04 */
const leaving = 500

/** A text setting. The draft stays while another user changes the value; a button or Ctrl+Enter saves it, in one line also Enter. */
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
  const unsaved = useUnsaved(changed, cancel, () => [translate(optionWords, of.of as keyof typeof optionWords)], act.pending)
  const meant = of.of === 'lgpdLink' ? link(text) : text
  const values = useAtomValue(valuesAtom)
  const wrong = changed ? textProblem(of.of, meant, of.needed, values) : null
  const theirs = changed && !secret && draft.from !== of.value
  const save = act(async () => {
    await new Promise((left) => setTimeout(left, leaving))
    await of.onSave(meant)
    forget()
  })
  const mayGo = changed && wrong === null
  const oneLine = isOneLine(of.of)
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (oneLine || event.ctrlKey || event.metaKey) && !event.repeat && mayGo && !act.pending) {
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
      <Control of={of.of} stored={of.value} text={text} meant={meant} field={field} onType={type} />
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
        <Discard of={unsaved} />
      ) : (
        (changed || of.begin) && (
          <div className={css.buttons}>
            {!oneLine && !touched && <p className={css.keys}>{t('textKeys', { mod: caps('mod')[0]! })}</p>}
            <Button text={tUi('cancel')} disabled={act.pending} onClick={cancel} />
            <Button intent="primary" text={tUi('save')} loading={act.pending} disabled={!mayGo} onClick={() => void save()} />
          </div>
        )
      )}
    </div>
  )
}

/** Whether a text has no line breaks, so that Enter saves it: a link, a secret, a setting of the platform or a number. */
const isOneLine = (key: SettingKey): boolean =>
  key === 'lgpdLink' || isNumber(key) || (settings[key] as Setting).secret === true || (settings[key] as Setting).of === 'platform'

/** The control for a text by the kind of its setting: a link, a secret, one line, lines, or a text to customers. */
function Control({
  of: key,
  stored,
  text,
  meant,
  field,
  onType,
}: {
  of: SettingKey
  stored: string
  text: string
  meant: string
  field: object & { id: string; value: string }
  onType: (next: string) => void
}) {
  const line: Setting = settings[key]
  return key === 'lgpdLink' ? (
    <InputGroup {...field} inputMode="url" placeholder="https://" onValueChange={onType} onBlur={() => meant !== text && onType(meant)} />
  ) : line.secret ? (
    <InputGroup
      {...field}
      type="password"
      autoComplete="new-password"
      placeholder={translate(mailWords, stored === '' ? 'passwordUnset' : 'passwordSet')}
      onValueChange={onType}
    />
  ) : isOneLine(key) ? (
    <InputGroup {...field} onValueChange={onType} />
  ) : key === 'contactFields' ? (
    <TextArea {...field} autoResize rows={4} onChange={({ target }) => onType(target.value)} />
  ) : (
    <CustomerTextArea
      {...field}
      {...(key === 'sendQueuePositionMessage' && { names: [...textNames, 'position'] })}
      autoResize
      rows={2}
      onChange={({ target }) => onType(target.value)}
    />
  )
}
