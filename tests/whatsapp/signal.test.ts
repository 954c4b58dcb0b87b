import type { BinaryNode } from '@whiskeysockets/baileys'
import { pino } from 'pino'
import { afterEach, expect, it, vi } from 'vitest'
import { silence } from '#app/whatsapp/baileys-logger.ts'
import { type Device, device, signedPreKeyFrom, uploadFrom } from '#tests/support/whatsapp/device.ts'
import { node } from '#tests/support/whatsapp/world.ts'

const log = pino({ level: 'silent' })
silence()
afterEach(() => void vi.useRealTimers())
const texts = ['um', 'dois', 'três']

type Party = { jid: string; device: Device }
const party = (pn: string): Party => ({ jid: `${pn}@s.whatsapp.net`, device: device(log) })
async function begin(one: Party, other: Party): Promise<void> {
  const keys = await other.device.bundle()
  await one.device.startSession(other.jid, { ...uploadFrom(node('iq', {}, keys)), preKey: signedPreKeyFrom(keys.at(-1)!) })
}

it('several accounts can write to one customer at the same time', async () => {
  const customer = party('5511900000002')
  const accounts = ['5511900000001', '5511900000003', '5511900000004'].map(party)
  for (const one of accounts) await begin(one, customer)
  for (const round of ['de manhã', 'à tarde']) {
    const said = texts.map((text) => `${text} ${round}`)
    const write = ({ device: { encrypt } }: (typeof accounts)[0]) =>
      Promise.all(said.map((conversation) => encrypt(customer.jid, { conversation })))
    const written = await Promise.all(accounts.map(write))
    for (const [i, one] of accounts.entries()) {
      const read: unknown[] = []
      for (const enc of written[i]!) read.push((await customer.device.decrypt(one.jid, enc)).conversation)
      expect(read).toEqual(said)
    }
  }
})

it('a session is unchanged by a failed attempt to decrypt another session’s message', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 }) // the session used last is tried first
  const [customer, account] = [party('5511900000002'), party('5511900000001')] as const
  const writes = (from: Party, to: Party, conversation: string) => from.device.encrypt(to.jid, { conversation })
  const reads = async (at: Party, from: Party, enc: BinaryNode) => (await at.device.decrypt(from.jid, enc)).conversation
  const says = async (from: Party, to: Party, text: string) => expect(await reads(to, from, await writes(from, to, text))).toBe(text)
  await begin(customer, account)
  await says(customer, account, 'oi')
  await says(account, customer, 'bom dia')
  const late = await writes(customer, account, 'antes')
  for (const turn of ['um', 'dois', 'três']) {
    vi.setSystemTime(Date.now() + 1000)
    await begin(account, customer) // as the client does at the first message to a former sender
    await says(customer, account, `${turn}, na conversa de antes`)
    await says(account, customer, `${turn}, na nova`)
    await says(customer, account, `${turn}, de volta`)
    await says(account, customer, `${turn}, e outra vez`)
  }
  expect(await reads(account, customer, late)).toBe('antes')
  await says(account, customer, 'até logo')
  await says(customer, account, 'até')
})

it('a repeated or altered message is not decrypted, and the session continues', async () => {
  const [customer, account] = [party('5511900000002'), party('5511900000001')] as const
  await begin(customer, account)
  const first = await customer.device.encrypt(account.jid, { conversation: 'oi' })
  await account.device.decrypt(customer.jid, first)
  const answer = await account.device.encrypt(customer.jid, { conversation: 'bom dia' })
  await customer.device.decrypt(account.jid, answer)
  await begin(account, customer)
  const enc = await customer.device.encrypt(account.jid, { conversation: 'um' })
  const altered = { ...enc, content: Buffer.concat([(enc.content as Buffer).subarray(0, -8), Buffer.alloc(8)]) } // its authentication tag
  await expect(account.device.decrypt(customer.jid, altered)).rejects.toThrow('No matching sessions')
  expect((await account.device.decrypt(customer.jid, enc)).conversation).toBe('um')
  await expect(account.device.decrypt(customer.jid, enc)).rejects.toThrow('No matching sessions')
  const after = await account.device.encrypt(customer.jid, { conversation: 'dois' })
  expect((await customer.device.decrypt(account.jid, after)).conversation).toBe('dois')
})
