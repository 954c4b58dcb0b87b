import { type Option, optionFields } from '#domain/chatbot/contract.ts'

export type OptionField = keyof typeof optionFields
const fields = Object.keys(optionFields) as OptionField[]
/** Two edits of one option. `field` null: one person changed the option that the other one removed. */
export type OptionClash = { id: number; name: string; field: OptionField | null; mine: Option | null; theirs: Option | null }

/** An option of one edit. `key`: its id, or its place for a new one. */
type Placed = { option: Option; parent: string | null; added: number }
type Edit = ReadonlyMap<string, Placed>

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** The options of a tree by key, parents before children, in order. */
function placedIn(tree: Option[], parent: string | null = null, all = new Map<string, Placed>()): Map<string, Placed> {
  for (const option of tree) {
    const key = option.id === undefined ? `new ${all.size}` : `${option.id}`
    all.set(key, { option, parent, added: option.chatbots.filter(({ id }) => id === undefined).length })
    placedIn(option.chatbots, key, all)
  }
  return all
}
/** Whether an edit changed an option or added options below it. */
const differs = (before: Placed, after: Placed): boolean =>
  after.added > 0 || fields.some((field) => !same(before.option[field], after.option[field]))
/** The order and the parents of the options that both edits have. */
const outline = (edit: Edit, other: Edit) =>
  [...edit].flatMap(([key, { parent }]) => (other.has(key) ? [[key, parent !== null && other.has(parent) ? parent : null]] : []))

/**
 * Merges two edits of one option tree by option and field. The own edit wins where both changed the same field, and each
 * such field is a clash. The own order wins if both moved options.
 */
export function mergeTrees(start: Option[], theirs: Option[], mine: Option[]): { tree: Option[]; clashes: OptionClash[] } {
  const [was, there, here] = [placedIn(start), placedIn(theirs), placedIn(mine)]
  const clashes: OptionClash[] = []
  const kept = new Map<string, Option>()
  for (const key of new Set([...there.keys(), ...here.keys()])) {
    const [before, own, other] = [was.get(key), here.get(key), there.get(key)]
    if (own && other) kept.set(key, mergeFields(before?.option ?? own.option, other.option, own.option, clashes))
    else if (!before) kept.set(key, (own ?? other)!.option)
    else if (own && differs(before, own)) {
      const { id: _, ...option } = own.option // an option that is no longer stored gets a new id
      kept.set(key, option)
      clashes.push({ id: Number(key), name: option.name, field: null, mine: own.option, theirs: null })
    } else if (other && differs(before, other))
      clashes.push({ id: Number(key), name: other.option.name, field: null, mine: null, theirs: other.option })
  }
  const moved = !same(outline(here, was), outline(was, here))
  const [first, second] = moved ? [here, there] : [there, here]
  return { tree: treeOf(kept, first, second), clashes }
}

function mergeFields(before: Option, theirs: Option, mine: Option, clashes: OptionClash[]): Option {
  const merged: Record<string, unknown> = { ...mine }
  for (const field of fields) {
    if (same(mine[field], theirs[field]) || same(theirs[field], before[field])) continue
    if (same(mine[field], before[field])) merged[field] = theirs[field]
    else clashes.push({ id: mine.id!, name: mine.name.trim() || theirs.name, field, mine, theirs })
  }
  return merged as Option
}

/** Builds the tree of the kept options in the order of the first edit; the second edit's own options follow their neighbours. */
function treeOf(kept: ReadonlyMap<string, Option>, first: Edit, second: Edit): Option[] {
  const order = [...first.keys()]
  let before = -1
  for (const key of second.keys()) {
    const at = order.indexOf(key)
    if (at < 0) order.splice(before + 1, 0, key)
    before = at < 0 ? before + 1 : at
  }
  const parentOf = (key: string): string | null => {
    const { parent } = (first.get(key) ?? second.get(key))!
    return parent !== null && kept.has(parent) ? parent : null
  }
  const children = Map.groupBy(
    order.filter((key) => kept.has(key)),
    parentOf,
  )
  const level = (parent: string | null): Option[] =>
    (children.get(parent) ?? []).map((key) => ({ ...kept.get(key)!, chatbots: level(key) }))
  return level(null)
}

/** Takes the other person's side of a clash into the tree. */
export function takeTheirs(tree: Option[], clash: OptionClash): Option[] {
  const { id, name, field, mine, theirs } = clash
  if (field === null && mine === null) return [...tree, { ...theirs!, chatbots: [] }]
  return tree.flatMap((option) => {
    if (field === null && option.id === undefined && option.name === name) return []
    const taken = field !== null && option.id === id ? { [field]: theirs![field] } : {}
    return [{ ...option, ...taken, chatbots: takeTheirs(option.chatbots, clash) }]
  })
}
