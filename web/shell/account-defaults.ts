import type { Me } from '#domain/user/contract.ts'

/** The defaults of an account when they were last applied on this device. */
export type AppliedDefaults = Pick<Me, 'id' | 'defaultTheme' | 'defaultMenu'>

/**
 * Returns which of the account's defaults apply on this device: those that changed since they were last applied here.
 * So a choice made on this device stays until the account's default changes. `chosen`: what this device stored before any
 * account applied its defaults.
 */
export function defaultsToApply(
  me: AppliedDefaults,
  applied: AppliedDefaults | null,
  chosen: { theme: boolean; menu: boolean },
): { theme: boolean; menu: boolean } {
  if (!applied) return { theme: !chosen.theme, menu: !chosen.menu }
  const other = applied.id !== me.id
  return { theme: other || applied.defaultTheme !== me.defaultTheme, menu: other || applied.defaultMenu !== me.defaultMenu }
}
