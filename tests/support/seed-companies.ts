import { argon2Sync } from 'node:crypto'
import type { Kysely } from 'kysely'
import { flags as allFlags, type Flag } from '#domain/access.ts'
import { numberKey } from '#domain/contact/rules.ts'
import type { Database } from '#projections/database.ts'

export const password = 'senha-de-teste'

/** The cheapest possible hash. A real one takes 45 ms of processor time at each of hundreds of sign-ins. */
export function lightHash(message: string): string {
  const nonce = Buffer.alloc(16, 7)
  const key = argon2Sync('argon2id', { message, nonce, memory: 8, passes: 1, parallelism: 1, tagLength: 32 })
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=8,t=1,p=1$${text(nonce)}$${text(key)}`
}

/** The users by name, with their permissions and queues. `root` is the admin of the second company. */
export const people = {
  admin: { company: 'casa', profile: 'admin', flags: allFlags, queues: ['vendas', 'suporte'] },
  /** Serves one queue and has no further permission. */
  ana: { company: 'casa', profile: 'user', flags: [], queues: ['vendas'] },
  /** Serves both queues, and sees colleagues' tickets, those without a queue, and groups. */
  bruno: {
    company: 'casa',
    profile: 'user',
    flags: ['allUserChat', 'allTicket', 'allowGroup', 'allHistoric'],
    queues: ['vendas', 'suporte'],
  },
  carla: { company: 'casa', profile: 'user', flags: ['userClosePendingTicket'], queues: ['suporte'] },
  dulce: { company: 'casa', profile: 'user', flags: ['showDashboard', 'allowAudit'], queues: ['vendas'] },
  root: { company: 'vizinha', profile: 'admin', flags: allFlags, queues: ['deles'] },
  rita: { company: 'vizinha', profile: 'user', flags: [], queues: ['deles'] },
} as const satisfies Record<string, { company: string; profile: 'admin' | 'user'; flags: readonly Flag[]; queues: readonly string[] }>
export type Person = keyof typeof people

export type Company = {
  companies: { casa: number; vizinha: number }
  users: Record<Person, number>
  queues: { vendas: number; suporte: number; deles: number }
  /** `loja` has two queues, so its inbound tickets wait without one. `balcao` has only vendas. */
  connections: { loja: number; balcao: number; deles: number }
  tags: { vip: number; novo: number; pista: number; deles: number }
  contacts: { maria: number; joao: number; deles: number }
  replies: { shared: number; adminOnly: number; deles: number }
}

/** Two companies that must never see each other: plain rows without a history. */
export async function seedCompanies(db: Kysely<Database>): Promise<Company> {
  const passwordHash = lightHash(password)
  const add = async (table: any, row: object) =>
    (
      (await db
        .insertInto(table)
        .values(row as any)
        .returning('id' as never)
        .executeTakeFirstOrThrow()) as { id: number }
    ).id

  const planId = await add('plan', { name: 'Completo', flags: '{}' })
  const company = (name: string) => add('company', { name, planId, dueDate: null, lastLogin: null })
  const companies = { casa: await company('Casa'), vizinha: await company('Vizinha') }
  const queue = (companyId: number, name: string, color: string) =>
    add('queue', { companyId, name, color, greetingMessage: null, orderQueue: null })
  const queues = {
    vendas: await queue(companies.casa, 'Vendas', '#2563eb'),
    suporte: await queue(companies.casa, 'Suporte', '#16a34a'),
    deles: await queue(companies.vizinha, 'Deles', '#2563eb'),
  }

  const users = {} as Record<Person, number>
  for (const [name, person] of Object.entries(people)) {
    const companyId = companies[person.company]
    const granted = JSON.stringify(Object.fromEntries(person.flags.map((flag) => [flag, true])))
    const rest = { passwordHash, profile: person.profile, flags: granted, whatsappId: null, farewellMessage: null }
    const id = await add('user', { companyId, name, email: `${name}@casa.test`, ...rest })
    users[name as Person] = id
    for (const one of person.queues) await db.insertInto('userQueue').values({ companyId, userId: id, queueId: queues[one] }).execute()
  }

  const connection = async (companyId: number, name: string, isDefault: boolean, of: number[]) => {
    const id = await add('connection', {
      ...{ companyId, name, isDefault, channel: 'whatsapp', provider: 'sandbox', number: null, status: 'CONNECTED', allowGroup: true },
      ...{ groupAsTicket: 'disabled', color: null, greetingMessage: null, complationMessage: null },
    })
    for (const queueId of of) await db.insertInto('connectionQueue').values({ companyId, connectionId: id, queueId }).execute()
    return id
  }
  const connections = {
    loja: await connection(companies.casa, 'Loja', true, [queues.vendas, queues.suporte]),
    balcao: await connection(companies.casa, 'Balcão', false, [queues.vendas]),
    deles: await connection(companies.vizinha, 'Deles', true, [queues.deles]),
  }

  const tag = (companyId: number, name: string, kanban = 0) =>
    add('tag', {
      companyId,
      name,
      color: '#333333',
      kanban,
      timeLane: null,
      nextLaneId: null,
      rollbackLaneId: null,
      greetingMessageLane: null,
    })
  const contact = (companyId: number, name: string, number: string) =>
    add('contact', {
      ...{ companyId, name, number, numberKey: numberKey(number), channel: 'whatsapp', extraInfo: '[]' },
      ...{ lgpdAcceptedAt: null, urlPicture: null, whatsappId: null, deletedAt: null },
    })
  const reply = (companyId: number, shortcode: string, userId: number, geral: boolean) =>
    add('quickMessage', { companyId, shortcode, message: 'Olá', geral, visao: geral, userId })
  return {
    ...{ companies, users, queues, connections },
    tags: {
      vip: await tag(companies.casa, 'VIP'),
      novo: await tag(companies.casa, 'Novo'),
      pista: await tag(companies.casa, 'Pista', 1),
      deles: await tag(companies.vizinha, 'Deles'),
    },
    contacts: {
      maria: await contact(companies.casa, 'Maria Silva', '5511987654321'),
      joao: await contact(companies.casa, 'João Souza', '5521912345678'),
      deles: await contact(companies.vizinha, 'Cliente deles', '5511987654321'),
    },
    replies: {
      shared: await reply(companies.casa, 'oi', users.admin, true),
      adminOnly: await reply(companies.casa, 'senha', users.admin, false),
      deles: await reply(companies.vizinha, 'oi', users.root, true),
    },
  }
}
