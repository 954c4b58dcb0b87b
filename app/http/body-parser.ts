import type { Call } from '#domain/contract.ts'

/** The part of JSON schema that bodies and rows use. */
export type Shape = {
  type?: string
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
  additionalProperties?: unknown
  [more: string]: unknown
}

/**
 * Forbids unknown properties at every level. A body with one is refused by its name, unless the schema allows
 * more.
 */
export function forbidUnknownProperties(shape: Shape): Shape {
  const { properties, items, anyOf } = shape
  return {
    ...shape,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, forbidUnknownProperties(of)])),
      additionalProperties: shape.additionalProperties ?? false,
    }),
    ...(items && { items: forbidUnknownProperties(items) }),
    ...(anyOf && { anyOf: anyOf.map(forbidUnknownProperties) }),
  }
}

/** Returns the row of a call's answer, alone or in its list. A client may send such a row back unchanged. */
export function rowOf({ answer }: Call): Shape | undefined {
  const shape = answer as Shape | undefined
  if (shape?.properties?.id) return shape
  return Object.values(shape?.properties ?? {}).find(({ items }) => items?.properties?.id)?.items
}

/**
 * Removes the read-only fields of a row from the body. A row has an `id`; other objects keep unknown fields,
 * which are then refused.
 */
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
