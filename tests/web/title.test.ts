import { describe, expect, it } from 'vitest'
import { counts, pageTitle, unreadMark } from '#web/shell/title.ts'

it('the unread mark has circled digits up to twenty, and brackets above', () => {
  expect([0, 1, 9, 20, 21, 130].map(unreadMark)).toEqual(['', '①', '⑨', '⑳', '(21)', '(130)'])
})

it('the page title begins with the unread count', () => {
  expect(pageTitle('Atendimentos', 3)).toBe('③ Atendimentos · Guichê')
  expect(pageTitle(null, 0)).toBe('Guichê')
  expect(pageTitle('Atendimentos', 3, '1 não enviada')).toBe('1 não enviada · ③ Atendimentos · Guichê')
})

describe('the unread count of the page title (A-RT-06)', () => {
  const mine = { status: 'open', userId: 7, unreadMessages: 2, transfer: null } as const
  const waiting = { status: 'pending', userId: null, unreadMessages: 1, transfer: null } as const
  const transfer = { user: null, at: '2026-12-01T12:00:00.000Z', note: null }
  it.each([
    [mine, true, true],
    [{ ...mine, status: 'group' } as const, true, true],
    [{ ...mine, unreadMessages: 0 }, false, false],
    [{ ...mine, userId: 8 }, false, false],
    [{ ...mine, userId: null }, false, false],
    [waiting, false, true],
    [{ ...waiting, userId: 8 }, false, false],
    [{ ...waiting, userId: 7 }, true, true],
    [{ ...mine, status: 'closed' } as const, false, false],
    [{ ...mine, status: 'nps' } as const, false, false],
    [{ ...mine, status: 'lgpd' } as const, false, false],
    [{ ...mine, unreadMessages: 0, transfer }, true, true],
    [{ ...mine, userId: 8, unreadMessages: 0, transfer }, false, false],
    [{ ...waiting, unreadMessages: 0, transfer }, false, false],
  ])('%j: counted %s, and %s with waiting tickets', (row, plain, withWaiting) =>
    expect([counts(row, 7, false), counts(row, 7, true)]).toEqual([plain, withWaiting]),
  )
})
