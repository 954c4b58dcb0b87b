import { searchable } from '#domain/text/rules.ts'

const most = 30

/** The tags whose name contains the text: the one with exactly this name first, because Enter adds the first. */
export function matchingTags<Tag extends { id: number; name: string }>(tags: Tag[], chosen: number[], text: string): Tag[] {
  const sought = searchable(text.trim())
  const isSame = ({ name }: Tag) => (searchable(name) === sought ? 0 : 1)
  const found = tags.filter(({ id, name }) => !chosen.includes(id) && searchable(name).includes(sought))
  return found.toSorted((a, b) => isSame(a) - isSame(b)).slice(0, most)
}
