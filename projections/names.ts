/** Memoises a function of few distinct names. */
export function memoize<Formed>(form: (name: string) => Formed): (name: string) => Formed {
  const known = new Map<string, Formed>()
  return (name) => {
    const formed = known.get(name) ?? form(name)
    if (known.size < 5000) known.set(name, formed)
    return formed
  }
}

/** camelCase to snake_case: contactId is contact_id. */
export const snakeCase = memoize((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
/** snake_case to camelCase. */
export const camelCase = memoize((name) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()))

const apart = '\0' // occurs in no name
/**
 * Compiles a function that builds records from a list of columns. Building an object of forty fields one by
 * one takes eight times as long. `name` returns the field of a column, `cell` the key of its value. Both
 * enter the code as JSON, so that no name runs as code. There is one function per list of columns, so as many
 * as there are statements.
 */
export function createRecordBuilder(name: (column: string) => string, cell: (column: string, at: number) => string | number) {
  const makers = memoize((columns) => {
    const cells = columns.split(apart).map((column, at) => `${JSON.stringify(name(column))}: given[${JSON.stringify(cell(column, at))}]`)
    return new Function('given', `return { ${cells} }`) as (given: object) => object // oxlint-disable-line typescript/no-implied-eval
  })
  return (columns: string[]) => makers(columns.join(apart))
}
