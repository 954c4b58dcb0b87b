import { type Channel, networkName } from '#domain/channel/channels.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import css from './Channel.module.css'

type Icon = { colour: string; shape: string }
const whatsapp: Icon = {
  colour: '#25D366',
  shape:
    'M8 1.8a6.2 6.2 0 0 0-5.3 9.4l-.8 3 3.1-.8A6.2 6.2 0 1 0 8 1.8Zm3.5 8.7c-.2.5-.9.9-1.4 1-.9.1-2.3-.3-3.9-1.8S4.300 7 4.300 6.100c0-.8.5-1.500.9-1.700.3-.1.6-.1.8 0l.8 1.600c.1.2 0 .4-.1.6l-.5.600c.4.8 1.300 1.700 2.200 2.100l.6-.6c.2-.2.400-.2.600-.1l1.600.800c.2.1.400.500.300 1.100Z',
}
/** R-INBOX-07. */
const icons: Record<Channel, Icon> = {
  whatsapp,
  whatsappapi: whatsapp,
  facebook: {
    colour: '#4267B2',
    shape:
      'M9.200 14V8.700h1.700l.3-2H9.200V5.400c0-.6.2-1 1-1h1.100V2.600c-.2 0-.8-.1-1.600-.1-1.600 0-2.600.9-2.600 2.700v1.500H5.300v2h1.800V14h2.100Z',
  },
  instagram: {
    colour: '#E1306C',
    shape:
      'M5.200 2h5.600A3.200 3.200 0 0 1 14 5.200v5.600a3.200 3.200 0 0 1-3.200 3.200H5.200A3.200 3.200 0 0 1 2 10.800V5.200A3.200 3.200 0 0 1 5.200 2Zm.3 1.400a2.100 2.100 0 0 0-2.100 2.100v5c0 1.200.9 2.100 2.100 2.100h5c1.200 0 2.100-.9 2.100-2.100v-5c0-1.200-.9-2.100-2.100-2.100h-5ZM8 5.200a2.800 2.800 0 1 1 0 5.600 2.800 2.800 0 0 1 0-5.600Zm0 1.400a1.400 1.400 0 1 0 0 2.800 1.400 1.400 0 0 0 0-2.800Zm3-2.300a.7.7 0 1 1 0 1.400.7.7 0 0 1 0-1.400Z',
  },
}
const ChannelIcon = ({ channel }: { channel: Channel }) => (
  <span
    className={css.channel}
    style={{ background: icons[channel].colour }}
    title={networkName(channel)}
    role="img"
    aria-label={networkName(channel)}
  >
    <svg viewBox="0 0 16 16" width="11" height="11" aria-hidden>
      <path d={icons[channel].shape} fill="#fff" fillRule="evenodd" />
    </svg>
  </span>
)

/** A contact with the icon of the channel. */
export const Face = ({ channel, ...of }: { name: string; picture: string | null; size: number; channel: Channel }) => (
  <span className={css.face}>
    <Avatar {...of} />
    <ChannelIcon channel={channel} />
  </span>
)
