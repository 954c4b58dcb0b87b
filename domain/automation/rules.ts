/** The rules that act on a ticket at a known time. */
export const scheduledRuleIds = ['A-EXP-01', 'A-EXP-03', 'A-EXP-05', 'A-BOT-09', 'A-NPS-02', 'A-LANE-01', 'A-ROT-01'] as const
export type ScheduledRuleId = (typeof scheduledRuleIds)[number]

/** Event fields that name a rule and its reason. */
export type Ruled = { rule?: unknown; reason?: unknown; why?: unknown }

/** The reason of an automatic action in one word; null if no rule caused the event. */
export function reasonOf(type: string, { rule, reason, why }: Ruled): string | null {
  if (typeof rule !== 'string') return null
  if (type === 'RatingMissed') return type
  return typeof reason === 'string' ? reason : typeof why === 'string' ? why : type
}
