import type { Call } from '#domain/contract.ts'

/** As much of a JSON schema as bodies and rows are made of. */
export type Shape = {
  type?: string
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
  additionalProperties?: unknown
  [more: string]: unknown
}

/** Closed all the way down: what a body does not know is refused by its name, unless an object says itself that it takes more. */
export function closed(shape: Shape): Shape {
  const { properties, items, anyOf } = shape
  return {
    ...shape,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, closed(of)])),
      additionalProperties: shape.additionalProperties ?? false,
    }),
    ...(items && { items: closed(items) }),
    ...(anyOf && { anyOf: anyOf.map(closed) }),
  }
}

/** The row a call answers with, alone or in its list: what a client may send back as it was given. */
export function rowOf({ answer }: Call): Shape | undefined {
  const shape = answer as Shape | undefined
  if (shape?.properties?.id) return shape
  return Object.values(shape?.properties ?? {}).find(({ items }) => items?.properties?.id)?.items
}

/** The body without what only the row knows. A row is known by its id; what has none is refused by name like anything else. */
export function withoutReadOnly(given: unknown, body: Shape, row: Shape | undefined): unknown {
  if (Array.isArray(given)) {
    const [wanted, rowItem] = [part(body, 'items')?.items, part(row, 'items')?.items]
    return wanted ? given.map((one) => withoutReadOnly(one, wanted, rowItem)) : given
  }
  const wanted = part(body, 'properties')?.properties
  if (typeof given !== 'object' || given === null || !wanted) return given
  const rowFields = part(row, 'properties')?.properties ?? {}
  const isRow = Object.hasOwn(given, 'id')
  const left = Object.entries(given).filter(([name]) => Object.hasOwn(wanted, name) || !(isRow && Object.hasOwn(rowFields, name)))
  return Object.fromEntries(
    left.map(([name, value]) => [name, Object.hasOwn(wanted, name) ? withoutReadOnly(value, wanted[name]!, rowFields[name]) : value]),
  )
}
const part = (shape: Shape | undefined, of: 'items' | 'properties') => (shape?.[of] ? shape : shape?.anyOf?.find((one) => one[of]))
