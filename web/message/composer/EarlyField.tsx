import { useAtom, useAtomValue } from 'jotai'
import { type KeyboardEvent, useId, useRef } from 'react'
import { useWords } from '#web/i18n.ts'
import { isSubmit } from '#web/ui/submit-by-enter.ts'
import css from './Composer.module.css'
import { useCarriedFocus } from './carriedFocus.ts'
import { draftOf, earlyOf, modeOf } from './early.ts'
import { fieldWords } from './field-words.ts'
import { typedWithinLimit } from './paste.ts'

/**
 * The field while the ticket loads. It edits the ticket's draft, and Enter queues the text until the ticket has
 * loaded.
 */
export function EarlyField({ uuid }: { uuid: string }) {
  const t = useWords(fieldWords)
  const id = useId()
  const mode = useAtomValue(modeOf(uuid))
  const [draft, setDraft] = useAtom(draftOf(uuid, mode))
  const [early, setEarly] = useAtom(earlyOf(uuid))
  const field = useRef<HTMLTextAreaElement>(null)
  useCarriedFocus(field, uuid)
  const handleKeyDown = (event: KeyboardEvent) => {
    if (!isSubmit(event)) return
    event.preventDefault()
    const body = draft.body.trim()
    if (event.repeat || body === '' || /^\/\S*$/.test(body)) return // a quick reply is chosen from its list
    setEarly([...early, { mode, body }])
    setDraft({ body: '' })
  }
  return (
    <div className={css.composer} data-part="composer" data-private={mode === 'note' || undefined} data-early>
      <div id={`${id}-why`} role="status" className={css.early}>
        {early.length === 0 ? t('loading') : t('leavesThen')}
        {early.map(({ body }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: texts are only appended
          <p key={at} dir="auto">
            {body}
          </p>
        ))}
      </div>
      <div className={css.box}>
        <label htmlFor={id} className={css.mode} data-part="mode">
          {t(mode === 'note' ? 'note' : 'reply')}
        </label>
        <textarea
          ref={field}
          id={id}
          rows={1}
          dir="auto"
          aria-describedby={`${id}-why`}
          value={draft.body}
          onChange={({ target }) => setDraft({ body: typedWithinLimit(draft.body, target.value, target.selectionEnd).body })}
          onKeyDown={handleKeyDown}
        />
      </div>
    </div>
  )
}
