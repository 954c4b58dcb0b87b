import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { table } from '#tests/http/table.ts'
import { touched } from '#tests/http/table-interactive.ts'
import { lists } from '#tests/http/table-lists.ts'
import { said } from '#tests/http/table-messages.ts'
import { ofTemplates } from '#tests/http/table-templates.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { own } from './additional-calls.ts'
import { notYet, served } from './specified-calls.ts'

let app: TestApp
let paths: Record<string, Record<string, { responses?: object; security?: unknown }>>
const mounted = () =>
  Object.entries(paths).flatMap(([path, of]) => Object.keys(of).map((method) => `${method.toUpperCase()} ${path.replace(/^\/api/, '')}`))
beforeAll(async () => {
  app = await startTestApp()
  paths = (await app.stranger('GET', '/docs/json')).body.paths
})
afterAll(() => app.stop())

describe('the published calls', () => {
  it('are served if they are listed as served, and not if they are listed as future', () => {
    expect(served.filter((call) => !mounted().includes(call))).toEqual([])
    expect(notYet.filter((call) => mounted().includes(call))).toEqual([])
  })
  it('are listed once each, with the app’s additional calls', () => {
    const all = [...served, ...notYet, ...Object.keys(own)]
    expect(all.filter((call, i) => all.indexOf(call) !== i)).toEqual([])
    expect(mounted().filter((call) => !all.includes(call))).toEqual([])
    expect(Object.keys(own).filter((call) => !mounted().includes(call))).toEqual([])
  })
  it('are below /api (A-ROUTE-00)', () => expect(Object.keys(paths).filter((path) => !path.startsWith('/api/'))).toEqual([]))
  it('each have a test case in tests/http', () => {
    const held = Object.keys({ ...table, ...lists, ...said, ...ofTemplates, ...touched }).map((call) => call.replace(/:(\w+)/g, '{$1}'))
    expect(held.sort()).toEqual(mounted().sort())
  })
  it('describe their answers', () => {
    const silent = ['DELETE ', 'PUT /users/', 'POST /sandbox/']
    const empty = mounted().filter((call) => {
      const [method, path] = call.split(' ') as [string, string]
      return !Object.keys(paths[`/api${path}`]![method.toLowerCase()]!.responses ?? {}).some((status) => status.startsWith('2'))
    })
    expect(empty.filter((call) => !silent.some((start) => call.startsWith(start)))).toEqual([])
  })
})
