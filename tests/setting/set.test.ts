import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAppContext } from '#app/context.ts'
import { projectors, streamKinds } from '#app/modules.ts'
import { openWeb } from '#app/roles/web.ts'
import { noCompany } from '#app/security/log.ts'
import { settingsOf } from '#app/setting/read.ts'
import { settings } from '#domain/setting/contract.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.db.updateTable('user').set({ super: true }).where('id', '=', app.company.users.root).execute()
})
afterAll(() => app.stop())

const set = async (who: 'admin' | 'ana' | 'root', key: string, value: unknown) =>
  (await app.as(who)('PUT', `/settings/${key}`, { value })).status
const mine = async (who: 'admin' | 'ana' | 'root') =>
  Object.fromEntries(
    (await app.as(who)('GET', '/auth/me')).body.company.settings.map(({ key, value }: { key: string; value: string }) => [key, value]),
  )

describe('a setting', () => {
  it('belongs to one company, whichever call sets it (A-SET-01)', async () => {
    expect(await set('admin', 'requiredTag', 'enabled')).toBe(200)
    const given = { column: 'transferMessage', data: 'Agora com {fila}' }
    expect((await app.as('admin')('PUT', '/companySettings', given)).body).toEqual({ key: 'transferMessage', value: 'Agora com {fila}' })
    const { casa, vizinha } = app.company.companies
    const ours = (await app.as('ana')('GET', `/companySettings/${casa}`)).body
    expect(ours).toMatchObject({ requiredTag: 'enabled', transferMessage: 'Agora com {fila}' })
    const theirs = (await app.as('rita')('GET', `/companySettings/${vizinha}`)).body
    expect(theirs).toMatchObject({ requiredTag: 'disabled', transferMessage: settings.transferMessage.default })
    expect((await app.as('ana')('GET', '/companySettingOne?column=requiredTag')).body).toEqual({ requiredTag: 'enabled' })
  })

  it('cannot be enabled while its requirements are missing (R-CONN-05, A-LGPD-01)', async () => {
    const on = (key: string) => app.as('admin')('PUT', `/settings/${key}`, { value: 'enabled' })
    expect((await on('userRating')).body).toMatchObject({
      error: 'ERR_INVALID_INPUT',
      rule: 'needsRating',
      connections: expect.stringMatching(/Balcão/),
    })
    await app.db.updateTable('connection').set({ ratingMessage: 'De 0 a 10?', expiresTicketNPS: 30 }).execute()
    expect((await on('userRating')).status).toBe(200)
    expect((await on('lgpdConsent')).body).toMatchObject({ error: 'ERR_INVALID_INPUT', rule: 'needsText', setting: 'lgpdMessage' })
    expect(await set('admin', 'lgpdMessage', 'Usamos os seus dados para atender.')).toBe(200)
    expect((await on('lgpdConsent')).status).toBe(200)
    expect(await set('admin', 'lgpdMessage', '')).toBe(200) // it has no effect from now on, as the screen says
    for (const key of ['userRating', 'lgpdConsent']) await set('admin', key, 'disabled')
  })
  it('of the platform is public and set by super users only (A-SET-04)', async () => {
    expect(await set('admin', 'userCreation', 'disabled')).toBe(403)
    expect((await app.as('admin')('PUT', '/companySettings', { column: 'appName', data: 'Nossa' })).status).toBe(403)
    expect((await app.stranger('GET', '/public-settings/appName')).body).toBeNull()
    expect(await set('root', 'userCreation', 'disabled')).toBe(200)
    expect(await set('root', 'appName', 'Balcão')).toBe(200)
    expect((await app.stranger('GET', '/settings/userCreation')).body).toEqual({ userCreation: 'disabled' })
    expect((await app.stranger('GET', '/public-settings/appName')).body).toBe('Balcão')
    expect((await app.as('ana')('GET', '/setting/appName')).body).toEqual({ key: 'appName', value: 'Balcão' })
    await set('root', 'userCreation', 'enabled')
    const logged = app.db.selectFrom('securityEvent').select('companyId').distinct()
    const changes = await logged.where('kind', '=', 'settingChanged').where(sql<string>`detail ->> 'setting'`, '=', 'appName').execute()
    expect(changes).toEqual([{ companyId: noCompany }]) // admins of the super user's company do not read it
  })

  it.each([
    ['sendSignMessage', 'on'],
    ['scheduleType', 'always'],
    ['chatBotType', 'button'], // R-BOT-04
    ['closeTicketOnTransfer', 'enabled'],
    ['primaryColorDark', 'blue'],
    ['lgpdLink', 'javascript:alert(1)'],
    ['timeZone', 'Nowhere/At_All'],
    ['timeZone', '+03:00'],
    ['mailPort', '70000'],
    ['greetingAcceptedMessage', 'x'.repeat(4001)],
    ['greetingAcceptedMessage', 'nu\0l'],
  ])('refuses an invalid value: %s %s (A-SET-03)', async (key, value) => {
    const { status, body } = await app.as('root')('PUT', `/settings/${key}`, { value })
    expect({ status, error: body.error, field: body.field }).toEqual({ status: 400, error: 'ERR_INVALID_INPUT', field: 'value' })
  })

  it.each([
    ['scheduleType', ['queue', 'company', 'connection', 'disabled']],
    ['chatBotType', ['text']],
    ['enableLGPD', ['enabled', 'disabled']],
    ['lgpdConsent', ['disabled']], // "enabled" needs a text
    ['lgpdDeleteMessage', ['enabled', 'disabled']],
    ['lgpdHideNumber', ['enabled', 'disabled']],
    ['lgpdLink', ['https://casa.test/dados', '']],
    ['lgpdMessage', ['Cuidamos dos seus dados.', '']],
  ])('accepts its values: %s (R-HOURS-01, R-BOT-04, R-LGPD-03)', async (key, values) => {
    for (const value of values) {
      expect(await set('admin', key, value)).toBe(200)
      expect((await app.as('admin')('GET', `/setting/${key}`)).body).toEqual({ key, value })
    }
  })

  it('that is unknown is not found by any call (A-SET-02)', async () => {
    for (const key of ['nothing', '__proto__', 'constructor', 'toString']) {
      for (const path of [`/setting/${key}`, `/companySettingOne?column=${key}`, `/public-settings/${key}`])
        expect((await app.as('admin')('GET', path)).body.error).toBe('ERR_NO_SETTING_FOUND')
      expect((await app.as('admin')('PUT', `/settings/${key}`, { value: 'enabled' })).body.error).toBe('ERR_NO_SETTING_FOUND')
    }
  })

  it('with a text in use cannot be emptied', async () => {
    expect(await set('admin', 'greetingAcceptedMessage', 'Olá')).toBe(200)
    expect(await set('admin', 'sendGreetingAccepted', 'enabled')).toBe(200)
    expect((await app.as('admin')('PUT', '/settings/greetingAcceptedMessage', { value: ' ' })).body).toMatchObject({
      ...{ error: 'ERR_INVALID_INPUT', field: 'value', rule: 'minLength' },
    })
    await set('admin', 'sendGreetingAccepted', 'disabled')
    expect(await set('admin', 'greetingAcceptedMessage', '')).toBe(200)
  })

  it('cannot be enabled without its text', async () => {
    await set('admin', 'greetingAcceptedMessage', '')
    const { status, body } = await app.as('admin')('PUT', '/settings/sendGreetingAccepted', { value: true })
    expect([status, body]).toMatchObject([400, { error: 'ERR_INVALID_INPUT', rule: 'needsText', setting: 'greetingAcceptedMessage' }])
    expect((await app.as('admin')('GET', '/setting/sendGreetingAccepted')).body.value).toBe('disabled')
  })

  it('keeps the yellow limit of waiting times at or below the red one', async () => {
    const refused = { status: 400, body: { error: 'ERR_WAITING_LIMITS', field: 'value' } }
    expect(await app.as('admin')('PUT', '/settings/waitingDueMinutes', { value: '31' })).toMatchObject(refused)
    expect(await app.as('admin')('PUT', '/settings/waitingLateMinutes', { value: '9' })).toMatchObject(refused)
    for (const [key, value] of [
      ['waitingLateMinutes', '60'],
      ['waitingDueMinutes', '60'],
      ['waitingDueMinutes', '10'],
      ['waitingLateMinutes', '30'],
    ] as const)
      expect(await set('admin', key, value)).toBe(200)
  })

  it('accepts a boolean, and answers one where the specification says so', async () => {
    for (const [key, off, on] of [
      ['requiredTag', 'disabled', 'enabled'],
      ['closeTicketOnTransfer', false, true],
    ] as const)
      for (const [given, value] of [
        [false, off],
        [true, on],
      ] as const)
        expect((await app.as('admin')('PUT', `/settings/${key}`, { value: given })).body).toEqual({ key, value })
    await set('admin', 'closeTicketOnTransfer', false)
    expect((await app.as('ana')('GET', '/companySettingOne?column=closeTicketOnTransfer')).body).toEqual({ closeTicketOnTransfer: false })
    expect((await app.as('ana')('GET', `/companySettings/${app.company.companies.casa}`)).body.closeTicketOnTransfer).toBe(false)
  })

  it('is in `me` if everybody may read it, and hidden otherwise', async () => {
    const shown = await mine('ana')
    expect(shown).toMatchObject({ requiredTag: 'enabled', timeZone: 'America/Sao_Paulo', userCreation: 'enabled' })
    const hidden = Object.entries(settings).flatMap(([key, { read }]) => (read === settings.userRandom.read ? [key] : []))
    expect(hidden).toContain('lgpdLink')
    const listed = (await app.as('ana')('GET', '/settings')).body.map(({ key }: { key: string }) => key)
    for (const key of hidden) {
      expect([key, key in shown, listed.includes(key)]).toEqual([key, false, false])
      expect((await app.as('ana')('GET', `/setting/${key}`)).body.error).toBe('ERR_NO_PERMISSION')
    }
    const readByAdmin = Object.keys(settings).filter((key) => !key.startsWith('mail')) // only the operator reads the platform's own
    expect((await app.as('admin')('GET', '/settings')).body.map(({ key }: { key: string }) => key)).toEqual(readByAdmin)
  })

  it('has one security log entry for a change, with old and new value', async () => {
    await set('admin', 'showNotificationPending', true)
    await set('admin', 'showNotificationPending', 'true')
    const before = (await app.as('admin')('GET', '/setting/transferMessage')).body.value
    await set('admin', 'transferMessage', 'Um novo texto')
    const { events } = (await app.as('admin')('GET', '/security-log?kind=settingChanged')).body
    expect(events.slice(0, 2).map(({ detail }: { detail: object }) => detail)).toEqual([
      { setting: 'transferMessage', from: before, to: 'Um novo texto' },
      { setting: 'showNotificationPending', from: 'false', to: 'true' },
    ])
  })

  it('can be read by a company with an expired subscription (A-AUTH-06)', async () => {
    const due = (dueDate: string | null) =>
      app.db.updateTable('company').set({ dueDate }).where('id', '=', app.company.companies.vizinha).execute()
    await due('2020-01-01')
    const seen = async (method: string, path: string, body?: object) => (await app.as('rita')(method, path, body)).status
    await expect.poll(() => seen('GET', '/tags')).toBe(402)
    expect(await seen('GET', '/settings')).toBe(200)
    expect(await seen('GET', '/companySettingOne?column=timeZone')).toBe(200)
    expect((await app.as('root')('PUT', '/settings/timeZone', { value: 'UTC' })).status).toBe(402)
    await due(null)
    await expect.poll(() => seen('GET', '/tags')).toBe(200)
  })
})

it('applies in every process at once and is sent to users who may read it', async () => {
  const { config: started, connectionString, logger } = app.ctx
  const other = await createAppContext({
    config: started,
    masterKey: started.masterKey!,
    connectionString,
    logger,
    projectors,
    streams: streamKinds,
  })
  const web = await openWeb(other)
  const at = await web.listen({ host: '127.0.0.1', port: 0 })
  try {
    const ask = async (path: string): Promise<any> =>
      (await fetch(`${at}/api${path}`, { headers: { authorization: `Bearer ${await app.tokenOf('ana')}` } })).json()
    await set('admin', 'enableLGPD', 'disabled')
    await set('admin', 'lgpdHideNumber', 'enabled')
    await expect.poll(async () => (await ask('/auth/me')).masked).toBe(false)
    const [ana, admin] = [await app.socket('ana'), await app.socket('admin')]
    await set('admin', 'userRandom', 'enabled')
    await set('admin', 'sendSignMessage', 'disabled')
    const heard = (line: typeof ana) =>
      line.frames.flatMap(({ channel, setting }: any) =>
        channel.endsWith('-setting') && setting ? [`${setting.key} ${setting.value}`] : [],
      )
    await expect.poll(() => heard(admin)).toEqual(expect.arrayContaining(['userRandom enabled', 'sendSignMessage disabled']))
    await expect.poll(() => heard(ana)).toContain('sendSignMessage disabled')
    expect(heard(ana).join()).not.toContain('userRandom')
    expect((await ask('/setting/sendSignMessage')).value).toBe('disabled')
    expect((await settingsOf(other.db, app.company.companies.casa)).sendSignMessage).toBe('disabled')

    await set('admin', 'enableLGPD', 'enabled')
    const { maria } = app.company.contacts
    await expect.poll(async () => (await ask(`/contacts/${maria}`)).number).toContain('*')
    await set('admin', 'enableLGPD', 'disabled')
    await expect.poll(async () => (await ask(`/contacts/${maria}`)).number).toBe('5511987654321')
  } finally {
    await web.close()
    await other.close()
  }
})
