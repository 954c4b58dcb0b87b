import * as Type from 'typebox'
import { beforeEach, describe, expect, it } from 'vitest'
import { anyone, signedIn } from '#domain/access.ts'
import { get, post } from '#domain/contract.ts'
import { errorTexts } from '#domain/error-texts.ts'
import type { ErrorCode } from '#domain/errors.ts'
import { ApiError, createApiClient, type Token } from '#web/api.ts'
import type { Request } from '#web/http-transport.ts'
import { failure } from '#web/ui/toaster.ts'

const things = {
  list: get('/things', {
    may: signedIn,
    summary: 'Something.',
    query: Type.Object({ q: Type.Optional(Type.String()) }),
    answer: Type.Unknown(),
  }),
  find: get('/things/:id', { may: signedIn, summary: 'Something.', answer: Type.Unknown() }),
  make: post('/things', {
    may: signedIn,
    summary: 'Something.',
    body: Type.Object({ name: Type.String() }),
    answer: Type.Unknown(),
    upload: true,
  }),
  enter: post('/enter', { may: anyone, summary: 'Something.', body: Type.Object({}) }),
}
const refreshPath = '/auth/refresh_token'

let asked: Request[]
let ended: number
let kept: string | null
let answers: (request: Request) => { status: number; answer: unknown }

const token: Token = { get: () => kept, keep: (to) => (kept = to) }
const client = () =>
  createApiClient({
    wire: async (request) => {
      asked.push(request)
      await Promise.resolve()
      return answers(request)
    },
    token,
    ended: () => ended++,
    language: () => 'es',
  }).client(things)

const bearer = ({ headers }: Request) => headers.authorization
const expiring = (request: Request) =>
  request.path === refreshPath
    ? { status: 200, answer: { token: 'new', user: { id: 1 } } }
    : bearer(request) === 'Bearer new'
      ? { status: 200, answer: 'ok' }
      : { status: 403, answer: { error: 'ERR_SESSION_EXPIRED' } }

beforeEach(() => {
  asked = []
  ended = 0
  kept = 'old'
  answers = () => ({ status: 200, answer: 'ok' })
})

describe('an error code that the client does not know', () => {
  it('is shown with the server’s text, or with a general text if there is none', () => {
    const told = (detail: object) => failure(new ApiError('ERR_LATER' as ErrorCode, { ...detail }, 400))
    expect(told({ message: 'O canal está em manutenção.' })).toBe('O canal está em manutenção.')
    expect([told({}), told({ message: ' ' }), told({ message: { text: 1 } })]).toEqual(Array(3).fill(errorTexts.ERR_INTERNAL[0]))
    expect(failure(new ApiError('ERR_NOT_FOUND', { message: 'other' }, 404))).toBe(errorTexts.ERR_NOT_FOUND[0])
  })
})

describe('a call', () => {
  it('sends the path, the query and the language', async () => {
    await client().find({ params: { id: 7 } })
    await client().list({ query: { q: 'a b' } })
    await client().list({ query: {} })
    expect(asked.map(({ path }) => path)).toEqual(['/things/7', '/things?q=a+b', '/things'])
    expect(bearer(asked[0]!)).toBe('Bearer old')
    expect(asked[0]!.headers['accept-language']).toBe('es') // so that error texts have the language of the screens
  })

  it('sends no token to public calls', async () => {
    await client().enter({ body: {} })
    expect(bearer(asked[0]!)).toBeUndefined()
  })

  it('sends files as a form, with the text fields first', async () => {
    await client().make({ body: { name: 'x' } }, { files: [{ field: 'medias', file: new Blob(['hi']), name: 'a.txt' }] })
    const form = asked[0]!.body as FormData
    expect([...form.keys()]).toEqual(['name', 'medias'])
    expect(asked[0]!.headers['content-type']).toBeUndefined()
  })

  it('throws a refusal with its code, detail and status', async () => {
    answers = () => ({ status: 409, answer: { error: 'ERR_OTHER_OPEN_TICKET', userId: 3 } })
    await expect(client().list({ query: {} })).rejects.toMatchObject({ code: 'ERR_OTHER_OPEN_TICKET', status: 409, detail: { userId: 3 } })
  })
})

describe('an expired token', () => {
  it('is renewed once, and the call is repeated', async () => {
    answers = expiring
    expect(await client().list({ query: {} })).toBe('ok')
    expect(asked.map(({ path }) => path)).toEqual(['/things', refreshPath, '/things'])
    expect(kept).toBe('new')
  })

  it('is renewed once for all waiting calls', async () => {
    answers = expiring
    const api = client()
    await Promise.all([1, 2, 3, 4].map((id) => api.find({ params: { id } })))
    expect(asked.filter(({ path }) => path === refreshPath)).toHaveLength(1)
    expect(asked).toHaveLength(4 + 1 + 4)
  })

  it('is not renewed again for a call sent with the older token', async () => {
    answers = (request) => {
      if (bearer(request) === 'Bearer old') kept = 'new' // another call renewed it meanwhile
      return expiring(request)
    }
    await client().list({ query: {} })
    expect(asked.map(({ path }) => path)).toEqual(['/things', '/things'])
  })

  it('keeps the command id in the retry, and each command has its own id', async () => {
    answers = expiring
    await client().make({ body: { name: 'a' } })
    await client().make({ body: { name: 'b' } })
    await client().make({ body: { name: 'c' } }, { commandId: 'mine' })
    const ids = asked.filter(({ path }) => path === '/things').map(({ headers }) => headers['x-command-id'])
    expect(ids[0]).toBe(ids[1])
    expect(ids[2]).not.toBe(ids[0])
    expect(ids[3]).toBe('mine')
  })
})

describe('a refusal that a new token does not change', () => {
  it('is retried once and then thrown, without signing out', async () => {
    answers = ({ path }) =>
      path === refreshPath
        ? { status: 200, answer: { token: 'new', user: { id: 1 } } }
        : { status: 403, answer: { error: 'ERR_NO_PERMISSION' } }
    await expect(client().list({ query: {} })).rejects.toMatchObject({ code: 'ERR_NO_PERMISSION' })
    expect(asked).toHaveLength(3)
    expect(ended).toBe(0)
  })
})

describe('an ended session', () => {
  it('signs the user out if the refresh is refused', async () => {
    answers = ({ path }) => ({ status: path === refreshPath ? 401 : 403, answer: { error: 'ERR_SESSION_EXPIRED' } })
    await expect(client().list({ query: {} })).rejects.toMatchObject({ status: 401 })
    expect(ended).toBe(1)
  })

  it('signs the user out on a 401', async () => {
    answers = () => ({ status: 401, answer: { error: 'ERR_SESSION_EXPIRED' } })
    await expect(client().list({ query: {} })).rejects.toMatchObject({ status: 401 })
    expect(ended).toBe(1)
  })

  it('does not apply to the login call', async () => {
    answers = () => ({ status: 401, answer: { error: 'ERR_INVALID_CREDENTIALS' } })
    await expect(client().enter({ body: {} })).rejects.toMatchObject({ code: 'ERR_INVALID_CREDENTIALS' })
    expect(ended).toBe(0)
  })
})
