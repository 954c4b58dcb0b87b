import type { FieldValues, Resolver } from 'react-hook-form'

let released: Promise<void> | null = null

/** A press that becomes a drag ends without mouseup. */
const ends = ['mouseup', 'dragend'] as const

addEventListener(
  'mousedown',
  () => {
    released ??= new Promise((resolve) => {
      const end = () => {
        for (const name of ends) removeEventListener(name, end, true)
        // the click event comes after it
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
 * Validates a form once no mouse button is down. A press blurs a field, and its error would move a button away
 * from under the mouse, so that it would not be clicked.
 */
export const unpressed =
  <T extends FieldValues>(judge: Resolver<T>): Resolver<T> =>
  async (...given) => {
    await released
    return judge(...given)
  }
