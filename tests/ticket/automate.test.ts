import { describe, expect, it } from 'vitest'
import type { AutomationAction, BotMessage } from '#domain/ticket/automation.ts'
import { by, contact, content, given, later, opened, received, sent, servedBy } from '#tests/support/story.ts'

const bot = by({ kind: 'bot', flowId: null })
const { quotedId: _, ...words } = content
const botMessage: BotMessage = { messageId: 20, externalId: 'G20', clientId: 'b-20', ...words }
const messageSent = { type: 'MessageSent' as const, ...botMessage, private: false, forwarded: false, seen: null, quotedId: null }
const asks: AutomationAction = {
  rule: 'A-BOT-02',
  reason: 'queueMenu',
  effects: [
    { does: 'say', message: botMessage },
    { does: 'stand', node: 'start/menu', menus: 1 },
  ],
}
const acted = { type: 'AutomationActed' as const, rule: 'A-BOT-02', reason: 'queueMenu', answers: 1 }
const moved = { type: 'BotMoved' as const, node: 'start/menu', menus: 1, answers: 1, begins: true as const }
const begun = [opened({ queueId: null, ...by(contact) }), received(1)]
const asking = [...begun, { ...acted, ...bot }, { ...messageSent, queueId: null, ...bot }, { ...moved, ...bot }]
const automate = (acts: AutomationAction[], answers = 1, from = -1) => ({ type: 'Automate' as const, answers, from, acts, ...bot })

describe('an automatic action on a waiting ticket', () => {
  it('records its reason and its effects in one append', () =>
    given(...begun)
      .when(automate([asks]))
      .then(acted, { ...messageSent, queueId: null }, moved))
  it('chooses the queue, sends the text for that queue and hands over to an agent (A-BOT-03)', () => {
    const chosen: AutomationAction = {
      ...{ rule: 'A-BOT-02', reason: 'queueChosen', choice: { number: 2, name: 'Suporte' } },
      effects: [
        { does: 'queue', queueId: 6 },
        { does: 'say', message: botMessage },
        { does: 'end', userId: 8 },
      ],
    }
    given(...asking, received(2))
      .when(automate([chosen], 5, 1))
      .then(
        { type: 'AutomationActed', rule: 'A-BOT-02', reason: 'queueChosen', answers: 5, choice: { number: 2, name: 'Suporte' } },
        { type: 'TicketQueued', queueId: 6 },
        { ...messageSent, queueId: 6 },
        { type: 'TicketAssigned', userId: 8, why: 'bot', rule: 'A-BOT-02' },
        { type: 'BotEnded', why: 'queueChosen' },
      )
  })
  it('records that a notice had no text, and still counts the message as handled (A-HOURS-03)', () => {
    const closed = { type: 'AutomationActed' as const, rule: 'A-HOURS-02', reason: 'outOfHours', answers: 1 }
    const acts = (effects: AutomationAction['effects']) => automate([{ rule: 'A-HOURS-02', reason: 'outOfHours', effects }])
    given(...begun)
      .when(acts([]))
      .then({ ...closed, silent: true })
    given(...begun)
      .when(acts([{ does: 'say', message: botMessage }]))
      .then(closed, { ...messageSent, queueId: null })
    const now = given(...begun, { ...closed, silent: true as const, ...bot }).folded()
    expect(now).toMatchObject({ bot: { dealt: 1, unsent: ['outOfHours'] } })
  })
  it('closes a ticket that only asked for information (A-BOT-06)', () =>
    given(...begun)
      .when(automate([{ rule: 'A-BOT-06', reason: 'information', effects: [{ does: 'close' }] }]))
      .then(
        { type: 'AutomationActed', rule: 'A-BOT-06', reason: 'information', answers: 1 },
        { type: 'TicketClosed', reason: 'bot', farewell: false, waited: true, userId: null, successor: null, queueId: null },
      ))
  it('does not close a ticket whose contact has written meanwhile', () =>
    given(...begun, received(2))
      .when(automate([{ rule: 'A-BOT-06', reason: 'information', effects: [{ does: 'close' }] }]))
      .then({ type: 'AutomationActed', rule: 'A-BOT-06', reason: 'information', answers: 1 }, { type: 'BotEnded', why: 'information' }))
  it('does nothing once an agent has served the ticket, however late it arrives (A-BOT-08)', () => {
    given(...begun, servedBy(7))
      .when(automate([asks]))
      .nothing()
    given(...begun, servedBy(7), { type: 'TicketReturned' })
      .when(automate([asks]))
      .nothing()
    given(...asking, { type: 'TicketAssigned', userId: 8, why: 'bot', rule: 'A-BOT-03' })
      .when(automate([asks], 5, 1))
      .nothing()
    given(...asking, sent(9, { by: { kind: 'user', id: 7 } }), received(2))
      .when(automate([asks], 6, 1))
      .nothing()
  })
  it('does nothing the second time, nor if the bot answered another message meanwhile', () => {
    given(...asking)
      .when(automate([asks]))
      .nothing()
    given(...asking)
      .when(automate([asks], 1, 1))
      .nothing()
    given(...asking, received(2))
      .when(automate([asks], 5, -1))
      .nothing()
  })
  it('does nothing for a group ticket or a deleted ticket', () => {
    given(opened({ group: true, ...by(contact) }), received(1))
      .when(automate([asks]))
      .nothing()
    given(...begun, { type: 'TicketDeleted' })
      .when(automate([asks]))
      .nothing()
  })
})

describe('the state of the bot', () => {
  it('counts menus from zero in another queue, and keeps the queue changes of the last hour', () => {
    const hop = (minutes: number, queueId: number) => ({ type: 'TicketQueued' as const, queueId, ...bot, at: later(minutes) })
    const now = given(...asking, hop(1, 5), hop(50, 6), hop(70, 5)).folded()
    expect(now).toMatchObject({ bot: { menus: 0, hops: [later(50), later(70)] } })
  })
  it('continues after an internal message and after a notice, and ends after an agent’s message', () => {
    expect(given(...asking, sent(9, { private: true })).folded()).toMatchObject({ bot: { over: false } })
    expect(given(...asking, sent(9, { aside: true })).folded()).toMatchObject({ bot: { over: false } })
    expect(given(...asking, sent(9)).folded()).toMatchObject({ bot: { over: true, node: null } })
  })
})

describe('an automatic remark to a contact (A-AUDIO-01)', () => {
  const act: AutomationAction = { rule: 'A-AUDIO-01', reason: 'audio', effects: [{ does: 'say', message: botMessage }] }
  const remark = (answers: number, minutes: number) => ({
    type: 'Remark' as const,
    answers,
    act,
    afterMs: 60 * 60_000,
    at: later(minutes),
    ...bot,
  })
  const remarked = { type: 'AutomationActed' as const, rule: 'A-AUDIO-01', reason: 'audio', answers: 1, ...bot }
  it('is sent at most once an hour, also while an agent serves the ticket', () => {
    given(...begun, servedBy(7))
      .when(remark(1, 1))
      .then({ type: 'AutomationActed', rule: 'A-AUDIO-01', reason: 'audio', answers: 1 }, { ...messageSent, queueId: 5 })
    given(...begun, remarked)
      .when(remark(2, 59))
      .nothing()
    given(...begun, remarked)
      .when(remark(2, 60))
      .then({ type: 'AutomationActed', rule: 'A-AUDIO-01', reason: 'audio', answers: 2 }, { ...messageSent, queueId: null })
  })
  it('leaves the message for the bot to answer', () =>
    given(...begun, remarked)
      .when(automate([asks]))
      .then(acted, { ...messageSent, queueId: null }, moved))
})
