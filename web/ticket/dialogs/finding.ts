import { atom } from 'jotai'

export type Finding<Row> = { state: 'idle' | 'waiting' | 'ready' | 'failed'; text: string; rows: Row[] }
/** A search that runs half a second after the last key (R-CONTACT-06). */
export function finding<Row>(find: (text: string) => Promise<Row[]>, least = 3, pause = 500) {
  const state = atom<Finding<Row>>({ state: 'idle', text: '', rows: [] })
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = 0
  return atom(
    (get) => get(state),
    (get, set, text: string) => {
      clearTimeout(timer)
      const mine = ++asked
      if (text.trim().length < least) return set(state, { state: 'idle', text, rows: [] })
      set(state, { state: 'waiting', text, rows: get(state).rows })
      const ask = async () => {
        const answer = await find(text.trim()).catch(() => null)
        if (mine === asked) set(state, { state: answer ? 'ready' : 'failed', text, rows: answer ?? [] })
      }
      timer = setTimeout(() => void ask(), pause)
    },
  )
}
