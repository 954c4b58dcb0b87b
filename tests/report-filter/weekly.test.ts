import { describe, expect, it } from 'vitest'
import { dueMail, isLate, mailOfWeek, nextMail } from '#domain/report-filter/weekly.ts'
import { dayIn, momentAt, timeIn } from '#domain/zone/rules.ts'
import { seededRandom } from '#tests/support/seeded-random.ts'

const at = (text: string) => Date.parse(text)
const monday = (time: string, more: object = {}) => ({
  active: true,
  weekday: 0,
  time,
  recipients: [7],
  since: '2026-01-01T00:00:00Z',
  ...more,
})
const saoPaulo = 'America/Sao_Paulo'
const lisbon = 'Europe/Lisbon'

describe('the weekly mail of a filter (V45)', () => {
  it('of Monday 22:30 in São Paulo is due on Tuesday 01:30Z, and covers the week before', () => {
    const mail = monday('22:30')
    expect(dueMail(saoPaulo, mail, '2026-10-26', at('2026-11-03T01:29:59Z'))).toBeNull()
    const due = dueMail(saoPaulo, mail, '2026-10-26', at('2026-11-03T01:30:00Z'))
    expect(due).toEqual({ day: '2026-11-02', at: at('2026-11-03T01:30:00Z'), first: '2026-10-26', last: '2026-11-01' })
    expect(dueMail(saoPaulo, mail, '2026-11-02', at('2026-11-03T02:00:00Z'))).toBeNull()
  })

  it('of Monday 00:30 in Lisbon is due on Sunday 23:30Z in summer and on Monday 00:30Z in winter', () => {
    const mail = monday('00:30')
    expect(mailOfWeek(lisbon, mail, '2026-10-19').at).toBe(at('2026-10-18T23:30:00Z'))
    expect(mailOfWeek(lisbon, mail, '2026-10-26').at).toBe(at('2026-10-26T00:30:00Z'))
  })

  it('is caught up on the same Monday, later as late, and only once', () => {
    const mail = monday('08:00')
    const due = dueMail(saoPaulo, mail, '2026-10-26', at('2026-11-02T20:00:00Z'))!
    expect([due.day, isLate(saoPaulo, due, at('2026-11-02T20:00:00Z'))]).toEqual(['2026-11-02', false])
    const later = dueMail(saoPaulo, mail, '2026-10-26', at('2026-11-04T12:00:00Z'))!
    expect([later.day, isLate(saoPaulo, later, at('2026-11-04T12:00:00Z'))]).toEqual(['2026-11-02', true])
    const afterWeeks = dueMail(saoPaulo, mail, '2026-10-05', at('2026-11-04T12:00:00Z'))!
    expect(afterWeeks.day).toBe('2026-11-02') // the mails of the other weeks are not sent any more
  })

  it('is not sent for a moment before it was set up, nor twice in a week after a change', () => {
    const since = '2026-11-02T15:00:00Z'
    expect(dueMail(saoPaulo, monday('08:00', { since }), null, at('2026-11-02T16:00:00Z'))).toBeNull()
    expect(nextMail(saoPaulo, monday('08:00', { since }), null, at('2026-11-02T16:00:00Z'))!.day).toBe('2026-11-09')
    const moved = monday('08:00', { weekday: 4, since })
    expect(dueMail(saoPaulo, moved, '2026-11-02', at('2026-11-06T20:00:00Z'))).toBeNull()
    expect(nextMail(saoPaulo, moved, '2026-11-02', at('2026-11-03T20:00:00Z'))!.day).toBe('2026-11-13')
    expect(nextMail(saoPaulo, monday('08:00', { active: false }), null, at(since))).toBeNull()
  })
})

describe('over all clock changes', () => {
  const random = seededRandom(45)
  const zones = [saoPaulo, lisbon, 'America/Havana', 'Australia/Lord_Howe']
  const time = () => `${String(random.int(24)).padStart(2, '0')}:00`

  it('a mail is due on its local day, at its time unless that time is skipped, once a week', () => {
    for (let run = 0; run < 28; run++) {
      const zone = zones[run % zones.length]!
      const mail = { active: true, weekday: run % 7, time: time(), recipients: [7], since: '2000-01-01T00:00:00Z' }
      const start = Date.parse('2010-01-04T00:00:00Z') + random.int(500) * 7 * 86_400_000
      let mailedDay: string | null = null
      const sent: string[] = []
      for (let now = start; now < start + 60 * 86_400_000; now += 30 * 60_000) {
        const due = dueMail(zone, mail, mailedDay, now)
        if (!due) continue
        mailedDay = due.day
        if (sent.length > 0 || due.at > start) {
          expect({ zone, day: dayIn(zone, new Date(due.at)) }).toEqual({ zone, day: due.day })
          expect(timeIn(zone, new Date(due.at)) >= mail.time).toBe(true)
          expect(now - due.at).toBeLessThan(30 * 60_000)
        }
        sent.push(due.day)
      }
      const weeks = sent.map((day) => Math.round(Date.parse(day) / 86_400_000 / 7))
      expect(weeks.every((week, n) => n === 0 || week === weeks[n - 1]! + 1)).toBe(true)
      expect(sent.length).toBeGreaterThanOrEqual(8)
    }
  })

  it.each([
    [lisbon, '2026-03-29', '01:30', '2026-03-29T01:00:00.000Z'], // skipped
    [lisbon, '2026-10-25', '01:30', '2026-10-25T00:30:00.000Z'], // the first of two
    [saoPaulo, '2018-11-04', '00:30', '2018-11-04T03:00:00.000Z'], // skipped
    [saoPaulo, '2018-02-17', '23:30', '2018-02-18T01:30:00.000Z'], // the first of two
  ])('in %s, %s %s is %s', (zone, day, clock, moment) => {
    expect(momentAt(zone, day, clock).toISOString()).toBe(moment)
  })
})
