/** Creates a value per key and keeps the most recently used ones. */
export function createLruCache<Key, Thing>(make: (key: Key) => Thing, most = 12): (key: Key) => Thing {
  const made = new Map<string, Thing>()
  return (key) => {
    const name = JSON.stringify(key)
    const found = made.get(name) ?? make(key)
    made.delete(name)
    made.set(name, found)
    if (made.size > most) made.delete(made.keys().next().value!)
    return found
  }
}
