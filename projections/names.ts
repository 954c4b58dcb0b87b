/** What is said again and again of few names. */
export function remembered<Formed>(form: (name: string) => Formed): (name: string) => Formed {
  const known = new Map<string, Formed>()
  return (name) => {
    const formed = known.get(name) ?? form(name)
    if (known.size < 5000) known.set(name, formed)
    return formed
  }
}

/** A name of ours as Postgres has it: contactId is contact_id. */
export const snakeCase = remembered((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
/** And back. */
export const camelCase = remembered((name) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()))

const apart = '\0' // in no name
/**
 * Makes records of one list of columns, all names at once: one of forty that grows by a name at a time takes eight times as long.
 * `name`: what a column is called there; `cell`: where its value stands in what is given. Both stand in the code as JSON, so that none
 * is read as code; and for each list of columns there is one function, of which a house has as many as it has statements.
 */
export function making(name: (column: string) => string, cell: (column: string, at: number) => string | number) {
  const makers = remembered((columns) => {
    const cells = columns.split(apart).map((column, at) => `${JSON.stringify(name(column))}: given[${JSON.stringify(cell(column, at))}]`)
    return new Function('given', `return { ${cells} }`) as (given: object) => object // oxlint-disable-line typescript/no-implied-eval
  })
  return (columns: string[]) => makers(columns.join(apart))
}
