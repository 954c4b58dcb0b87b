import { expect, it } from 'vitest'
import { PermanentChannelError, TransientChannelError } from '#app/channels/channel.ts'
import { createRecipientAddresses } from '#app/whatsapp/recipient-addresses.ts'

/** Looks up a number over a client whose lookup gives these results. The client gives none if WhatsApp does not answer in time. */
const lookUp = (results: [] | undefined) => {
  const client = { onWhatsApp: async () => results, signalRepository: { lidMapping: { getLIDForPN: async () => null } } }
  const { addressOf } = createRecipientAddresses(client as never, { kept: async () => null }, {} as never)
  return addressOf({
    ids: [{ kind: 'phone', id: '5511944460001' }],
    group: false,
    connectionId: 1,
    companyId: 1,
    contactId: 1,
    number: '5511944460001',
  })
}

it('a number without an answer is looked up again later', async () => {
  await expect(lookUp(undefined)).rejects.toThrow(TransientChannelError)
})
it('a number that WhatsApp does not know is refused', async () => {
  await expect(lookUp([])).rejects.toThrow(PermanentChannelError)
})
