/** image | link | description, separated by pipes; the description may hold pipes of its own. */
export function place(body: string): { picture: string | null; link: string | null; text: string } {
  const [picture = '', link = '', ...text] = body.split('|').map((part) => part.trim())
  const shown = /^(data:image\/|https:\/\/|\/)/.test(picture)
  const address = [link, picture].find((part) => /^https?:\/\//.test(part)) ?? null
  return { picture: shown && picture !== address ? picture : null, link: address, text: text.join(' | ').replace(/\s+/g, ' ') }
}

/** The formatted name and the numbers of a contact card. */
export function card(text: string): { name: string; numbers: string[] } {
  const lines = text.split(/\r?\n/)
  const of = (field: RegExp) => lines.filter((line) => field.test(line)).map((line) => line.slice(line.indexOf(':') + 1).trim())
  const [name = ''] = of(/^(item\d+\.)?FN[;:]/i)
  return { name, numbers: of(/^(item\d+\.)?TEL[;:]/i) }
}

const site = /(?:youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^\s#]*&)?v=|shorts\/|embed\/|live\/)|youtu\.be\/)([\w-]{11})(?![\w-])/
export const video = (text: string): string | null => site.exec(text)?.[1] ?? null

export const duration = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
