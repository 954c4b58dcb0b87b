import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { planFlags } from '#domain/access.ts'
import { numberKey } from '#domain/contact/rules.ts'
import type { EventMetadata } from '#domain/decider.ts'
import { dayMs, minuteMs } from '#domain/duration/rules.ts'
import type { SettingKey } from '#domain/setting/contract.ts'
import type { TicketCommand } from '#domain/ticket/decide.ts'
import type { Database } from '#projections/database.ts'
import { forEachConcurrently } from '../concurrency/for-each-concurrently.ts'
import type { AppContext } from '../context.ts'
import { idFrom } from '../event-store/event-codec.ts'
import { externalIdFrom } from '../message/external-id.ts'
import { lockIds } from '../scheduler/locks.ts'
import { hashPassword } from '../session/password.ts'
import { demoAccounts, demoPassword, otherAdmin } from './accounts.ts'
import { firstNames, groups, lastNames, type Talk, talks } from './talks.ts'

const people = 140
const closedTickets = 268
const openTickets = 18
const waitingTickets = 16

/** Returns the same sequence for the same seed, so that every installation gets the same demo data. */
function seededRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0 // mulberry32: neighbouring seeds do not resemble each other
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { int: (below: number) => Math.floor(next() * below), of: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]! }
}

/**
 * Creates the demo company and a second one, which shows that companies are isolated. Runs only in an empty installation; tickets are
 * created by commands. Other processes wait until it is complete, because a worker must not send the demo messages.
 */
export async function seedDemo(ctx: AppContext, begins: () => void = () => {}): Promise<boolean> {
  return ctx.db.connection().execute(async (own) => {
    const lock = async () => (await sql<{ mine: boolean }>`select pg_try_advisory_lock(${lockIds.demo}) as mine`.execute(own)).rows[0]!.mine
    while (!(await lock())) await sleep(200)
    try {
      const placed = await own.transaction().execute(async (tx) => {
        await sql`select pg_advisory_xact_lock(${lockIds.founding})`.execute(tx)
        if (await tx.selectFrom('company').select('id').limit(1).executeTakeFirst()) return null
        begins()
        return createCompanies(tx)
      })
      if (placed) await createConversations(ctx, placed)
      return placed !== null
    } finally {
      await sql`select pg_advisory_unlock(${lockIds.demo})`.execute(own)
    }
  })
}

async function createCompanies(db: Kysely<Database>) {
  const passwordHash = await hashPassword(demoPassword)
  const id = 'id' as const
  const flags = JSON.stringify(Object.fromEntries(planFlags.map((name) => [name, true])))
  const plan = await db
    .insertInto('plan')
    .values({ name: 'Completo', flags, uploadMegabytes: 51_200 })
    .returning(id)
    .executeTakeFirstOrThrow()
  const company = (name: string) =>
    db.insertInto('company').values({ name, planId: plan.id, dueDate: null, lastLogin: null }).returning(id).executeTakeFirstOrThrow()
  const demo = await company('Loja Demonstração')
  const other = await company('Outra Empresa')
  const settled = { companyId: demo.id, key: 'firstSteps' satisfies SettingKey, value: 'disabled' }
  await db.insertInto('companySetting').values(settled).execute()

  const queues = await createQueues(db, demo.id)
  const connection = (companyId: number, name: string, number: string) =>
    db
      .insertInto('connection')
      .values({
        ...{ companyId, name, number, channel: 'whatsapp', provider: 'sandbox', status: 'CONNECTED', isDefault: true, allowGroup: true },
        ...{ groupAsTicket: 'disabled', color: '#25d366', greetingMessage: null, complationMessage: null },
      })
      .returning(id)
      .executeTakeFirstOrThrow()
  const whatsapp = await connection(demo.id, 'WhatsApp (simulador)', '5511900000001')
  await connection(other.id, 'WhatsApp', '5511900000002')
  for (const queueId of Object.values(queues))
    await db.insertInto('connectionQueue').values({ companyId: demo.id, connectionId: whatsapp.id, queueId }).execute()

  const users = await createUsers(db, demo.id, other.id, queues, passwordHash)
  const tags = await createTagsAndReplies(db, demo.id)
  const { contacts, inGroups } = await createContacts(db, demo.id, whatsapp.id, tags)
  return { companyId: demo.id, connectionId: whatsapp.id, queues, users, contacts, groups: inGroups }
}

async function createQueues(db: AppContext['db'], demoId: number): Promise<Record<string, number>> {
  const queues: Record<string, number> = {}
  for (const [name, color] of [
    ['Vendas', '#2563eb'],
    ['Suporte', '#16a34a'],
    ['Financeiro', '#d97706'],
  ] as const) {
    const row = { companyId: demoId, name, color, greetingMessage: null, orderQueue: Object.keys(queues).length + 1 }
    queues[name] = (await db.insertInto('queue').values(row).returning('id').executeTakeFirstOrThrow()).id
  }
  return queues
}

async function createUsers(
  db: AppContext['db'],
  demoId: number,
  otherId: number,
  queues: Record<string, number>,
  passwordHash: string,
): Promise<Record<string, number>> {
  const users: Record<string, number> = {}
  for (const [companyId, account] of [...demoAccounts.map((one) => [demoId, one] as const), [otherId, otherAdmin] as const]) {
    const { email, name, profile, color, super: isSuper = false, audit = false } = account
    const may = audit ? { allowAudit: true } : { userClosePendingTicket: true, allTicket: true, allowGroup: true }
    const row = { companyId, name, email, passwordHash, profile, color, super: isSuper, flags: JSON.stringify(may) }
    const user = await db
      .insertInto('user')
      .values({ ...row, whatsappId: null, farewellMessage: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    users[email] = user.id
    for (const queue of account.queues)
      await db.insertInto('userQueue').values({ companyId, userId: user.id, queueId: queues[queue]! }).execute()
  }
  return users
}

async function createTagsAndReplies(db: AppContext['db'], demoId: number): Promise<number[]> {
  const tags: number[] = []
  const blankLane = { kanban: 0, timeLane: null, nextLaneId: null, rollbackLaneId: null, greetingMessageLane: null }
  for (const [name, color] of [
    ['VIP', '#7c3aed'],
    ['Novo', '#0891b2'],
    ['Reclamação', '#dc2626'],
    ['Orçamento', '#ca8a04'],
  ] as const)
    tags.push(
      (
        await db
          .insertInto('tag')
          .values({ companyId: demoId, name, color, ...blankLane })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id,
    )
  for (const [shortcode, message] of [
    ['oi', 'Olá, {nome}! Como posso ajudar?'],
    ['pix', 'Nossa chave Pix é o CNPJ 12.345.678/0001-95. Me avise quando enviar, por favor.'],
    ['prazo', 'O prazo de entrega é de 3 a 5 dias úteis após a confirmação do pagamento.'],
    ['tchau', 'Obrigado pelo contato, {nome}! Qualquer coisa é só chamar.'],
  ] as const)
    await db.insertInto('quickMessage').values({ companyId: demoId, shortcode, message, geral: true, visao: true, userId: null }).execute()
  return tags
}

async function createContacts(db: AppContext['db'], demoId: number, whatsappId: number, tags: number[]) {
  const { int, of } = seededRandom(7)
  const fixed = { companyId: demoId, channel: 'whatsapp', extraInfo: '[]', lgpdAcceptedAt: null, urlPicture: null, deletedAt: null }
  const contacts: { id: number; name: string; number: string }[] = []
  for (let i = 0; i < people; i++) {
    const name = `${of(firstNames)} ${of(lastNames)}`
    const number = `5511${String(980_000_000 + i * 7919 + int(5000))}`
    const row = await db
      .insertInto('contact')
      .values({ ...fixed, name, number, numberKey: numberKey(number), whatsappId })
      .returning('id')
      .executeTakeFirstOrThrow()
    contacts.push({ id: row.id, name, number })
    if (int(3) === 0)
      await db
        .insertInto('contactTag')
        .values({ companyId: demoId, contactId: row.id, tagId: of(tags) })
        .execute()
  }
  const inGroups: typeof contacts = []
  for (const { name, number } of groups) {
    const row = await db
      .insertInto('contact')
      .values({ ...fixed, name, number, numberKey: number, isGroup: true, whatsappId })
      .returning('id')
      .executeTakeFirstOrThrow()
    inGroups.push({ id: row.id, name, number })
  }
  return { contacts, inGroups }
}

type Placed = Awaited<ReturnType<typeof createCompanies>>

async function createConversations(ctx: AppContext, placed: Placed): Promise<void> {
  const { int, of } = seededRandom(11)
  const now = Date.now()
  const plans: Omit<Plan, 'i'>[] = []
  for (let i = 0; i < closedTickets; i++)
    plans.push({
      contact: placed.contacts[i % people]!,
      talk: of(talks),
      start: now - 30 * dayMs + Math.floor((i / closedTickets) * 29 * dayMs) + int(180) * minuteMs,
      end: 'closed',
    })
  for (let i = 0; i < openTickets + waitingTickets; i++) {
    const end = i < openTickets ? 'open' : 'waiting'
    plans.push({ contact: placed.contacts[(i * 4 + 1) % people]!, talk: of(talks), start: now - (10 + i * 9) * minuteMs, end })
  }
  for (const [i, contact] of placed.groups.entries())
    plans.push({ contact, talk: groups[i]!.talk, start: now - (40 + i * 150) * minuteMs, end: 'open' })
  /* Tickets are created in parallel. Those of one contact never overlap, because they are weeks apart. */
  const numbered = plans.map((plan, i) => ({ ...plan, i }))
  await forEachConcurrently(numbered, 24, (plan) => createConversation(ctx, placed, plan))
}

type Plan = { i: number; contact: Placed['contacts'][number]; talk: Talk; start: number; end: 'closed' | 'open' | 'waiting' }
async function createConversation(ctx: AppContext, placed: Placed, { i, contact, talk, start, end }: Plan): Promise<void> {
  const { companyId, connectionId } = placed
  const { int, of } = seededRandom(1000 + i)
  const group = talk.queue === null
  const queueId = talk.queue === null ? null : placed.queues[talk.queue]!
  const serves = ({ email, queues }: (typeof demoAccounts)[number]) =>
    talk.queue === null ? queues.length > 0 : queues.includes(talk.queue) || (end === 'open' && email.startsWith('admin'))
  const agents = demoAccounts.filter(serves).map(({ email }) => placed.users[email]!)
  const userId = of(agents)
  const ticketId = await ctx.nextTicketId()
  const opening = {
    ticketId,
    uuid: randomUUID(),
    contactId: contact.id,
    connectionId,
    channel: 'whatsapp' as const,
    group,
    queueId,
    predecessorId: null,
  }
  let at = start
  let commandCount = 0
  const execute = (command: TicketCommand, by: EventMetadata['by']) =>
    ctx.execute(ticketId, { ...command, companyId, by, at: new Date(at).toISOString() }, `demo-${i}-${commandCount++}`)
  const customer: EventMetadata['by'] = { kind: 'contact', id: contact.id }
  const agent: EventMetadata['by'] = { kind: 'user', id: userId }
  const text = (body: string) => ({
    kind: 'chat' as const,
    body: body.replaceAll('{n}', contact.name.split(' ')[0]!),
    media: null,
    vCard: null,
  })
  const lines: { id: string; fromPhone: boolean; author: string | null; body: string; at: string }[] = []

  let accepted = group // a group ticket is not accepted: every agent who sees it may answer
  for (const [who, words] of end === 'waiting' ? talk.turns.filter(([who]) => who === 'c').slice(0, 2) : talk.turns) {
    at = Math.min(at + (20 + int(200)) * 1000, Date.now())
    if (who === 'a' && !accepted) {
      accepted = true
      await execute({ type: 'Accept', userId, queueId }, agent)
      at += 15_000
    }
    const messageId = await ctx.nextMessageId()
    const clientId = idFrom(`demo/${i}/${messageId}`)
    const externalId = externalIdFrom(clientId)
    const content = { messageId, externalId, ...text(words) }
    const participant = group ? { id: who, name: who } : null
    if (who !== 'a') await execute({ type: 'Receive', ...content, participant, quotedExternalId: null, opening }, customer)
    else {
      const rest = { clientId, private: false, forwarded: false, seen: null, anyway: true, admin: false, quotedId: null }
      await execute({ type: 'Send', ...content, ...rest }, agent)
      await execute({ type: 'Dispatch', messageId, attempt: 1 }, { kind: 'system' })
      await execute({ type: 'Accepted', messageId }, { kind: 'system' })
      await execute({ type: 'Mark', mark: int(6) === 0 && end === 'open' ? 'delivered' : 'read', externalIds: [externalId] }, customer)
    }
    const message = { author: who === 'a' ? null : (participant?.name ?? null), body: content.body, at: new Date(at).toISOString() }
    lines.push({ id: externalId, fromPhone: who !== 'a', ...message })
  }
  if (end === 'closed') {
    at += (2 + int(20)) * minuteMs
    await execute({ type: 'Close', reason: 'agent', farewell: false, mayCloseWaiting: true, tagMissing: false }, agent)
  } else await ctx.activeTickets.occupy({ companyId, connectionId, contactId: contact.id }, { ticketId, uuid: opening.uuid })
  const phone = {
    companyId,
    connectionId,
    phone: contact.number,
    kind: 'chat',
    media: null,
    quotedId: null,
    ours: null,
    theirs: null,
    mark: 'read',
  }
  await ctx.db
    .insertInto('sandboxMessage')
    .values(lines.map((line) => ({ ...phone, ...line })))
    .onConflict((row) => row.doNothing()) // a worker that started at the same time may have inserted it
    .execute()
}
