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
