import { pino } from 'pino'
import { expect, it } from 'vitest'
import { device, signedPreKeyFrom, uploadFrom } from '#tests/kit/whatsapp/device.ts'
import { node } from '#tests/kit/whatsapp/world.ts'

const log = pino({ level: 'silent' })
const texts = ['um', 'dois', 'três']

it('keeps every step where several accounts of one process write to the same customer at the same moment', async () => {
  const customer = { jid: '5511900000002@s.whatsapp.net', device: device(log) }
  const accounts = ['5511900000001', '5511900000003', '5511900000004'].map((pn) => ({ jid: `${pn}@s.whatsapp.net`, device: device(log) }))
  for (const one of accounts) {
    const keys = await customer.device.bundle()
    await one.device.startSession(customer.jid, { ...uploadFrom(node('iq', {}, keys)), preKey: signedPreKeyFrom(keys.at(-1)!) })
  }
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
