import { readdir } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())
beforeEach(async () => void (await ask('DELETE')))

const square = (color: string) => sharp({ create: { width: 8, height: 8, channels: 3, background: color } })
const idOf = (who: Person) => app.company.users[who as keyof typeof app.company.users]
function form(...files: [content: Buffer | string, name: string][]): FormData {
  const data = new FormData()
  for (const [content, name] of files) data.append('profileImage', new Blob([content as never]), name)
  data.append('typeArch', 'user')
  return data
}
const ask = (method: string, body?: unknown, of: Person = 'ana', who: Person = 'ana') =>
  app.as(who)(method, `/users/${idOf(of)}/media-upload`, body)
const onDisk = async () => {
  const all = await readdir(path.join(app.ctx.config.dataDir, 'media'), { recursive: true, withFileTypes: true })
  return all.filter((one) => one.isFile()).length
}
const seenBy = async (who: Person) => {
  const { body } = await app.as(who)('GET', '/users/list')
  return body.find(({ name }: { name: string }) => name === 'ana').profileImage
}
const mine = async () => (await app.as('ana')('GET', '/auth/me')).body.profileImage

describe('a super user’s picture', () => {
  it('can be changed only by the super user', async () => {
    await app.db.updateTable('user').set({ super: true }).where('id', '=', idOf('ana')).execute()
    app.forget('ana')
    const content = await square('green').png().toBuffer()
    expect((await ask('POST', form([content, 'eu.png']), 'ana', 'admin')).body).toMatchObject({ error: 'ERR_NO_PERMISSION' })
    expect((await ask('DELETE', undefined, 'ana', 'admin')).body).toMatchObject({ error: 'ERR_NO_PERMISSION' })
    expect((await ask('POST', form([content, 'eu.png']))).status).toBe(200)
    await app.db.updateTable('user').set({ super: false }).where('id', '=', idOf('ana')).execute()
    app.ctx.viewerCache.forget()
    expect((await ask('DELETE', undefined, 'ana', 'admin')).status).toBe(204)
  })
})

describe('a user’s picture', () => {
  it('is shown to the user and all colleagues at once, and to no other company', async () => {
    const line = await app.socket('bruno')
    const content = await square('red').png().toBuffer()
    const { status, body } = await ask('POST', form([content, 'eu.png']))
    expect([status, body.name]).toEqual([200, 'ana'])
    expect([await mine(), await seenBy('bruno')]).toEqual([body.profileImage, body.profileImage])
    const { body: found } = await app.as('bruno')('GET', '/users?searchParam=ana')
    expect(found.users[0].profileImage).toBe(body.profileImage)
    const frame = () => line.frames.findLast(({ channel, user }: any) => channel.endsWith('-user') && user?.name === 'ana')
    await expect.poll(frame).toMatchObject({ action: 'update', user: { profileImage: body.profileImage } })
    const shown = await app.stranger('GET', body.profileImage)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(JSON.stringify((await app.as('root')('GET', '/users/list')).body)).not.toContain('eu.png')
  })

  it('replaces the one before, whose file is deleted, and can be removed', async () => {
    const before = (await ask('POST', form([await square('red').png().toBuffer(), 'a.png']))).body.profileImage
    const after = (await ask('POST', form([await square('blue').jpeg().toBuffer(), 'b.jpg']))).body.profileImage
    expect([(await app.stranger('GET', before)).status, (await app.stranger('GET', after)).status, await onDisk()]).toEqual([404, 200, 1])
    expect((await ask('DELETE')).status).toBe(204)
    expect([await mine(), await seenBy('bruno'), await onDisk()]).toEqual([null, null, 0])
    expect((await ask('DELETE')).status).toBe(204)
  })

  it.each<[string, () => Promise<[Buffer | string, string][]>, number, string]>([
    ['a text', async () => [['Olá', 'eu.txt']], 415, 'ERR_UNSUPPORTED_MEDIA'],
    ['a text that is called a picture', async () => [['Olá', 'eu.png']], 415, 'ERR_UNSUPPORTED_MEDIA'],
    [
      'a drawing that may hold a program',
      async () => [['<svg xmlns="http://www.w3.org/2000/svg"/>', 'eu.svg']],
      415,
      'ERR_UNSUPPORTED_MEDIA',
    ],
    [
      'larger than a megabyte',
      async () => [[Buffer.concat([await square('red').png().toBuffer(), Buffer.alloc(2 ** 20)]), 'eu.png']],
      413,
      'ERR_TOO_LARGE',
    ],
    ['empty', async () => [['', 'eu.png']], 415, 'ERR_UNSUPPORTED_MEDIA'],
    [
      'two',
      async () => [await square('red').png().toBuffer(), await square('blue').png().toBuffer()].map((one, i) => [one, `${i}.png`]),
      400,
      'ERR_INVALID_INPUT',
    ],
    ['none', async () => [], 400, 'ERR_INVALID_INPUT'],
  ])('that is %s is refused, and the old one stays', async (_, files, status, error) => {
    const before = (await ask('POST', form([await square('green').png().toBuffer(), 'antes.png']))).body.profileImage
    const no = await ask('POST', form(...(await files())))
    expect([no.status, no.body.error]).toEqual([status, error])
    expect([await mine(), await onDisk(), (await app.stranger('GET', before)).status]).toEqual([before, 1, 200])
    expect(await app.db.selectFrom('uploadReservation').select('id').execute()).toEqual([])
  })

  it('can be changed by the user and admins only', async () => {
    const picture = async () => form([await square('green').png().toBuffer(), 'ana.png'])
    for (const method of ['POST', 'DELETE']) {
      const no = await ask(method, method === 'POST' ? await picture() : undefined, 'ana', 'bruno')
      expect([no.status, no.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
    }
    expect(await onDisk()).toBe(0)
    const given = await ask('POST', await picture(), 'ana', 'admin')
    expect([given.status, await mine()]).toEqual([200, given.body.profileImage])
    expect((await ask('DELETE', undefined, 'ana', 'admin')).status).toBe(204)
    expect(await mine()).toBe(null)
  })
})
