import type { Socket } from 'node:net'
import { expect } from 'vitest'
import type { Scene } from '#tests/http/scene.ts'
import type { Person } from '#tests/support/seed-companies.ts'
import type { Answer, TestApp } from '#tests/support/server.ts'
import { openRaw, type Raw } from '#tests/support/wire.ts'

/** The description of an attack, and a function that runs it and throws if it succeeds. */
export type Attacks = Record<string, [what: string, play: () => Promise<unknown>]>
export type Received = { who: Person | null; status: number; text: string }
/** Texts that must not appear outside their place. */
export const secrets = {
  ...{ theirs: 'palavra-da-vizinha', customers: 'palavra-do-cliente', sought: 'palavra-da-busca', wrong: 'senha-que-nao-e' },
}
export type Attacker = ReturnType<typeof attacker>

/** Sends requests over the wire and records each person's answers. */
export function attacker(app: TestApp, scene: Scene) {
  const heard: Received[] = []
  const sockets: Socket[] = []
  async function ask(who: Person | null, method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    const answer = await (who ? app.as(who) : app.stranger)(method, path, body, headers)
    heard.push({ who, status: answer.status, text: JSON.stringify(answer.body) })
    return answer
  }
  const opening = async (queue: 'vendas' | 'suporte') => ({
    ...{ contactId: (await scene.contact()).id, queueId: scene.queues[queue], status: 'pending' },
  })
  return {
    ...{ house: app, scene, heard, sockets, ask, opening },
    says: async (asked: Promise<Answer>) => {
      const { status, body } = await asked
      return [status, body?.error]
    },
    raw: (text: string): Promise<Raw> => openRaw(text, Number(new URL(app.url).port), sockets),
    served: async () => expect((await ask('ana', 'GET', '/tickets?status=open')).status).toBe(200),
    waiting: async (queue: 'vendas' | 'suporte') =>
      scene.made('bruno', 'POST', '/tickets', await opening(queue)) as Promise<{ id: number }>,
  }
}
export const json = (bytes: number): string[] => ['Content-Type: application/json', `Content-Length: ${bytes}`]
