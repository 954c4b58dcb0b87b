import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArguments } from '#app/commands/tools.ts'
import { accepts } from './accepts.ts'
import { type Figure, type Measured, openBench } from './bench.ts'
import { botConversations } from './bot-conversations.ts'
import { coldStart } from './cold-start.ts'
import { contactList } from './contact-list.ts'
import { dataSet } from './data.ts'
import { deadlines } from './deadlines.ts'
import { fanOut } from './fan-out.ts'
import { firstPage } from './first-page.ts'
import { inboundThroughput } from './inbound-throughput.ts'
import { linkedNumbers } from './linked-numbers.ts'
import { longTicket } from './long-ticket.ts'
import { manySockets } from './many-sockets.ts'
import { memory } from './memory.ts'
import { messagePage } from './message-page.ts'
import { messageSearch } from './message-search.ts'
import { outbox } from './outbox.ts'
import { sizeOf } from './place.ts'
import { rebuildWithTraffic } from './rebuild-with-traffic.ts'
import { replayJump } from './replay-jump.ts'
import { splitProcesses } from './split-processes.ts'
import { threadScroll } from './thread-scroll.ts'
import { ticketList } from './ticket-list.ts'
import { underAttack } from './under-attack.ts'

/** In the order of their run: memory after the load, and last the figures that stop the server. */
const figures: Record<string, Figure> = {
  'ticket-list': ticketList,
  'message-page': messagePage,
  'message-search': messageSearch,
  'inbound-throughput': inboundThroughput,
  accepts,
  'fan-out': fanOut,
  'many-sockets': manySockets,
  'replay-jump': replayJump,
  memory,
  'under-attack': underAttack,
  'split-processes': splitProcesses,
  'bot-conversations': botConversations,
  'long-ticket': longTicket,
  deadlines,
  'linked-numbers': linkedNumbers,
  outbox,
  'thread-scroll': threadScroll,
  'contact-list': contactList,
  'rebuild-with-traffic': rebuildWithTraffic,
  'cold-start': coldStart,
  'first-page': firstPage,
}

const usage = `npm run bench -- [figure…] [--small] [--seed N] [--seconds N] [--data DIR] [--out FILE] [--profile DIR]
figures: ${Object.keys(figures).join(' ')} (default: all)
--small    5,000 tickets instead of 100,000, and short runs
--seconds  duration of each load
--data     the folder of the data set; an existing one is used
--profile  folder for the CPU profile of the server`

const { values, positionals } = parseArguments({
  allowPositionals: true,
  options: {
    small: { type: 'boolean', default: false },
    seed: { type: 'string', default: '7' },
    seconds: { type: 'string' },
    data: { type: 'string' },
    out: { type: 'string' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const wanted = positionals.length > 0 ? positionals.map((name) => name.toLowerCase()) : Object.keys(figures)
const strange = wanted.filter((name) => !(name in figures))
if (values.help || strange.length > 0) {
  console.log(strange.length > 0 ? `no such figure: ${strange.join(', ')}\n${usage}` : usage)
  process.exit(values.help ? 0 : 2)
}

const seed = Number(values.seed)
const size = sizeOf(values.small, seed)
const dataDir = values.data ? path.resolve(values.data) : mkdtempSync(path.join(tmpdir(), 'guiche-bench-'))
if (!existsSync(dataDir)) mkdirSync(dataDir, { recursive: true })
const own = values.data === undefined
const forget = () => own && rmSync(dataDir, { recursive: true, force: true })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))
process.on('exit', forget)

console.log(`${size.tickets} tickets, seed ${seed}, fsync on, ${cpus().length} cores; data in ${dataDir}`)
const place = await dataSet(dataDir, size)
const seconds = values.seconds === undefined ? null : Number(values.seconds)
const bench = await openBench({ dataDir, activeTickets: place, small: values.small, seconds, profile: values.profile ?? null })
const results: Measured[] = []
let failed = 0
try {
  for (const [name, figure] of Object.entries(figures)) {
    if (!wanted.includes(name)) continue
    try {
      for (const one of await figure(bench)) {
        results.push(one)
        tell(one)
      }
    } catch (error) {
      failed++
      console.error(`${name.toUpperCase()} could not be measured:`, error)
    }
  }
} finally {
  await bench.close()
}

const file = path.resolve(values.out ?? path.join(tmpdir(), `guiche-bench-${new Date().toISOString().replaceAll(':', '')}.json`))
writeFileSync(
  file,
  `${JSON.stringify({ at: new Date().toISOString(), node: process.version, cores: cpus().length, size, results }, null, 2)}\n`,
)
console.log(`\n| figure | what | ours | floor, same run | goal | reference | held |\n|---|---|---|---|---|---|---|`)
for (const { figure, what, ours, floor, goal, reference, held } of results)
  console.log(`| ${[figure, what, ours, floor, goal, reference, said(held)].join(' | ')} |`)
console.log(`\n${file}`)
process.exit(failed > 0 ? 1 : 0)

function said(held: boolean | null): string {
  return held === null ? '–' : held ? 'yes' : 'NO'
}
function tell({ figure, what, ours, floor, goal, held }: Measured): void {
  console.log(`${figure.padEnd(4)} ${what}\n     ours  ${ours}\n     floor ${floor}\n     goal  ${goal}: ${said(held)}`)
}
