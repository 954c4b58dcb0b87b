import { Button, InputGroup } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { compile, type MenuQueue } from '#domain/flow/menus.ts'
import { type Output, step } from '#domain/flow/step.ts'
import { customerLanguageOf, on } from '#domain/setting/contract.ts'
import { filled } from '#domain/ticket/rules.ts'
import { useWords } from '#web/i18n.ts'
import { Marked } from '#web/message/bubble/Written.tsx'
import { namesOf, readerAtom } from '#web/message/customer-text/reader.ts'
import { useSettings } from '#web/session.ts'
import css from './Bot.module.css'
import { botWords } from './words.ts'

/** `queue`: the queue in whose name the text is sent. */
type Line = { from: 'us' | 'them' | 'system'; text: string; queue: number }
type Talk = { lines: Line[]; queue: number; hops: number; node: string | null; menus: number }
const mostHops = 5

/**
 * Simulates the customer's way through a queue as the form defines it, and on into other queues. It saves and
 * sends nothing.
 */
export function Phone({ own, others }: { own: MenuQueue; others: MenuQueue[] }) {
  const t = useWords(botWords)
  const settings = useSettings()
  const language = customerLanguageOf(settings)
  const contact = useAtomValue(readerAtom)
  const several = others.length > 0 // the connection offers several queues, so the customer can return to the menu
  const offered = several ? [own.id, ...others.map(({ id }) => id)] : [own.id]
  const flow = compile({
    greetingMessage: t('firstMenu'),
    queueIds: offered,
    queues: [own, ...others],
    greetsForOne: on(settings, 'sendGreetingMessageOneQueues'),
    language,
    handOverMessage: settings.handOverMessage,
  })
  const nameOf = (queueId: number) => (queueId === own.id ? own.name : (others.find(({ id }) => id === queueId)?.name ?? ''))

  function linesOf(output: Output, queue: number): Line[] {
    const systemLine = (text: string): Line[] => [{ from: 'system', text, queue }]
    switch (output.does) {
      case 'say':
      case 'wait':
        return [{ from: 'us', text: output.text, queue }]
      case 'handOver':
        return systemLine(t('handed'))
      case 'close':
        return systemLine(t('closed'))
      case 'files':
        return systemLine(t('sendsFiles'))
      case 'integration':
        return systemLine(t('integrates'))
      case 'setQueue':
        return systemLine(t('toQueue', { name: nameOf(queue) }))
      default:
        return []
    }
  }
  function after(talk: Talk, text: string | null): Talk {
    const { outputs, node, menus } = step(flow, talk.node, text, { queueId: talk.queue, menus: talk.menus, most: 0, hops: talk.hops })
    let { queue, hops } = talk
    const lines = [...talk.lines]
    for (const output of outputs) {
      if (output.does === 'setQueue') [queue, hops] = [output.queueId, hops - 1]
      lines.push(...linesOf(output, queue))
    }
    return { lines, queue, hops, node, menus }
  }
  const begun = () => {
    const talk = { lines: [], queue: own.id, hops: mostHops, menus: 0 }
    return several ? after({ ...talk, node: flow.nodes[flow.start]!.next! }, '1') : after({ ...talk, node: null }, null)
  }
  const [talk, setTalk] = useState(begun)
  const [text, setText] = useState('')
  const screen = useRef<HTMLDivElement>(null)
  useEffect(() => void (talk.lines.length > 0 && screen.current?.scrollTo({ top: screen.current.scrollHeight })), [talk])
  function answer(event: FormEvent) {
    event.preventDefault()
    if (text.trim() === '' || talk.node === null) return
    setTalk(after({ ...talk, lines: [...talk.lines, { from: 'them', text, queue: talk.queue }] }, text))
    setText('')
  }
  return (
    <section className={css.phone} aria-label={t('phone')} data-part="bot-phone">
      <div ref={screen} className={css.screen} role="log">
        {talk.lines.map((line, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are only appended
          <p key={n} data-from={line.from} dir="auto">
            {line.from === 'us' ? (
              <Marked text={contact ? filled(line.text, namesOf(contact, nameOf(line.queue))) : line.text} />
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
          onKeyDown={(event) => event.key === 'Enter' && !event.ctrlKey && !event.metaKey && answer(event)}
        />
        <Button text={t('restart')} onClick={() => setTalk(begun())} />
      </div>
    </section>
  )
}
