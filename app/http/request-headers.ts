import type { FastifyRequest } from 'fastify'

export const bearer = (header: string | undefined) => /^Bearer ([\w.-]+)$/i.exec(header ?? '')?.[1] ?? null

/** Whether the header names a command, or is absent. */
export const isCommandId = (given: string | string[] | undefined) => given === undefined || /^[\w-]{8,64}$/.test(String(given))
export const commandId = ({ headers: { 'x-command-id': given } }: FastifyRequest): string =>
  typeof given === 'string' && isCommandId(given) ? given : crypto.randomUUID()
