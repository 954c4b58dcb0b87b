import { searchable } from '#domain/text/rules.ts'
import type { Figure } from './bench.ts'
import { load, steadily } from './measure.ts'
import { vocabulary } from './words.ts'

/** Words of every frequency, with accents removed or added, parts of words, and a word that does not occur. */
export const messageSearch: Figure = async ({ activeTickets, token, server, seconds, pool }) => {
  const { url } = await server()
  const words = vocabulary(activeTickets.size.seed).filter((word) => word.length >= 4)
  const plain = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '')
  const at = [0, 3, 10, 30, 100, 300, 1000, 2000, 3000, words.length - 1]
  const sought = [...at.map((i) => words[i]!), ...at.map((i) => plain(words[i]!).toUpperCase()), 'instalacao', 'atenção quero', 'zzzxqk']
  const request = (query: string) => (n: number) => ({
    path: `${query}${encodeURIComponent(sought[n % sought.length]!)}`,
    token: token(activeTickets.admins[n % 60]!),
  })
  const next = request('/tickets?status=search&searchOnMessages=true&searchParam=')
  const each: Record<string, number> = {}
  await load(url, 1, seconds(2), next)
  for (const [i, word] of sought.entries()) each[word] = (await load(url, 1, 0.3, () => next(i))).p50
  const ours = await load(url, 2, seconds(8), next)
  const floor = await steadily(2, seconds(4), async (_, n) => {
    const text = `select ticket_id from message where company_id = $1 and words like $2 order by created_at desc limit 100`
    await pool.query({ text, values: [activeTickets.companyId, `%${searchable(sought[n % sought.length]!)}%`] })
  })
  const page = await load(url, 2, seconds(8), request('/messages/search?searchParam='))
  return [
    {
      figure: 'P4',
      what: `the page of all messages with a word, grouped and counted, among ${activeTickets.size.tickets * 10}`,
      ours: `p50 ${page.p50}, p95 ${page.p95} ms`,
      floor: `p50 ${floor.p50}, p95 ${floor.p95} ms (in SQL)`,
      goal: 'p95 ≤ 3 × the SQL at 1 M',
      reference: '662–1,508 ms',
      held: page.p95 <= 3 * floor.p95,
      raw: { page, floor },
    },
    {
      figure: 'P4',
      what: `search in the text of ${activeTickets.size.tickets * 10} messages, accents ignored`,
      ours: `p50 ${ours.p50}, p95 ${ours.p95} ms`,
      floor: `p50 ${floor.p50}, p95 ${floor.p95} ms (in SQL)`,
      goal: 'p95 ≤ 60 ms at 1 M',
      reference: '662–1,508 ms',
      held: ours.p95 <= 60,
      raw: { ours, floor, each },
    },
  ]
}
