import { searchable } from '#domain/text/rules.ts'
import type { Bench, Figure, Measured } from './bench.ts'
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
  const filtered = await byFilter({
    url,
    sought,
    token: token(activeTickets.admins[0]!),
    companyId: activeTickets.companyId,
    pool,
    seconds,
  })
  return [
    ...filtered.map(
      ({ filter, page: of, floor: alone }): Measured => ({
        figure: 'P4',
        what: `the page of all messages with a word and the filter ${filter}`,
        ours: `p50 ${of.p50}, p95 ${of.p95} ms`,
        floor: `p50 ${alone.p50}, p95 ${alone.p95} ms (in SQL)`,
        goal: 'p95 ≤ 3 × the SQL at 1 M',
        reference: '662–1,508 ms',
        held: of.p95 <= 3 * alone.p95,
        raw: { page: of, floor: alone },
      }),
    ),
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

type ByFilter = Pick<Bench, 'pool' | 'seconds'> & { url: string; sought: string[]; token: string; companyId: number }
/** The search with each filter and the same conditions in SQL alone, for words of every frequency. */
async function byFilter({ url, sought, token, companyId, pool, seconds }: ByFilter) {
  const one = async (text: string) => Number((await pool.query({ text, values: [companyId] })).rows[0]?.id ?? 0)
  const queueId = await one('select queue_id as id from ticket where company_id = $1 group by 1 order by count(*) desc limit 1')
  const userId = await one(
    'select user_id as id from ticket where company_id = $1 and user_id is not null group by 1 order by count(*) desc limit 1',
  )
  const tagId = await one("insert into tag (company_id, name, color) values ($1, 'Bench ' || gen_random_uuid(), '#111111') returning id")
  await pool.query({
    text: 'insert into contact_tag (company_id, contact_id, tag_id) select company_id, id, $2 from contact where company_id = $1 and id % 20 = 0',
    values: [companyId, tagId],
  })
  const { rows } = await pool.query({
    text: 'select max(created_at)::date::text as day from message where company_id = $1',
    values: [companyId],
  })
  const day = rows[0].day as string
  const filters = {
    sender: ['sender=customer', 'not m.from_me'],
    kind: ['kind=picture', "m.media_type = 'image'"],
    day: [`from=${day}&to=${day}`, `m.created_at >= '${day}'::timestamptz and m.created_at < '${day}'::timestamptz + interval '1 day'`],
    queue: [`queueIds=[${queueId}]`, `t.queue_id = ${queueId}`],
    agent: [`users=[${userId}]`, `t.user_id = ${userId}`],
    tag: [`tags=[${tagId}]`, `t.contact_id in (select contact_id from contact_tag where tag_id = ${tagId})`],
  } as const
  const found = []
  for (const [filter, [query, condition]] of Object.entries(filters)) {
    const path = (n: number) => `/messages/search?${encodeURI(query)}&searchParam=${encodeURIComponent(sought[n % sought.length]!)}`
    const page = await load(url, 2, seconds(6), (n) => ({ path: path(n), token }))
    const floor = await steadily(2, seconds(4), async (_, n) => {
      const text = `select m.ticket_id from message m join ticket t on t.id = m.ticket_id
        where m.company_id = $1 and m.words like $2 and ${condition} order by m.created_at desc limit 100`
      await pool.query({ text, values: [companyId, `%${searchable(sought[n % sought.length]!)}%`] })
    })
    found.push({ filter, page, floor })
  }
  return found
}
