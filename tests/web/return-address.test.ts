import { expect, it } from 'vitest'
import { returnAddress } from '#web/login/returnAddress.ts'

it.each([
  ['/tickets/7?tab=open#end', '/tickets/7?tab=open#end'],
  [null, '/tickets'],
  ['', '/tickets'],
  ['tickets', '/tickets'],
  ['//evil.test', '/tickets'],
  ['/\\evil.test', '/tickets'],
  ['/\t/evil.test', '/tickets'],
  ['/.//evil.test', '/tickets'],
  ['https://evil.test/', '/tickets'],
  ['javascript:alert(1)', '/tickets'],
])('the return address %j leads to %j', (to, expected) => expect(returnAddress(to, 'https://desk.test')).toBe(expected))
