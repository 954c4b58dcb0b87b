import { Button, InputGroup } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { type FormEvent, useState } from 'react'
import type { Option } from '#domain/chatbot/contract.ts'
import { compile, type MenuOption } from '#domain/flow/menus.ts'
import { type Output, step } from '#domain/flow/step.ts'
import { spokenBy } from '#domain/setting/contract.ts'
import { filled } from '#domain/ticket/rules.ts'
import { useWords } from '#web/i18n.ts'
import { Marked } from '#web/message/bubble/Written.tsx'
import { namesOf, readerAtom } from '#web/message/said/reader.ts'
import { useSettings } from '#web/session.ts'
import css from './Bot.module.css'
import type { Leads } from './options.ts'
import { botWords } from './words.ts'

type Line = { from: 'us' | 'them' | 'house'; text: string }
/** The queue that is edited; it may have no number yet. */
const here = 0
const numbered = (tree: Option[], at = 'o'): MenuOption[] =>
  tree.map((option, n) => ({ ...option, id: `${at}.${n}`, chatbots: numbered(option.chatbots, `${at}.${n}`) }))

/** Walks through the options as they stand in the form, as a customer would: nothing is saved and nothing is sent. */
export function Phone({ name, greeting, tree, leads }: { name: string; greeting: string | null; tree: Option[]; leads: Leads }) {
  const say = useWords(botWords)
  const language = spokenBy(useSettings())
  const contact = useAtomValue(readerAtom)
  const others = leads.queues.map((queue) => ({
    ...queue,
    greetingMessage: null,
    closeTicket: false,
    integrationId: null,
    fileListId: null,
    chatbots: [],
  }))
  const own = {
    id: here,
    name,
    greetingMessage: greeting,
    closeTicket: false,
    integrationId: null,
    fileListId: null,
    chatbots: numbered(tree),
  }
  const flow = compile({ greetingMessage: null, queueIds: [here], queues: [own, ...others], greetsForOne: true, language })
  const told = (output: Output): Line[] => {
    if (output.does === 'say' || output.does === 'wait') return [{ from: 'us', text: output.text }]
    const house = (text: string): Line[] => [{ from: 'house', text }]
    if (output.does === 'handOver') return house(say('handed'))
    if (output.does === 'close') return house(say('closed'))
    if (output.does === 'files') return house(say('sendsFiles'))
    if (output.does === 'integration') return house(say('integrates'))
    if (output.does !== 'setQueue' || output.queueId === here) return []
    return house(say('toQueue', { name: leads.queues.find(({ id }) => id === output.queueId)?.name ?? '' }))
  }
  const walk = (node: string | null, text: string | null, menus: number) =>
    step(flow, node, text, { queueId: here, menus, most: 0, hops: 5 })
  const begun = () => {
    const { outputs, node, menus } = walk(null, null, 0)
    return { lines: outputs.flatMap(told), node, menus }
  }
  const [talk, go] = useState(begun)
  const [text, type] = useState('')
  function answer(event: FormEvent) {
    event.preventDefault()
    if (text.trim() === '' || talk.node === null) return
    const next = walk(talk.node, text, talk.menus)
    go({ lines: [...talk.lines, { from: 'them', text }, ...next.outputs.flatMap(told)], node: next.node, menus: next.menus })
    type('')
  }
  return (
    <section className={css.phone} aria-label={say('phone')} data-part="bot-phone">
      <div className={css.screen} role="log">
        {talk.lines.map((line, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are only added
          <p key={n} data-from={line.from} dir="auto">
            {line.from === 'us' ? <Marked text={contact ? filled(line.text, namesOf(contact, name)) : line.text} /> : line.text}
          </p>
        ))}
      </div>
      <div className={css.line}>
        <InputGroup
          fill
          value={text}
          disabled={talk.node === null}
          aria-label={say('answer')}
          placeholder={say('answer')}
          onValueChange={type}
          onKeyDown={(event) => event.key === 'Enter' && !event.ctrlKey && !event.metaKey && answer(event)}
        />
        <Button text={say('restart')} onClick={() => go(begun())} />
      </div>
    </section>
  )
}
