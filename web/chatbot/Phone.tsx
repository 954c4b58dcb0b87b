import { Button, InputGroup } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { MenuQueue } from '#domain/flow/menus.ts'
import type { Settings } from '#domain/setting/contract.ts'
import { filled } from '#domain/ticket/rules.ts'
import { useWords } from '#web/i18n.ts'
import { Marked } from '#web/message/bubble/Written.tsx'
import { namesOf, readerAtom } from '#web/message/customer-text/reader.ts'
import css from './Bot.module.css'
import { createTalk } from './talk.ts'
import { botWords } from './words.ts'

/**
 * Simulates the customer's way through a queue as the form defines it, and on into other queues. It saves and
 * sends nothing.
 */
export function Phone({ own, others, settings }: { own: MenuQueue; others: MenuQueue[]; settings: Settings }) {
  const t = useWords(botWords)
  const contact = useAtomValue(readerAtom)
  const { begin, answer, nameOf } = createTalk({ own, others, settings, t })
  const [talk, setTalk] = useState(begin)
  const [text, setText] = useState('')
  const screen = useRef<HTMLDivElement>(null)
  useEffect(() => void (talk.lines.length > 0 && screen.current?.scrollTo({ top: screen.current.scrollHeight })), [talk])
  function handleAnswer(event: FormEvent) {
    event.preventDefault()
    if (text.trim() === '' || talk.node === null) return
    setTalk(answer(talk, text))
    setText('')
  }
  return (
    <section className={css.phone} aria-label={t('phone')} data-part="bot-phone">
      <div ref={screen} className={css.screen} role="log">
        {talk.lines.map((line, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are only appended
          <p key={n} data-from={line.from} dir="auto">
            {line.from === 'us' ? (
              <Marked text={contact ? filled(line.text, { ...namesOf(contact, nameOf(line.queue)), atendente: '' }) : line.text} />
            ) : (
              line.text
            )}
          </p>
        ))}
      </div>
      <div className={css.line}>
        <InputGroup
          fill
          value={text}
          disabled={talk.node === null}
          aria-label={t('answer')}
          placeholder={t('answer')}
          onValueChange={setText}
          onKeyDown={(event) => event.key === 'Enter' && !event.ctrlKey && !event.metaKey && handleAnswer(event)}
        />
        <Button text={t('restart')} onClick={() => setTalk(begin())} />
      </div>
    </section>
  )
}
