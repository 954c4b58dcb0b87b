import { afterAll, beforeAll, expect, it } from 'vitest'
import { lightHash } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const admin = (method: string, path: string, body?: unknown) => app.as('admin')(method, path, body)
const outcome = ({ status, body }: { status: number; body: any }) => [status, body?.error ?? null]
const short = 'xk7-qz9'
const long = 'xk7-qz9w'

it('an admin’s password has at least 8 characters wherever it is set; an agent’s has 5 (A-AUTH-10)', async () => {
  const person = (name: string, profile: string, password: string) =>
    admin('POST', '/users', { name, email: `${name}@casa.test`, profile, password })
  expect(outcome(await person('edu', 'admin', short))).toEqual([400, 'ERR_SHORT_PASSWORD'])
  const { id } = (await person('edu', 'user', short)).body
  expect(outcome(await admin('PUT', `/users/${id}`, { profile: 'admin', password: short }))).toEqual([400, 'ERR_SHORT_PASSWORD'])
  expect(outcome(await admin('PUT', `/users/${id}`, { profile: 'admin' }))).toEqual([200, null]) // the stored password stays
  expect(outcome(await app.stranger('POST', '/auth/login', { email: 'edu@casa.test', password: short }))).toEqual([200, null])

  const { link } = (await admin('POST', `/users/${id}/password-link`)).body
  const token = link.split('#')[1]
  expect((await app.stranger('POST', '/auth/password-link', { token })).body).toMatchObject({ minLength: 8 })
  const set = (password: string) => app.stranger('POST', '/auth/password', { token, password })
  expect(outcome(await set(short))).toEqual([400, 'ERR_SHORT_PASSWORD'])
  expect(outcome(await set(long))).toEqual([200, null])
})

it('an admin changes the own password to a long one only', async () => {
  const passwordHash = lightHash(short)
  await app.db.updateTable('user').set({ passwordHash }).where('id', '=', app.company.users.admin).execute()
  const { body } = await app.stranger('POST', '/auth/login', { email: 'admin@casa.test', password: short })
  const asSelf = (password: string, currentPassword: string) =>
    app.stranger('PUT', `/users/${app.company.users.admin}`, { password, currentPassword }, { authorization: `Bearer ${body.token}` })
  expect(outcome(await asSelf('outr0-1', short))).toEqual([400, 'ERR_SHORT_PASSWORD'])
  expect(outcome(await asSelf(long, short))).toEqual([200, null])
})
