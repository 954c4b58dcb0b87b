import { type Channel, channels } from '#domain/channel/channels.ts'
import { searchable } from '#domain/text/rules.ts'

/** A match in a text with some text around it, in the original spelling. */
export type Excerpt = { before: string; hit: string; after: string }

const around = 60

/** Finds the first match in a text, ignoring accents and case; null: no match. */
export function excerpt(text: string, search: string): Excerpt | null {
  const searched = searchable(search.trim()).replace(/\s+/g, ' ')
  const { plain, at } = withPositions(text)
  const found = searched === '' ? -1 : plain.indexOf(searched)
  if (found < 0) return null
  const from = at[found]!
  const to = at[found + searched.length] ?? text.length
  const start = from <= around ? 0 : from - around
  const before = text.slice(start, from).replace(/^[\uDC00-\uDFFF]/, '')
  const after = text.slice(to, to + around).replace(/[\uD800-\uDBFF]$/, '')
  return {
    before: (start > 0 ? '…' : '') + oneLine(before),
    hit: oneLine(text.slice(from, to)),
    after: oneLine(after) + (to + around < text.length ? '…' : ''),
  }
}

/**
 * The normalized text, with the original position of each letter. A combining mark belongs to the letter before it,
 * and white space is one space.
 */
export function withPositions(text: string): { plain: string; at: number[] } {
  let plain = ''
  const at: number[] = []
  const known = new Map<string, string>() // normalizing is slow, and a long text has few different letters
  let place = 0
  let isAfterSpace = false
  for (const letter of text) {
    const bare = known.get(letter) ?? searchable(letter).replace(/\s/, ' ')
    known.set(letter, bare)
    if (bare !== ' ' || !isAfterSpace) {
      for (let i = 0; i < bare.length; i++) at.push(place)
      plain += bare
    }
    if (bare !== '') isAfterSpace = bare === ' '
    place += letter.length
  }
  return { plain, at }
}
const oneLine = (text: string) => text.replace(/\s+/g, ' ')

/** Puts the sender's name before a text (A-MSG-01). */
export function signed(name: string, channel: Channel, text: string): string {
  const { boldMark } = channels[channel]
  return `${boldMark}${name}:${boldMark}\n${text}`
}

const onMap = (at: string) => `https://www.google.com/maps?q=${at}`
type SharedPlace = { latitude: number; longitude: number; name?: string; address?: string; url?: string }
/** Formats a shared location as a message body (R-INBOX-21). */
export function placeOf({ latitude, longitude, name = '', address = '', url = '' }: SharedPlace): string {
  const words = [name, address].filter((part) => part !== '').join(', ')
  return ['', url || onMap(`${latitude},${longitude}`), words].join(' | ').trim()
}

/** Parses the body of a location: image | link | description. The description may contain pipes. */
export function place(body: string): { picture: string | null; link: string | null; text: string } {
  const [picture = '', link = '', ...text] = body.split('|').map((part) => part.trim())
  const loads = /^(data:image\/|https:\/\/|\/)/.test(picture)
  const address = [link, picture].find((part) => /^https?:\/\//.test(part)) ?? null
  return { picture: loads && picture !== address ? picture : null, link: address, text: text.join(' | ').replace(/\s+/g, ' ') }
}

/** The coordinates in a location's link; null: none. */
export function placeIn(body: string): { latitude: number; longitude: number; name?: string } | null {
  const { link, text } = place(body)
  const [, latitude, longitude] = /[?&@/=](-?\d{1,2}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)/.exec(link ?? '') ?? []
  return latitude && longitude ? { latitude: Number(latitude), longitude: Number(longitude), ...(text && { name: text }) } : null
}
