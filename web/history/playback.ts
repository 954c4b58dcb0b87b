import { type Atom, atom, type Getter, type Setter } from 'jotai'
import type { HistoryEvent } from '#domain/history/contract.ts'
import { pause, type speeds } from './replay.ts'

/** Address of one record: the replay right after it. */
export const linkTo = (uuid: string, revision: number) => `/tickets/${uuid}/history?record=${revision}`
const asked = (search: string): number | null => {
  const record = new URLSearchParams(search).get('record')
  return record !== null && /^\d{1,9}$/.test(record) ? Number(record) : null
}
/** Number of loaded events up to this record. With missing events it differs from the record's number. */
export const upTo = (events: readonly { revision: number }[], record: number): number => {
  const at = events.findIndex(({ revision }) => revision >= record)
  return at < 0 ? events.length : at + 1
}

/** The position in a ticket's events, which the address of the page shows. `playing`: the address stays as it is. */
export function createPosition(uuid: string, events: Atom<readonly HistoryEvent[]>, playing: Atom<boolean>) {
  const wanted = atom<number | null>(asked(location.search))
  const chosen = atom<number | null>(null)
  const position = atom(
    (get) => {
      const [all, record] = [get(events), get(wanted)]
      return Math.min(record === null ? (get(chosen) ?? Number.POSITIVE_INFINITY) : upTo(all, record), all.length)
    },
    (get, set, to: number) => {
      const loadedEvents = get(events)
      const all = loadedEvents.length
      const at = Math.max(0, Math.min(to, all))
      set(wanted, null)
      set(chosen, at === all ? null : at) // a viewer at the end stays there while the history grows
      const here = `/tickets/${uuid}/history`
      if (get(playing) || location.pathname !== here) return
      history.replaceState(history.state, '', at === all || at === 0 ? here : linkTo(uuid, loadedEvents[at - 1]!.revision))
    },
  )
  /** Goes to the record in the address, even if this history was open before. */
  const open = atom(null, (_, set) => {
    const record = asked(location.search)
    if (record !== null) set(wanted, record)
  })
  return { position, open }
}

/** Plays a ticket's events from the position on. */
export function createPlayback(uuid: string, events: Atom<readonly HistoryEvent[]>) {
  const speed = atom<(typeof speeds)[number]>(5)
  const playing = atom(false)
  const { position, open } = createPosition(uuid, events, playing)
  let timer: ReturnType<typeof setTimeout> | undefined
  const step = (get: Getter, set: Setter): void => {
    const [all, at] = [get(events), get(position)]
    if (!get(playing)) return
    if (at >= all.length) {
      set(playing, false)
      set(position, at)
      return
    }
    timer = setTimeout(
      () => {
        if (!get(playing)) return
        set(position, at + 1)
        step(get, set)
      },
      at === 0 ? 0 : pause(all[at - 1]!.at, all[at]!.at, get(speed)),
    )
  }
  /** Playing at the end restarts from the beginning. */
  const play = atom(
    (get) => get(playing),
    (get, set, on: boolean) => {
      clearTimeout(timer)
      if (on && get(position) >= get(events).length) set(position, 0)
      const was = get(playing)
      set(playing, on)
      if (was && !on) set(position, get(position)) // updates the address after the playback stops
      step(get, set)
    },
  )
  play.onMount = (set) => () => set(false)
  const hasten = atom(
    (get) => get(speed),
    (get, set, to: (typeof speeds)[number]) => {
      set(speed, to)
      if (get(playing)) set(play, true)
    },
  )
  /** A manual jump stops the playback. */
  const seek = atom(null, (_, set, to: number) => {
    set(play, false)
    set(position, to)
  })
  return { open, position, seek, play, speed: hasten }
}
