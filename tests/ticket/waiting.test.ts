import { describe, expect, it } from 'vitest'
import { scheduledRules, type TimeoutPolicy } from '#domain/ticket/timeouts.ts'
import {
  by,
  closed,
  contact,
  content,
  given,
  inGroup,
  later,
  never,
  opened,
  received,
  sent,
  servedBy,
  system,
  unqueued,
  waiting,
} from '#tests/support/story.ts'

const minute = 60_000
const waits = (to: Partial<TimeoutPolicy>): TimeoutPolicy => ({ ...never, ...to })
const wait = (to: Partial<TimeoutPolicy>, at: number) => ({
  type: 'ApplyTimeout' as const,
  policy: waits(to),
  at: later(at),
  ...by(system),
})
const at = (minutes: number) => ({ at: later(minutes) })
const expired = (rule: string) => ({
  ...{
    type: 'TicketClosed' as const,
    reason: 'expired' as const,
    farewell: false,
    waited: false,
    userId: 7,
    successor: null,
    queueId: 5,
    rule,
  },
})
const open = [waiting, servedBy(7)]

describe('the expiry of an open ticket (A-EXP-01, A-EXP-02)', () => {
  const expires = { expiresMs: 60 * minute }
  it('follows the last message of either side', () => {
    given(...open, received(1))
      .when(wait(expires, 60))
      .then(expired('A-EXP-01'))
    given(...open, sent(1))
      .when(wait(expires, 60))
      .then(expired('A-EXP-01'))
    given(...open, sent(1), received(2, at(30)))
      .when(wait(expires, 60))
      .nothing()
    given(...open, sent(1), received(2, at(30)))
      .when(wait(expires, 90))
      .then(expired('A-EXP-01'))
  })
  it('is never early, and is off without a setting', () => {
    given(...open, sent(1))
      .when({ ...wait(expires, 0), at: new Date(Date.parse(later(60)) - 1).toISOString() })
      .nothing()
    given(...open, sent(1))
      .when(wait({}, 6000))
      .nothing()
  })
  it('can be limited to tickets whose contact did not answer', () => {
    const ours = { ...expires, onlyUnanswered: true }
    given(...open, sent(1))
      .when(wait(ours, 60))
      .then(expired('A-EXP-01'))
    given(...open, sent(1), received(2))
      .when(wait(ours, 600))
      .nothing()
    given(...open, sent(1), received(2), sent(3, at(30)))
      .when(wait(ours, 60))
      .nothing()
    given(...open, sent(1), received(2), sent(3, at(30)))
      .when(wait(ours, 90))
      .then(expired('A-EXP-01'))
  })
  it('starts over when an agent accepts or reopens the ticket', () => {
    given(waiting, received(1), { ...servedBy(7), ...at(59) })
      .when(wait(expires, 60))
      .nothing()
    const again = { type: 'TicketReopened' as const, userId: 7, queueId: 5, ...at(300) }
    given(...open, sent(1), closed, again)
      .when(wait(expires, 301))
      .nothing()
    given(...open, sent(1), closed, again)
      .when(wait(expires, 360))
      .then(expired('A-EXP-01'))
  })
  it('skips tickets that are waiting, with a bot, in a group, empty or closed (A-EXP-06)', () => {
    for (const story of [
      [waiting, received(1)],
      [unqueued, received(1), sent(2)],
      [inGroup, servedBy(7), sent(1)],
      open,
      [...open, sent(1), closed],
    ])
      given(...story)
        .when(wait({ ...expires, autoMs: minute, warnMs: minute }, 6000))
        .nothing()
  })
  it('replaces the installation’s default (A-EXP-05), which applies without it', () => {
    given(...open, sent(1))
      .when(wait({ expiresMs: 600 * minute, autoMs: 60 * minute }, 300))
      .nothing()
    given(...open, sent(1))
      .when(wait({ autoMs: 60 * minute }, 60))
      .then(expired('A-EXP-05'))
    given(...open, received(1))
      .when(wait({ autoMs: 60 * minute }, 600))
      .nothing()
  })
})

describe('the inactivity warning (A-EXP-03)', () => {
  const warns = { expiresMs: 60 * minute, warnMs: 20 * minute }
  const warned = { type: 'InactivityWarned' as const, rule: 'A-EXP-03' }
  it('is sent once after the last message of an agent', () => {
    given(...open, received(1), sent(2))
      .when(wait(warns, 20))
      .then(warned)
    given(...open, received(1), sent(2))
      .when(wait(warns, 19))
      .nothing()
    given(...open, received(1))
      .when(wait(warns, 20))
      .nothing()
    given(...open, sent(1), { ...warned, ...at(20) })
      .when(wait(warns, 59))
      .nothing()
    given(...open, sent(1), { ...warned, ...at(20) }, sent(2, at(25)))
      .when(wait(warns, 50))
      .nothing()
  })
  it('is sent again after the contact has answered and stopped again', () =>
    given(...open, sent(1), { ...warned, ...at(20) }, received(2, at(21)), sent(3, at(22)))
      .when(wait(warns, 42))
      .then(warned))
  it('does not move the expiry', () => {
    const told = sent(9, { aside: true, ...at(20), ...by(system) })
    given(...open, sent(1), { ...warned, ...at(20) }, told)
      .when(wait(warns, 60))
      .then(expired('A-EXP-01'))
  })
  it('starts over when the ticket is reopened', () => {
    const again = { type: 'TicketReopened' as const, userId: 7, queueId: 5, ...at(300) }
    given(...open, sent(1), closed, again)
      .when(wait(warns, 319))
      .nothing()
    given(...open, sent(1), closed, again)
      .when(wait(warns, 320))
      .then(warned)
  })
  it('is not sent at the time of the expiry or later', () => {
    given(...open, sent(1))
      .when(wait({ ...warns, warnMs: 60 * minute }, 59))
      .nothing()
    given(...open, sent(1))
      .when(wait({ warnMs: 20 * minute }, 59))
      .nothing()
    given(...open, sent(1))
      .when(wait(warns, 200))
      .then(expired('A-EXP-01')) // after an outage, nobody is warned about an expired ticket
  })
})

describe('the redirection of a ticket without a queue (A-BOT-09)', () => {
  const redirects = { redirectMs: 10 * minute, redirectTo: 6 }
  const redirected = { type: 'TicketRedirected' as const, queueId: 6, rule: 'A-BOT-09' }
  it('follows the opening or the contact’s last message', () => {
    given(unqueued).when(wait(redirects, 10)).then(redirected)
    given(unqueued, received(1, at(5)))
      .when(wait(redirects, 10))
      .nothing()
    given(unqueued, received(1, at(5)), sent(2, at(6)))
      .when(wait(redirects, 15))
      .then(redirected)
    expect(given(unqueued, redirected).folded()).toMatchObject({ status: 'pending', queueId: 6 })
  })
  it('happens once, and only without a queue and an agent and with a target queue', () => {
    given(unqueued, redirected).when(wait(redirects, 60)).nothing()
    given(waiting).when(wait(redirects, 60)).nothing()
    given(unqueued, servedBy(7)).when(wait(redirects, 60)).nothing()
    given(unqueued)
      .when(wait({ ...redirects, redirectTo: null }, 60))
      .nothing()
  })
  it('waits until business hours', () => {
    const shut = { ...redirects, closedUntil: Date.parse(later(480)) }
    given(unqueued).when(wait(shut, 60)).nothing()
    expect(scheduledRules(given(unqueued).folded(), waits(shut))).toEqual([{ rule: 'A-BOT-09', dueAt: Date.parse(later(480)) }])
  })
})

describe('the collective vacation (A-VAC-01)', () => {
  const away = { vacation: { from: Date.parse(later(30)), to: Date.parse(later(3000)) } }
  it('postpones what would expire during it by its full time', () => {
    const all = { ...away, expiresMs: 60 * minute, redirectMs: 40 * minute, redirectTo: 6 }
    given(...open, sent(1))
      .when(wait(all, 60))
      .nothing()
    given(...open, sent(1))
      .when(wait(all, 3059))
      .nothing()
    given(...open, sent(1))
      .when(wait(all, 3060))
      .then(expired('A-EXP-01'))
    given(unqueued).when(wait(all, 3039)).nothing()
    given(unqueued).when(wait(all, 3040)).then({ type: 'TicketRedirected', queueId: 6, rule: 'A-BOT-09' })
  })
  it('changes nothing that expires before it or starts after it', () => {
    given(...open, sent(1))
      .when(wait({ ...away, expiresMs: 29 * minute }, 29))
      .then(expired('A-EXP-01'))
    given(...open, sent(1, at(4000)))
      .when(wait({ ...away, expiresMs: 60 * minute }, 4060))
      .then(expired('A-EXP-01'))
  })
})

describe('a message soon after a close continues the same ticket (A-EXP-04)', () => {
  const said = {
    messageId: 9,
    externalId: 'in-9',
    participant: null,
    author: null,
    kind: content.kind,
    body: 'Oi',
    media: null,
    vCard: null,
  }
  const receive = (minutes: number, withinMs: number) => ({
    ...{ type: 'Receive' as const, ...said, quotedExternalId: null, ...at(minutes), ...by(contact) },
    ...{ opening: { ...(opened() as any) }, resumes: { withinMs, queueId: 5 } },
  })
  const resumed = { type: 'TicketResumed' as const, queueId: 5, rule: 'A-EXP-04' }
  const received = { type: 'MessageReceived' as const, ...said, quotedId: null, queueId: 5 }
  const over = [...open, sent(1), { ...closed, ...at(10) }]
  it('as a waiting ticket in its queue, without an agent', () => {
    given(...over)
      .when(receive(40, 30 * minute))
      .then(resumed, received)
    expect(given(...over, { ...resumed, ...at(40) }).folded()).toMatchObject({
      ...{ status: 'pending', userId: null, queueId: 5, waitingSince: later(40) },
    })
  })
  it('not later than the limit, and not after a transfer', () => {
    given(...over)
      .when(receive(41, 30 * minute))
      .refused('ERR_TICKET_NOT_OPEN')
    const successor = { ticketId: 18, uuid: '0b1f6d1e-6a0c-4c39-9a55-3f1f5a0c9b12', userId: null, queueId: 6 }
    given(...open, { ...closed, reason: 'transfer', successor } as any)
      .when(receive(1, 30 * minute))
      .refused('ERR_TICKET_NOT_OPEN')
  })
})
