import { type Option, optionFields } from '#domain/chatbot/contract.ts'

export type OptionField = keyof typeof optionFields
const fields = Object.keys(optionFields) as OptionField[]

/** Two edits of one field of an option. */
type FieldClash = { kind: 'field'; id: number; name: string; field: OptionField; mine: Option; theirs: Option }
/**
 * One person removed an option with everything below it, and the other person changed something of that. The side
 * that removed it is null. `parent`: the option above it; null: the main menu. `before`: ids of the options before it.
 */
type BranchClash = {
  kind: 'branch'
  id: number
  name: string
  parent: Option | null
  before: number[]
  mine: Option | null
  theirs: Option | null
}
/** Both people moved options in ways that exclude each other, so that one of the two menus must be chosen. */
type MenuClash = { kind: 'menu'; theirs: Option[] }
export type OptionClash = FieldClash | BranchClash | MenuClash
type Merged = { tree: Option[]; clashes: OptionClash[] }

/** An option of one edit, and the key of the option above it. */
type Placed = { option: Option; parent: string | null }
type Edit = ReadonlyMap<string, Placed>
type Edits = { was: Edit; there: Edit; here: Edit }
type Parents = ReadonlyMap<string, string | null>

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** The options of a tree by key, parents before children, in order. The key is the id, or the place of a new option. */
function placedIn(tree: Option[], parent: string | null = null, all = new Map<string, Placed>()): Map<string, Placed> {
  for (const option of tree) {
    const key = option.id === undefined ? `new ${all.size}` : `${option.id}`
    all.set(key, { option, parent })
    placedIn(option.chatbots, key, all)
  }
  return all
}
/** The order and the parents of the options that both edits have. */
const outline = (edit: Edit, other: Edit) =>
  [...edit].flatMap(([key, { parent }]) => (other.has(key) ? [[key, parent !== null && other.has(parent) ? parent : null]] : []))

/**
 * Merges two edits of one option tree by option and field. The own edit wins where both changed the same field, and each
 * such field is a clash. An option that one person removed is a clash with all of its suboptions if the other person
 * changed any of them. The own order wins if both moved options. Every option stays below the parent of its edit.
 */
export function mergeTrees(start: Option[], theirs: Option[], mine: Option[]): Merged {
  const edits = { was: placedIn(start), there: placedIn(theirs), here: placedIn(mine) }
  const parents = mergeParents(edits)
  return parents ? mergeOptions(edits, parents) : { tree: mine, clashes: [{ kind: 'menu', theirs }] }
}

/** Whether one person removed an option of the start. */
const isRemoved = ({ was, there, here }: Edits, key: string): boolean => was.has(key) && there.has(key) !== here.has(key)

/**
 * Returns the parent of each option of either edit. Returns null if both people moved one option to different parents,
 * moved options below each other, or one moved an option below one that the other removed.
 */
function mergeParents(edits: Edits): Parents | null {
  const { was, there, here } = edits
  const parents = new Map<string, string | null>()
  for (const key of new Set([...there.keys(), ...here.keys()])) {
    const [own, other] = [here.get(key), there.get(key)]
    const before = was.get(key)?.parent
    if (own && other && own.parent !== other.parent && before !== own.parent && before !== other.parent) return null
    parents.set(key, !own || (other && own.parent === before) ? other!.parent : own.parent)
  }
  for (const key of parents.keys()) {
    const path = pathOf(parents, key)
    if (path === null || (here.has(key) && there.has(key) && path.some((one) => isRemoved(edits, one)))) return null
  }
  return parents
}

/** The keys of the options above an option; null: they form a loop. */
function pathOf(parents: Parents, key: string): string[] | null {
  const path: string[] = []
  for (let at = parents.get(key) ?? null; at !== null; at = parents.get(at) ?? null) {
    if (at === key || path.includes(at)) return null
    path.push(at)
  }
  return path
}

function mergeOptions(edits: Edits, parents: Parents): Merged {
  const { was, there, here } = edits
  const clashes: OptionClash[] = []
  const children = childrenOf(edits, parents)
  const keysBelow = (key: string): string[] => [key, ...(children.get(key) ?? []).flatMap(keysBelow)]
  const sideOf = (key: string): Placed => (here.get(key) ?? there.get(key))!
  const isChanged = (key: string): boolean => {
    const [before, after] = [was.get(key), sideOf(key)]
    return (
      before === undefined || before.parent !== after.parent || fields.some((field) => !same(before.option[field], after.option[field]))
    )
  }
  const branch = (key: string, optionOf: (key: string) => Option): Option => ({
    ...optionOf(key),
    chatbots: (children.get(key) ?? []).map((below) => branch(below, optionOf)),
  })
  /** All options of a removed branch belong to one edit. */
  function mergeRemoved(key: string): Option[] {
    if (!keysBelow(key).some(isChanged)) return []
    const parent = parents.get(key) ?? null
    const siblings = [...there].flatMap(([one, { option }]) => ((parents.get(one) ?? null) === parent ? [option] : []))
    const before = siblings.slice(0, Math.max(0, siblings.indexOf(sideOf(key).option))).flatMap(({ id }) => id ?? [])
    const whole = branch(key, (one) => sideOf(one).option)
    const [own, other] = here.has(key) ? [withoutIds(whole), null] : [null, whole]
    const above = parent === null ? null : sideOf(parent).option
    clashes.push({ kind: 'branch', id: Number(key), name: whole.name, parent: above, before, mine: own, theirs: other })
    return own ? [own] : []
  }
  const level = (parent: string | null): Option[] =>
    (children.get(parent) ?? []).flatMap((key) => {
      if (isRemoved(edits, key)) return mergeRemoved(key)
      const [own, other] = [here.get(key)?.option, there.get(key)?.option]
      const option = own && other ? mergeFields(was.get(key)?.option ?? own, other, own, clashes) : (own ?? other)!
      return [{ ...option, chatbots: level(key) }]
    })
  return { tree: level(null), clashes }
}

/** An option that is no longer stored gets a new id, and so do its suboptions. */
function withoutIds({ id: _, ...option }: Option): Option {
  return { ...option, chatbots: option.chatbots.map(withoutIds) }
}

function mergeFields(before: Option, theirs: Option, mine: Option, clashes: OptionClash[]): Option {
  const merged: Record<string, unknown> = { ...mine }
  for (const field of fields) {
    if (same(mine[field], theirs[field]) || same(theirs[field], before[field])) continue
    if (same(mine[field], before[field])) merged[field] = theirs[field]
    else clashes.push({ kind: 'field', id: mine.id!, name: mine.name.trim() || theirs.name, field, mine, theirs })
  }
  return merged as Option
}

/** The keys of both edits by parent, in the order of the edit that moved options; the other edit's own options follow their neighbours. */
function childrenOf({ was, there, here }: Edits, parents: Parents): Map<string | null, string[]> {
  const moved = !same(outline(here, was), outline(was, here))
  const [first, second] = moved ? [here, there] : [there, here]
  const order = [...first.keys()]
  let before = -1
  for (const key of second.keys()) {
    const at = order.indexOf(key)
    if (at < 0) order.splice(before + 1, 0, key)
    before = at < 0 ? before + 1 : at
  }
  return Map.groupBy(order, (key) => parents.get(key) ?? null)
}

/** Takes the other person's side of a clash into the tree. */
export function takeTheirs(tree: Option[], clash: OptionClash): Option[] {
  if (clash.kind === 'menu') return clash.theirs
  if (clash.kind === 'field') return takeField(tree, clash)
  const { name, parent, before, mine, theirs } = clash
  return inLevel(tree, parent, (level) => {
    if (theirs) return level.toSpliced(level.findLastIndex(({ id }) => id !== undefined && before.includes(id)) + 1, 0, theirs)
    const exact = level.findIndex((option) => same(option, mine))
    const at = exact < 0 ? level.findIndex((option) => option.id === undefined && option.name === name) : exact
    return at < 0 ? level : level.toSpliced(at, 1)
  })
}

const takeField = (tree: Option[], clash: FieldClash): Option[] =>
  tree.map((option) => ({
    ...option,
    ...(option.id === clash.id && { [clash.field]: clash.theirs[clash.field] }),
    chatbots: takeField(option.chatbots, clash),
  }))

/** Changes the options directly below `parent`. Without that option nothing changes. */
function inLevel(tree: Option[], parent: Option | null, act: (level: Option[]) => Option[]): Option[] {
  if (parent === null) return act(tree)
  const isParent = ({ id, name }: Option) => (parent.id === undefined ? id === undefined && name === parent.name : id === parent.id)
  return tree.map((option) => ({
    ...option,
    chatbots: isParent(option) ? act(option.chatbots) : inLevel(option.chatbots, parent, act),
  }))
}
