import type { Readable } from 'node:stream'
import type { Viewer } from '#domain/access.ts'
import { maskedName } from '#domain/contact/phone.ts'
import { report } from '#domain/report/contract.ts'
import { dayRange, periodBefore } from '#domain/report/days.ts'
import type { SavedFilter } from '#domain/report-filter/contract.ts'
import { addressParts } from '#domain/report-filter/rules.ts'
import { countersOf } from '#projections/report/dashboard.ts'
import { reportBatches } from '#projections/report/tickets.ts'
import { linkRootOf } from '../config.ts'
import type { AppContext } from '../context.ts'
import type { Mail } from '../mail/send.ts'
import { requestOfFilter } from '../report/routes.ts'
import { ticketSheet } from '../report/sheet.ts'
import { inSlot } from '../report/slots.ts'
import { reportMailText as text } from './words.ts'

/** The largest file in a mail, in bytes. A larger one is replaced by a link. */
export const largestFile = 10 * 1024 * 1024

export type Letter = { mail: Omit<Mail, 'to'>; rows: number; withFile: boolean }
type Week = { first: string; last: string; dueDay: string | null; late: boolean }
type Deps = Pick<AppContext, 'db' | 'clock' | 'config'>
type Of = { name: string; filter: SavedFilter }

/** The mail of a week with the rights and in the language of its recipient. Its numbers are those of the dashboard for these days. */
export async function letterTo(
  { db, clock, config }: Deps,
  viewer: Viewer,
  language: string,
  { name, filter }: Of,
  { first, last, dueDay, late }: Week,
): Promise<Letter> {
  const { period: _, openHours = false, ...lasting } = filter
  const days = { dateFrom: first, dateTo: last }
  const plain = await requestOfFilter(db, viewer, clock.now(), { ...lasting, openHours, ...days })
  const request = { ...plain, scope: { ...plain.scope, openHours: plain.openHours } }
  const range = dayRange(viewer.timeZone, clock.now(), first, last)
  const counters = await countersOf(db, request.scope, periodBefore(viewer.timeZone, clock.now(), range))
  let rows = 0
  async function* counted() {
    for await (const batch of inSlot(reportBatches(db, request))) {
      rows = batch.total
      yield batch
    }
  }
  const content = await contentWithin(largestFile, ticketSheet(counted(), { language, zone: viewer.timeZone, openHours }))
  const hide = (one: string) => (viewer.masked ? maskedName(one) : one)
  const sought = lasting.searchParam === undefined ? {} : { searchParam: hide(lasting.searchParam) }
  const link = `${linkRootOf(config)}/reports?${new URLSearchParams(addressParts({ ...filter, ...sought }, days))}`
  const day = (of: string) => new Intl.DateTimeFormat(language, { timeZone: 'UTC', dateStyle: 'short' }).format(new Date(of))
  const values = { filter: hide(name), from: day(first), to: day(last) }
  const subject = text('subject', language, values)
  const numbers = { created: counters.tickets, finalized: counters.supportFinished, rated: counters.withRating }
  const paragraphs = [
    text('summary', language, {
      ...{ ...values, name: viewer.name, zone: viewer.timeZone, waiting: clockOf(counters.times.waiting.median) },
      ...Object.fromEntries(Object.entries(numbers).map(([key, n]) => [key, new Intl.NumberFormat(language).format(n)])),
    }),
    text(content ? 'attached' : 'linked', language, { rows: new Intl.NumberFormat(language).format(rows), link }),
    ...(late && dueDay !== null ? [text('late', language, { day: day(dueDay) })] : []),
  ]
  const { name: filename, mediaType: contentType } = report.export.file
  return {
    mail: {
      subject: dueDay === null ? text('test', language, { subject }) : subject,
      text: paragraphs.join('\n\n'),
      ...(content && { attachments: [{ filename, content, contentType }] }),
    },
    rows,
    withFile: content !== null,
  }
}

/** A duration as hours, minutes and seconds; a dash if nothing was measured. */
function clockOf(seconds: number | null): string {
  if (seconds === null) return '–'
  const whole = Math.round(seconds)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
}

/** Reads a file into memory; null if it is larger than the limit. */
export async function contentWithin(most: number, file: Readable): Promise<Buffer | null> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of file as AsyncIterable<Buffer>) {
    size += part.length
    if (size > most) return null // leaving the loop ends the file
    parts.push(part)
  }
  return Buffer.concat(parts)
}
