import { holdLock, type Locks } from './lock.ts'
import type { Sound } from './tones.ts'

export type SoundRequest = { sound: Sound; volume: number }
/** Between the pages of one user: play this, and a page may play now. */
export type PlayerMessage = { play: SoundRequest } | { ready: true }
/** Messages to the other pages. */
export type PlayerChannel = {
  post: (message: PlayerMessage) => void
  listen: (listener: (message: PlayerMessage) => void) => () => void
}
type SoundOutput = {
  /** Whether the browser lets this page play. */
  isAllowed: () => Promise<boolean>
  /** Called during a click or key. Returns whether the browser now lets this page play. */
  allow: () => Promise<boolean>
  play: (of: SoundRequest) => void
}

/**
 * Plays each sound in one page, of those that the browser lets play (A-NOTIF-01): the one that holds the lock `name`.
 * `onBlocked`: whether no page may play, so that the top bar says so.
 */
export function createSoundPlayer({
  locks,
  name,
  channel,
  output,
  onBlocked,
}: {
  locks: Locks
  name: string
  channel: PlayerChannel
  output: SoundOutput
  onBlocked: (isBlocked: boolean) => void
}) {
  let isCandidate = false
  let isPlayer = false
  let release = () => {}
  let isLeft = false

  function compete(): void {
    if (isCandidate || isLeft) return
    isCandidate = true
    release()
    onBlocked(false)
    release = holdLock(name, {
      locks,
      granted: () => {
        isPlayer = true
        channel.post({ ready: true })
      },
    })
  }
  /** A shared lock is granted only while no page plays. */
  function watchForPlayer(): void {
    if (isLeft || isCandidate) return
    release()
    onBlocked(false)
    release = holdLock(name, {
      locks,
      mode: 'shared',
      granted: () => {
        release() // otherwise it would keep a page from playing
        if (!isCandidate && !isLeft) onBlocked(true)
      },
    })
  }
  const stopListening = channel.listen((message) => {
    if ('ready' in message) watchForPlayer()
    else if (isPlayer) output.play(message.play)
  })
  onBlocked(false)
  void output.isAllowed().then((isAllowed) => (isAllowed ? compete() : watchForPlayer()))

  return {
    play(of: SoundRequest): void {
      if (isPlayer) output.play(of)
      else channel.post({ play: of })
    },
    allow: async (): Promise<void> => {
      if (!isCandidate && (await output.allow())) compete()
    },
    leave(): void {
      isLeft = true
      isPlayer = false
      stopListening()
      release()
    },
  }
}
