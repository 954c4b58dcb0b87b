import type { Group } from '#web/ui/keys.ts'

/** Each thing once, with all the ways to it, below a name that stands once. */
export function merged(groups: readonly Group[]): { name: string; lines: { label: string; ways: string[] }[] }[] {
  const named = Map.groupBy(groups, ({ name }) => name)
  return [...named].map(([name, some]) => {
    const byText = Map.groupBy(
      some.flatMap(({ keys }) => keys),
      ({ label }) => label,
    )
    const lines = [...byText].map(([label, keys]) => ({
      label,
      ways: [...new Set(keys.flatMap(({ keys: one, also }) => [one, ...(also ? [also] : [])]))],
    }))
    return { name, lines }
  })
}
