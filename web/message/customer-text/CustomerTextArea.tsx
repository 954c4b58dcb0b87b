import { Button, TextArea, type TextAreaProps } from '@blueprintjs/core'
import { CurlyBraces } from '@blueprintjs/icons'
import { lazy, Suspense, useId, useRef } from 'react'
import { type TextName, textNames, unknownNames } from '#domain/ticket/rules.ts'
import { useWords } from '#web/i18n.ts'
import { Drop } from '#web/ticket/list/Drop.tsx'
import css from './CustomerText.module.css'
import { Preview } from './Preview.tsx'
import { customerTextWords } from './words.ts'

const Inserts = lazy(() => import('./Inserts.tsx').then(({ Inserts }) => ({ default: Inserts })))

/** Matches a text without placeholders and formatting, whose preview would look the same. */
const asWritten = /^[^{*_~`]*$/

/**
 * A field for customer texts. It inserts names and quick replies at the caret and shows a preview for one contact
 * (A-BOT-10).
 */
export function CustomerTextArea({ names = textNames, ...area }: TextAreaProps & { value: string; names?: readonly TextName[] }) {
  const t = useWords(customerTextWords)
  const warning = useId()
  const box = useRef<HTMLDivElement>(null)
  const led = useRef<HTMLTextAreaElement>(null)
  const unknown = unknownNames(area.value, names)
  const described = [area['aria-describedby'], unknown.length > 0 && warning].filter(Boolean).join(' ')
  function handleInsert(text: string): void {
    const field = box.current!.querySelector('textarea')!
    field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end')
    field.dispatchEvent(new Event('input', { bubbles: true })) // as if it had been typed
    led.current = field
  }
  const handleBack = () => {
    led.current?.focus({ preventScroll: true })
    led.current = null
  }
  return (
    <div ref={box}>
      <TextArea {...area} {...(described && { 'aria-describedby': described })} />
      <Drop
        placement="bottom-start"
        content={() => (
          <Suspense>
            <Inserts names={names} onInsert={handleInsert} onGone={handleBack} />
          </Suspense>
        )}
      >
        <Button size="small" variant="minimal" icon={<CurlyBraces size={12} />} text={t('insert')} aria-controls={area.id} />
      </Drop>
      {unknown.length > 0 && (
        <p id={warning} className={css.unknown} role="status">
          {t('unknown', { names: unknown.join(', ') })}
        </p>
      )}
      {!asWritten.test(area.value) && <Preview text={area.value} names={names} />}
    </div>
  )
}
