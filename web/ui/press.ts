import type { FieldValues, Resolver } from 'react-hook-form'

let released: Promise<void> | null = null

/** A press that became a drag ends in no mouseup. */
const ends = ['mouseup', 'dragend'] as const

addEventListener(
  'mousedown',
  () => {
    released ??= new Promise((resolve) => {
      const end = () => {
        for (const name of ends) removeEventListener(name, end, true)
        // the click comes behind it
        setTimeout(() => {
          released = null
          resolve()
        })
      }
      for (const name of ends) addEventListener(name, end, true)
    })
  },
  true,
)

/**
 * Judges a form once no mouse button is down. A press takes the focus out of a field; what is said of that field moves what lies below it,
 * and a button that moved from under the mouse is not clicked.
 */
export const unpressed =
  <T extends FieldValues>(judge: Resolver<T>): Resolver<T> =>
  async (...given) => {
    await released
    return judge(...given)
  }
