import type { SelectedText } from './textHistory.ts'

/** WhatsApp's marks around bold and italic text. */
export type Mark = '*' | '_'

/**
 * Puts the marks around the selected text, or removes them if the text already has them. WhatsApp does not format text that begins or ends
 * with a blank, so blanks at the ends of the selection stay outside. Without selected text the caret is placed between two new marks.
 */
export function marked({ body, from, to }: SelectedText, mark: Mark): SelectedText {
  const chosen = body.slice(from, to)
  const [start, end] = [from + chosen.length - chosen.trimStart().length, to - (chosen.length - chosen.trimEnd().length)]
  if (start >= end) return { body: `${body.slice(0, from)}${mark}${mark}${body.slice(to)}`, from: from + 1, to: from + 1 }
  const text = body.slice(start, end)
  if (body[start - 1] === mark && body[end] === mark)
    return { body: body.slice(0, start - 1) + text + body.slice(end + 1), from: start - 1, to: end - 1 }
  if (text.length > 2 && text.startsWith(mark) && text.endsWith(mark))
    return { body: body.slice(0, start) + text.slice(1, -1) + body.slice(end), from: start, to: end - 2 }
  return { body: `${body.slice(0, start)}${mark}${text}${mark}${body.slice(end)}`, from: start + 1, to: end + 1 }
}
