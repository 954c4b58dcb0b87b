import { expect, it } from 'vitest'
import { returnAddress } from '#web/login/returnAddress.ts'

it.each([
  ['/tickets/7?tab=open#end', '/tickets/7?tab=open#end'],
  [null, '/'],
  ['', '/'],
  ['tickets', '/'],
  ['//evil.test', '/'],
  ['/\\evil.test', '/'],
  ['/\t/evil.test', '/'],
  ['/.//evil.test', '/'],
  ['https://evil.test/', '/'],
  ['javascript:alert(1)', '/'],
])('the return address %j leads to %j', (to, expected) => expect(returnAddress(to, 'https://desk.test')).toBe(expected))
