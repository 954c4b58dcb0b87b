import type { Group } from '#web/ui/keys.ts'

/** Merges groups with the same name and lists each action once with all of its keys. */
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
