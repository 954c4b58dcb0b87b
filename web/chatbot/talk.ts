import { compile, type MenuQueue } from '#domain/flow/menus.ts'
import { type Output, step } from '#domain/flow/step.ts'
import { customerLanguageOf, on, type Settings } from '#domain/setting/contract.ts'
import type { Translate } from '#web/i18n.ts'
import type { botWords } from './words.ts'

/** `queue`: the queue in whose name the text is sent. */
export type TalkLine = { from: 'us' | 'them' | 'system'; text: string; queue: number }
export type Talk = { lines: TalkLine[]; queue: number; hops: number; node: string | null; menus: number }
const mostHops = 5

type Of = { own: MenuQueue; others: MenuQueue[]; settings: Settings; t: Translate<keyof typeof botWords> }
/** A customer's conversation with the bot of a queue, by the settings that the bot uses. Nothing is saved or sent. */
export function createTalk({ own, others, settings, t }: Of) {
  const several = others.length > 0 // the connection offers several queues, so the customer can return to the menu
  const flow = compile({
    greetingMessage: t('firstMenu'),
    queueIds: several ? [own.id, ...others.map(({ id }) => id)] : [own.id],
    queues: [own, ...others],
    greetsForOne: on(settings, 'sendGreetingMessageOneQueues'),
    language: customerLanguageOf(settings),
    handOverMessage: settings.handOverMessage,
  })
  const nameOf = (queueId: number) => (queueId === own.id ? own.name : (others.find(({ id }) => id === queueId)?.name ?? ''))

  function linesOf(output: Output, queue: number): TalkLine[] {
    const systemLine = (text: string): TalkLine[] => [{ from: 'system', text, queue }]
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
  return {
    nameOf,
    begin(): Talk {
      const talk = { lines: [], queue: own.id, hops: mostHops, menus: 0 }
      return several ? after({ ...talk, node: flow.nodes[flow.start]!.next! }, '1') : after({ ...talk, node: null }, null)
    },
    answer: (talk: Talk, text: string): Talk => after({ ...talk, lines: [...talk.lines, { from: 'them', text, queue: talk.queue }] }, text),
  }
}
