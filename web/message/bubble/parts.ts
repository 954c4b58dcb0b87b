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

/** 5511987654321 as +55 11 98765-4321; anything else as it came. */
export function spoken(number: string): string {
  const digits = number.replace(/\D/g, '')
  if (number.includes('*') || !/^55\d{10,11}$/.test(digits))
    return number.includes('*') || !/^\d{8,15}$/.test(digits) ? number : `+${digits}`
  const local = digits.slice(4)
  return `+55 ${digits.slice(2, 4)} ${local.slice(0, -4)}-${local.slice(-4)}`
}

export const kilobytes = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
export const duration = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
