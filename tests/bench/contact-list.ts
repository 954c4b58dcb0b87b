import type { ContactRow } from '#domain/contact/contract.ts'
import type { Bench, Figure, Measured } from './bench.ts'
import { load, steadily } from './measure.ts'

const contacts = 1_000_000
const clients = 2
const batch = 50_000
const firstNames = ['Ana', 'Bruno', 'Célia', 'Davi', 'Élio', 'Fábio', 'Gisele', 'Hugo', 'Iara', 'João', 'Kátia', 'Lúcia']
const lastNames = ['Ávila', 'Braga', 'Conceição', 'Dias', 'Esteves', 'Farias', 'Gouveia', 'Horta', 'Izidoro', 'Juvenal']

/** Contacts with names of which some are frequent and each has a rare part, in the company with the tickets. */
async function addContacts({ pool, activeTickets: { companyId } }: Bench): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    for (let from = 0; from < contacts; from += batch)
      await client.query({
        text: `insert into contact (company_id, name, number, number_key, channel, extra_info)
          select $1, ($2::text[])[1 + n % 12] || ' ' || ($3::text[])[1 + n / 12 % 10] || ' ' || to_hex(n), (5521600000000 + n)::text,
            (5521600000000 + n)::text, 'whatsapp', '[]' from generate_series($4::int, $4::int + $5::int - 1) n`,
        values: [companyId, firstNames, lastNames, from, batch],
      })
    await client.query('vacuum analyze contact')
  } finally {
    client.release(true) // its timeout is off
  }
}

const page = `select * from contact where company_id = $1 and deleted_at is null and merged_into_id is null and valid_number`
const order = 'order by name collate name_order, id limit 21'
const named = `and id in (select person_id from contact where company_id = $1 and plain(name) like plain($2))`
const numbered = `and id in (select person_id from contact where company_id = $1 and number_forms(number) like $2)`
const counted = (text: string) => text.replace('select *', 'select count(*)')

type Asked = { what: string; query: string; filter: string; values: string[] }
const asked: Asked[] = [
  { what: 'the list', query: '', filter: '', values: [] },
  { what: 'a rare name', query: '&searchParam=abcde', filter: named, values: ['%abcde%'] },
  { what: 'a frequent name', query: '&searchParam=conceicao', filter: named, values: ['%conceicao%'] },
  { what: 'a part of a number', query: '&searchParam=5521600777', filter: numbered, values: ['%5521600777%'] },
]

/** A page of contacts with their number, as the list and its search read it, against the same statements alone. */
export const contactList: Figure = async (bench) => {
  await addContacts(bench)
  const { activeTickets, token, server, seconds, pool } = bench
  const { url } = await server()
  const measured: Measured[] = []
  for (const { what, query, filter, values } of asked) {
    const next = (n: number) => ({
      path: `/contacts?pageNumber=1${query}`,
      token: token(activeTickets.admins[n % 60]!),
      check: (body: string) => ((JSON.parse(body) as { contacts: ContactRow[] }).contacts.length > 0 ? null : 'no contact was found'),
    })
    await load(url, clients, seconds(2), next)
    const ours = await load(url, clients, seconds(8), next)
    const floor = await steadily(clients, seconds(6), async () => {
      const bound = [activeTickets.companyId, ...values]
      await Promise.all([
        pool.query({ text: `${page} ${filter} ${order}`, values: bound }),
        pool.query({ text: counted(`${page} ${filter}`), values: bound }),
      ])
    })
    measured.push({
      figure: 'contacts',
      what: `${what} among ${contacts} contacts, counted`,
      ours: `p50 ${ours.p50}, p95 ${ours.p95} ms`,
      floor: `p50 ${floor.p50}, p95 ${floor.p95} ms (its SQL through pg)`,
      goal: 'p95 ≤ 3 × the SQL at 1 M',
      reference: '',
      held: ours.p95 <= 3 * floor.p95,
      raw: { ours, floor },
    })
  }
  return measured
}
