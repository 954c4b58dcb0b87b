import type { Area } from '../area.ts'
import { whatsappChannel } from './channel.ts'

export const whatsappArea: Area = {
  given: ({ whatsappUrl }) => whatsappUrl !== null,
  channels: ({ db }) => ({ beta: whatsappChannel(db) }),
}
