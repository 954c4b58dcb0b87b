import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Option } from '#domain/chatbot/contract.ts'
import { optionFault } from '#domain/chatbot/rules.ts'
import { type Answer, type Ask, startTestApp, type TestApp } from '#tests/support/server.ts'

const option = (name: string, more: Partial<Option> = {}): Option => ({
  ...{ name, greetingMessage: null, queueType: 'text', closeTicket: false, chatbots: [] },
  ...{ optQueueId: null, optUserId: null, optIntegrationId: null, optFileId: null },
  ...more,
})
const deep = (levels: number): Option[] => (levels === 0 ? [] : [option('Nível', { chatbots: deep(levels - 1) })])

describe('a tree of options', () => {
  it('reports the place of an error', () => {
    expect(optionFault([option('Boleto'), option('  BÓLETO ')], 1)).toEqual({ at: 'chatbots/1', field: 'name', code: 'ERR_OPTION_TWICE' })
    expect(optionFault([option('Boleto', { chatbots: [option('Boleto')] })], 1)).toBe(null)
    const lost = option('Fila', { queueType: 'queue' })
    expect(optionFault([option('Menu', { chatbots: [lost] })], 1)).toMatchObject({
      at: 'chatbots/0/chatbots/0',
      field: 'optQueueId',
      rule: 'required',
    })
    expect(optionFault([{ ...lost, optQueueId: 1 }], 1)).toMatchObject({ code: 'ERR_OPTION_OWN_QUEUE' })
    expect(optionFault([option('Pessoa', { queueType: 'attendent' })], 1)).toBe(null)
  })
  it('has at most eight levels and two hundred options', () => {
    expect(optionFault(deep(8), 1)).toBe(null)
    expect(optionFault(deep(9), 1)).toMatchObject({ code: 'ERR_OPTIONS_TOO_MANY' })
    const many = Array.from({ length: 100 }, (_, n) => option(`Opção ${n}`, { chatbots: [option('Abaixo')] }))
    expect(optionFault(many, 1)).toBe(null)
    expect(optionFault([...many, option('Mais uma')], 1)).toMatchObject({ at: 'chatbots/100', code: 'ERR_OPTIONS_TOO_MANY' })
  })
  it('contains each option once', () => {
    expect(optionFault([option('Um só', { id: 3, chatbots: [option('Ele mesmo', { id: 3 })] })], 1)).toMatchObject({
      code: 'ERR_OPTION_LOOP',
    })
  })
})

describe('a queue', () => {
  let app: TestApp
  let admin: Ask
  beforeAll(async () => {
    app = await startTestApp({ roles: ['web', 'projector', 'worker'] })
    admin = app.as('admin')
  })
  afterAll(() => app?.stop())
  const refused = ({ status, body }: Answer) => [status, body.error, body.field ?? null]
  const made = async (more: object = {}) => {
    const color = `#${crypto.randomUUID().slice(0, 6)}`
    const { status, body } = await admin('POST', '/queue', { name: `Fila ${color}`, color, ...more })
    expect({ status, body }).toMatchObject({ status: 200 })
    return body
  }

  it('keeps every field and its options (R-QUEUE-04 to 06)', async () => {
    const { suporte } = app.company.queues
    const whole = {
      ...{
        greetingMessage: 'Olá',
        orderQueue: 3,
        outOfHoursMessage: 'Fechado',
        ativarRoteador: true,
        tempoRoteador: 15,
        closeTicket: false,
      },
      chatbots: [
        option('Segunda via', { greetingMessage: 'Aqui está', chatbots: [option('Boleto'), option('Nota fiscal', { closeTicket: true })] }),
        option('Suporte', { queueType: 'queue', optQueueId: suporte }),
        option('Falar com a chefia', { queueType: 'attendent', optUserId: app.company.users.admin }),
      ],
    }
    const { id } = await made(whole)
    const { body } = await admin('GET', `/queue/${id}`)
    expect(body).toMatchObject(whole)
    expect(body.schedules[6]).toMatchObject({ weekdayEn: 'sunday', startTimeA: '00:00', endTimeB: '23:59' })
    expect(body.chatbots[0].chatbots[1].chatBotId).toBe(body.chatbots[0].id)
  })

  it('has a name of 2 to 50 characters and a unique color (R-QUEUE-01, R-QUEUE-02)', async () => {
    const { id } = await made({ name: 'F'.repeat(50) })
    for (const name of ['F', ' F ', 'F'.repeat(51), '', null])
      expect(refused(await admin('PUT', `/queue/${id}`, { name }))).toEqual([400, 'ERR_INVALID_INPUT', 'name'])
    expect(refused(await admin('POST', '/queue', { color: '#abc' }))).toEqual([400, 'ERR_INVALID_INPUT', 'name'])
    expect((await admin('PUT', `/queue/${id}`, { name: 'F2', color: '#abc' })).body).toMatchObject({ name: 'F2', color: '#abc' })
    for (const color of ['', '#1', '#12', '#123456789', 'azul', null])
      expect(refused(await admin('PUT', `/queue/${id}`, { color }))).toEqual([400, 'ERR_INVALID_INPUT', 'color'])
    const same = await admin('POST', '/queue', { name: 'Outra fila', color: '#ABC' })
    expect(refused(same).slice(0, 2)).toEqual([409, 'ERR_QUEUE_COLOR_ALREADY_EXISTS'])
    expect((await admin('POST', '/queue', { name: 'Sem cor' })).status).toBe(400)
  })

  it('replaces its options completely or not at all, and keeps their ids', async () => {
    const { id, chatbots } = await made({ chatbots: [option('Primeira', { chatbots: [option('Dentro')] }), option('Segunda')] })
    const [first, second] = chatbots
    const [inside] = first.chatbots
    const turned = [{ ...second, chatbots: [{ ...inside, name: 'Dentro da segunda' }] }, option('Nova opção')]
    const { body } = await admin('PUT', `/queue/${id}`, { chatbots: turned })
    expect(body.chatbots.map((one: Option) => one.name)).toEqual(['Segunda', 'Nova opção'])
    expect([body.chatbots[0].id, body.chatbots[0].chatbots[0].id]).toEqual([second.id, inside.id])
    expect(refused(await admin('PUT', `/queue/${id}`, { name: 'Meio salva', chatbots: [option('Igual'), option('igual')] }))).toEqual([
      ...[400, 'ERR_OPTION_TWICE', 'chatbots/1/name'],
    ])
    expect(refused(await admin('PUT', `/queue/${id}`, { chatbots: [{ ...first }] }))).toEqual([404, 'ERR_NO_CHATBOT_FOUND', null]) // it was removed
    const after = (await admin('GET', `/queue/${id}`)).body
    expect([after.name, after.chatbots]).toEqual([body.name, body.chatbots])
    expect(refused(await admin('PUT', `/queue/${id}`, { chatbots: [option('abc')] }))).toEqual([
      400,
      'ERR_INVALID_INPUT',
      'chatbots/0/name',
    ])
    expect(refused(await admin('PUT', `/queue/${id}`, { chatbots: deep(9) }))[1]).toBe('ERR_OPTIONS_TOO_MANY')
    expect(refused(await admin('PUT', `/queue/${id}`, { chatbots: deep(12) }))[0]).toBe(400)
  })

  it('keeps its options if a change does not contain them', async () => {
    const { id } = await made({ chatbots: [option('Comprar', { chatbots: [option('Moedor')] })] })
    const kept = async () => (await admin('GET', `/queue/${id}`)).body.chatbots.map(({ name, chatbots }: Option) => [name, chatbots.length])
    const renamed = await admin('PUT', `/queue/${id}`, { name: 'Só o nome' })
    expect([renamed.status, await kept()]).toEqual([200, [['Comprar', 1]]])
    expect((await admin('PUT', `/queue/${id}`, { chatbots: [] })).status).toBe(200)
    expect(await kept()).toEqual([])
  })

  it('refuses an option text that is too long, with its place', async () => {
    const long = [option('Comprar', { chatbots: [option('Moedor', { greetingMessage: 'x'.repeat(5001) })] })]
    expect(optionFault(long, 1)).toMatchObject({ at: 'chatbots/0/chatbots/0', field: 'greetingMessage', rule: 'maxLength' })
    expect((await admin('POST', '/queue', { name: 'Longa', color: '#101010', chatbots: long })).status).toBe(400)
  })

  it('hands over to anyone if the agent of an option is retired (A-USER-03)', async () => {
    const { bruno } = app.company.users
    const { id } = await made()
    await app.db.insertInto('userQueue').values({ companyId: app.company.companies.casa, userId: bruno, queueId: id }).execute()
    const leads = { chatbots: [option('Falar com gente', { queueType: 'attendent', optUserId: bruno })] }
    expect((await admin('PUT', `/queue/${id}`, leads)).status).toBe(200)
    const { version } = (await admin('GET', `/queue/${id}`)).body
    expect((await admin('DELETE', `/users/${bruno}`)).status).toBe(204)
    const after = (await admin('GET', `/queue/${id}`)).body
    expect([after.chatbots[0].optUserId, after.version]).toEqual([null, version + 1])
    expect(
      (
        await admin('PUT', `/queue/${id}`, {
          chatbots: after.chatbots.map(({ companyId, queueId, chatBotId, position, ...one }: any) => one),
        })
      ).status,
    ).toBe(200)
  })

  it('refuses an agent who does not serve it, and accepts any admin (A-TRANSFER-05, A-VIS-01)', async () => {
    const { vendas } = app.company.queues
    const { carla, admin: chief } = app.company.users
    const inside = (optUserId: number) => [option('Mais ajuda', { chatbots: [option('Pessoa', { queueType: 'attendent', optUserId })] })]
    const refusal = await admin('PUT', `/queue/${vendas}`, { chatbots: inside(carla) })
    expect(refused(refusal)).toEqual([400, 'ERR_NO_PERMISSION', 'chatbots/0/chatbots/0/optUserId'])
    const { body, status } = await admin('PUT', `/queue/${vendas}`, { chatbots: inside(chief) })
    expect(status).toBe(200)
    const { id } = body.chatbots[0].chatbots[0]
    expect(refused(await admin('PUT', `/chatbot/${id}`, { optUserId: carla }))[1]).toBe('ERR_NO_PERMISSION')
    expect((await admin('PUT', `/chatbot/${id}`, { queueType: 'text', optUserId: carla })).status).toBe(200) // the option leads to nobody
    expect((await admin('PUT', `/queue/${vendas}`, { chatbots: [] })).status).toBe(200)
  })

  it('refuses an option that leads to a missing target', async () => {
    const { id } = await made()
    const lead = (more: Partial<Option>) => admin('PUT', `/queue/${id}`, { chatbots: [option('Leva longe', more)] })
    const gone = (await made()).id
    await admin('DELETE', `/queue/${gone}`)
    expect(refused(await lead({ queueType: 'queue', optQueueId: gone }))).toEqual([404, 'ERR_NO_QUEUE_FOUND', 'optQueueId'])
    await app.db.updateTable('user').set({ retiredAt: '2026-01-01T00:00:00Z' }).where('id', '=', app.company.users.carla).execute()
    expect(refused(await lead({ queueType: 'attendent', optUserId: app.company.users.carla }))).toEqual([
      404,
      'ERR_NO_USER_FOUND',
      'optUserId',
    ])
    expect(refused(await lead({ queueType: 'file', optFileId: 1 }))).toEqual([404, 'ERR_NO_FILE_LIST_FOUND', 'optFileId'])
  })

  it('allows single options to be changed, moved and removed with those below', async () => {
    const { id: queueId } = await made()
    const add = async (name: string, chatBotId: number | null = null) =>
      (await admin('POST', '/chatbot', { queueId, name, chatBotId })).body as { id: number; position: number }
    const [menu, other] = [await add('Menu'), await add('Outra')]
    const inside = await add('Dentro', menu.id)
    expect(other.position).toBe(1)
    expect((await admin('PUT', `/chatbot/${other.id}`, { position: 0 })).body.position).toBe(0)
    expect(refused(await admin('PUT', `/chatbot/${menu.id}`, { chatBotId: inside.id }))[1]).toBe('ERR_OPTION_LOOP')
    expect((await admin('PUT', `/chatbot/${menu.id}`, { chatBotId: other.id })).body).toMatchObject({
      chatBotId: other.id,
      chatbots: [{ id: inside.id }],
    })
    expect((await admin('DELETE', `/chatbot/${menu.id}`)).status).toBe(204)
    expect((await admin('GET', `/queue/${queueId}`)).body.chatbots).toMatchObject([{ id: other.id, chatbots: [] }])
    expect((await admin('GET', `/chatbot/${inside.id}`)).status).toBe(404)
    const { body } = await admin('GET', `/audit?list=queue&rowId=${queueId}`)
    expect(body.changes[0]).toMatchObject({
      before: { chatbots: ['1 Outra (text)', '1.1 Menu (text)', '1.1.1 Dentro (text)'] },
      after: { chatbots: ['1 Outra (text)'] },
    })
  })

  it('requires a closed text if queues have their own hours (R-QUEUE-03)', async () => {
    const { id } = await made()
    await app.set('scheduleType', 'queue')
    expect(refused(await admin('PUT', `/queue/${id}`, { outOfHoursMessage: ' ' }))).toEqual([400, 'ERR_INVALID_INPUT', 'outOfHoursMessage'])
    expect(refused(await admin('PUT', `/queue/${id}`, { tempoRoteador: 7 }))).toEqual([400, 'ERR_INVALID_INPUT', 'tempoRoteador'])
    expect(refused(await admin('PUT', `/queue/${id}`, { ativarRoteador: true, tempoRoteador: 0 }))).toEqual([
      ...[400, 'ERR_INVALID_INPUT', 'tempoRoteador'], // it would assign nothing (R-QUEUE-08)
    ])
    await app.set('scheduleType', 'disabled')
  })

  it('that is retired redirects options and loses its own (A-QUEUE-01, R-QUEUE-07)', async () => {
    const { vendas, suporte } = app.company.queues
    const doomed = (await made({ chatbots: [option('Dela mesma')] })).id
    const { id } = await made({ chatbots: [option('Leva a ela', { queueType: 'queue', optQueueId: doomed })] })
    const refusal = await admin('DELETE', `/queue/${doomed}`)
    expect([refusal.body.error, refusal.body.options]).toEqual(['ERR_QUEUE_IN_USE', 1])
    expect((await admin('DELETE', `/queue/${doomed}?moveTo=${suporte}`)).status).toBe(204)
    expect((await admin('GET', `/queue/${id}`)).body.chatbots[0]).toMatchObject({ queueType: 'queue', optQueueId: suporte })
    expect(await app.db.selectFrom('menuOption').select('id').where('queueId', '=', doomed).execute()).toEqual([])
    expect(vendas).not.toBe(suporte)

    const other = (await made()).id
    const heir = (await made({ chatbots: [option('Leva à outra', { queueType: 'queue', optQueueId: other })] })).id
    expect((await admin('DELETE', `/queue/${other}?moveTo=${heir}`)).status).toBe(204)
    const [lost] = (await admin('GET', `/queue/${heir}`)).body.chatbots
    expect(lost).toMatchObject({ queueType: 'queue', optQueueId: null }) // without a target, as the editor shows
    expect(optionFault([lost], heir)).toMatchObject({ at: 'chatbots/0', field: 'optQueueId', rule: 'required' })
  })

  it('is limited in number by the plan (A-PLAN-01)', async () => {
    await app.db.updateTable('plan').set({ queues: 1 }).execute()
    const { status, body } = await admin('POST', '/queue', { name: 'Demais', color: '#010203' })
    expect([status, body.error, body.message]).toEqual([400, 'ERR_PLAN_QUEUES', 'Número máximo de filas atingido: 1'])
  })
})
