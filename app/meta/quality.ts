import type { Quality } from '#domain/traffic/contract.ts'
import { asAccount, type Deps } from './calling.ts'
import { type Json, text } from './json.ts'

const ratings: Record<string, Quality['rating']> = { GREEN: 'high', YELLOW: 'medium', RED: 'low' }

/**
 * WhatsApp's quality rating of a number, and how many new conversations per day it may start; null: not
 * reported.
 */
export async function qualityOf(deps: Deps, connectionId: number): Promise<Quality | null> {
  const account = await deps.meta.publicPart(deps.db, connectionId)
  if (account?.product !== 'whatsapp') return null
  const query = { fields: 'quality_rating,messaging_limit_tier' }
  const asked = asAccount(deps, connectionId, ({ accountId, token, appSecret }) =>
    deps.graph.call('GET', accountId, { token, appSecret }, { query }),
  )
  return asked.then(qualityIn, (error: unknown) => {
    deps.logger.debug({ err: error, connectionId }, 'Quality rating unavailable')
    return null
  })
}

function qualityIn({ quality_rating, messaging_limit_tier }: Json): Quality | null {
  const rating = ratings[text(quality_rating)] ?? null
  const [, number, thousands] = /^TIER_(\d+)(K)?$/.exec(text(messaging_limit_tier)) ?? []
  const limit = number === undefined ? null : Number(number) * (thousands ? 1000 : 1)
  return rating || limit ? { rating, limit, unlimited: text(messaging_limit_tier) === 'TIER_UNLIMITED', blockedUntil: null } : null
}
