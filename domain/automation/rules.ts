/** The rules by which something will become of a ticket by itself at a known moment. */
export const comingRules = ['A-EXP-01', 'A-EXP-03', 'A-EXP-05', 'A-BOT-09', 'A-NPS-02', 'A-LANE-01', 'A-ROT-01'] as const
export type ComingRule = (typeof comingRules)[number]

/** Fields of the facts that tell of a rule. */
export type Ruled = { rule?: unknown; reason?: unknown; why?: unknown }

/** Why something happened by itself, in one word; null where no rule of the house did it. */
export function reasonOf(type: string, { rule, reason, why }: Ruled): string | null {
  if (typeof rule !== 'string') return null
  if (type === 'RatingMissed') return type
  return typeof reason === 'string' ? reason : typeof why === 'string' ? why : type
}
