import { dayMs } from '#domain/duration/rules.ts'

/** The maximum length of a range in days: ten years. */
export const mostDays = 3660

/** How many days a range has, both included; less than 1 if it ends before it begins. */
export const daysBetween = (first: string, last: string): number => Math.round((Date.parse(last) - Date.parse(first)) / dayMs) + 1

/** Why a range of days cannot be counted; null: it can. */
export function rangeProblem(first: string, last: string): 'turned' | 'tooLong' | null {
  const days = daysBetween(first, last)
  return days < 1 ? 'turned' : days > mostDays ? 'tooLong' : null
}
