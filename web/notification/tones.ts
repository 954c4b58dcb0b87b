/** `late`: a ticket of the panel waits too long. */
export type Sound = 'message' | 'waiting' | 'late'

/** Frequencies in hertz, one after the other. */
const notes: Record<Sound, number[]> = { message: [660, 880], waiting: [523, 659, 784], late: [660, 660] }
const noteSeconds = 0.14
/** Loudness at volume 1; a plain tone at full loudness is unpleasant. */
const loudest = 0.3
/** Time for the browser to start an allowed output. */
const startMs = 500

let context: AudioContext | null = null
let playing = 0
const output = () => (context ??= new AudioContext())

/** An output that waits for sounds costs processor time, so it is suspended. */
const rest = () => playing === 0 && context?.state === 'running' && void context.suspend()

const starts = (one: AudioContext) => Promise.race([one.resume().then(() => true), new Promise((resume) => setTimeout(resume, startMs))])
/** Whether the browser lets this page play; many do so only after a click or key in the page. */
async function canPlay(): Promise<boolean> {
  const one = output()
  await starts(one)
  const can = one.state === 'running'
  rest()
  return can
}

/** Volume from 0 to 1. While a sound plays, another one adds nothing. */
async function play({ sound, volume }: { sound: Sound; volume: number }): Promise<void> {
  if (volume <= 0 || playing > 0) return
  playing++
  const one = output()
  await starts(one)
  if (one.state === 'running') await ring(one, notes[sound], volume)
  playing--
  rest()
}

function ring(one: AudioContext, frequencies: number[], volume: number): Promise<unknown> {
  const gain = one.createGain()
  gain.connect(one.destination)
  const start = one.currentTime
  const end = start + frequencies.length * noteSeconds
  gain.gain.setValueAtTime(loudest * volume, start)
  gain.gain.exponentialRampToValueAtTime(0.001, end) // without a click at the end
  const tone = one.createOscillator()
  for (const [n, frequency] of frequencies.entries()) tone.frequency.setValueAtTime(frequency, start + n * noteSeconds)
  tone.connect(gain)
  tone.start(start)
  tone.stop(end)
  return new Promise((resume) => {
    tone.onended = resume
  })
}

export const tones = { isAllowed: canPlay, allow: canPlay, play: (of: { sound: Sound; volume: number }): void => void play(of) }
