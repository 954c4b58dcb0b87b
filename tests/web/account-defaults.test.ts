import { expect, it } from 'vitest'
import { defaultsToApply } from '#web/shell/account-defaults.ts'

const me = { id: 1, defaultTheme: 'dark', defaultMenu: 'closed' } as const
const none = { theme: false, menu: false }

it('a new device takes the defaults of the account', () => expect(defaultsToApply(me, null, none)).toEqual({ theme: true, menu: true }))
it('a choice made on this device stays', () => {
  expect(defaultsToApply(me, null, { theme: true, menu: false })).toEqual({ theme: false, menu: true })
  expect(defaultsToApply(me, me, { theme: true, menu: true })).toEqual(none)
})
it('a default that changed on another device applies here', () =>
  expect(defaultsToApply(me, { ...me, defaultTheme: 'light' }, { theme: true, menu: true })).toEqual({ theme: true, menu: false }))
it('another account on this device brings its own defaults', () =>
  expect(defaultsToApply({ ...me, id: 2 }, me, { theme: true, menu: true })).toEqual({ theme: true, menu: true }))
