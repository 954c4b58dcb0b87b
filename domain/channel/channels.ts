import type { PlanFlag } from '#domain/access.ts'
import { dayMs } from '#domain/duration/rules.ts'

export type AnswerWindow = {
  /** How long after the customer's last message automatic answers and people's answers are allowed, in milliseconds. */
  anybodyMs: number
  personMs: number
  /** After the window, a template that the provider approved can still be sent. */
  templates: boolean
  /** The chat shows the window from the start, not only when it ends soon (R-INBOX-14). */
  isAlwaysShown: boolean
}

/** How a connection is created: by a code for the phone, by pasted credentials, or by a login at the provider. */
export type Setup = 'code' | 'credentials' | 'login'

export type ProviderDescriptor = {
  setup: Setup
  /** Its phones are simulated, and it exists only where the sandbox is enabled. */
  simulated: boolean
  /** A session without a socket is checked by a call every few minutes. */
  socket: boolean
}
const describedProviders = {
  sandbox: { setup: 'code', simulated: true, socket: true },
  beta: { setup: 'code', simulated: false, socket: true },
  cloud: { setup: 'credentials', simulated: false, socket: false },
  graph: { setup: 'login', simulated: false, socket: false },
} as const satisfies Record<string, ProviderDescriptor>

/** The adapter that serves a connection. The names are published and stored. */
export type Provider = keyof typeof describedProviders
export const providers: Readonly<Record<Provider, ProviderDescriptor>> = describedProviders
export const providerNames = Object.keys(describedProviders) as Provider[]
export const isProvider = (name: string): name is Provider => Object.hasOwn(describedProviders, name)
export const providerOf = (name: string): ProviderDescriptor | undefined => (isProvider(name) ? providers[name] : undefined)
/** Whether a connection of this provider is a linked device of a real phone. */
export const linksPhone = (name: string): boolean => providerOf(name)?.setup === 'code' && !providerOf(name)?.simulated

type InteractiveKind = 'list' | 'url' | 'copy' | 'call' | 'pix'

/** Everything that differs between channels and needs no server. The server's adapters are in `app/channels/providers.ts`. */
export type ChannelDescriptor = {
  /** Name of the product, the same in every language. */
  name: string
  /** The network of the customers. A contact is stored with it and can be reached on it only; channels may share one. */
  network: string
  /** What identifies a person: a phone number, or an id that is valid for one page only. */
  identity: 'phone' | 'scoped'
  /** The provider of its connections. The sandbox simulates it. */
  provider: Provider
  /** The permission of the company's plan. */
  planFlag: PlanFlag
  /** Name of an account at Meta, as it is stored and published; null: the channel has none. */
  metaProduct: string | null
  /** Its connections take part in groups. */
  groups: boolean
  /** A connection can tell whether a number is on the network. */
  checksNumbers: boolean
  edit: boolean
  remove: boolean
  /** Sending the same id twice delivers one message. */
  once: boolean
  /** null: answers are always allowed. */
  window: AnswerWindow | null
  /** A longer text is sent as several messages; null: the provider takes texts of any length. */
  textLimit: { max: number; unit: 'characters' | 'bytes' } | null
  /** The character around bold text; empty: the channel shows no bold text. */
  boldMark: string
  /** The format of interactive messages, and the kinds that are sent in it. Other kinds are sent as text. */
  interactive: { format: 'native' | 'cloud' | 'messenger'; kinds: readonly InteractiveKind[] }
}

const whatsappNetwork = { network: 'whatsapp', identity: 'phone', planFlag: 'useWhatsapp', boldMark: '*' } as const
/** Messenger and Instagram share a platform of Meta. */
const messengerPlatform = {
  provider: 'graph',
  identity: 'scoped',
  groups: false,
  checksNumbers: false,
  edit: false,
  remove: false,
  once: false,
  boldMark: '',
} as const
const messengerWindow = { anybodyMs: dayMs, personMs: 7 * dayMs, templates: false, isAlwaysShown: true }

const describedChannels = {
  /** A number that is linked by QR code or pairing code. */
  whatsapp: {
    ...whatsappNetwork,
    name: 'WhatsApp',
    provider: 'beta',
    metaProduct: null,
    groups: true,
    checksNumbers: true,
    edit: true,
    remove: true,
    once: true,
    window: null,
    textLimit: null,
    interactive: { format: 'native', kinds: ['list', 'url', 'copy', 'call', 'pix'] },
  },
  /** A number of the Cloud API. */
  whatsappapi: {
    ...whatsappNetwork,
    name: 'WhatsApp API',
    provider: 'cloud',
    metaProduct: 'whatsapp',
    groups: false,
    checksNumbers: false,
    edit: false,
    remove: false,
    once: false,
    window: { anybodyMs: dayMs, personMs: dayMs, templates: true, isAlwaysShown: false },
    textLimit: { max: 4096, unit: 'characters' },
    interactive: { format: 'cloud', kinds: ['list', 'url'] },
  },
  /** A page. */
  facebook: {
    ...messengerPlatform,
    name: 'Facebook',
    network: 'facebook',
    planFlag: 'useFacebook',
    metaProduct: 'page',
    window: messengerWindow,
    textLimit: { max: 2000, unit: 'characters' },
    interactive: { format: 'messenger', kinds: ['list', 'url', 'call'] },
  },
  /** A business account that is linked with a page. */
  instagram: {
    ...messengerPlatform,
    name: 'Instagram',
    network: 'instagram',
    planFlag: 'useInstagram',
    metaProduct: 'instagram',
    window: messengerWindow,
    textLimit: { max: 1000, unit: 'bytes' },
    interactive: { format: 'messenger', kinds: ['list', 'url'] },
  },
} as const satisfies Record<string, ChannelDescriptor>

/** What a contact uses. The names are published and stored. */
export type Channel = keyof typeof describedChannels
export const channels: Readonly<Record<Channel, ChannelDescriptor>> = describedChannels
export const channelNames = Object.keys(describedChannels) as Channel[]
export const isChannel = (name: string): name is Channel => Object.hasOwn(describedChannels, name)

/** The channel of a provider. Simulated phones are on WhatsApp. */
export const channelOfProvider = (provider: Provider): Channel =>
  channelNames.find((name) => channels[name].provider === provider) ?? 'whatsapp'
export const setupOf = (channel: Channel): Setup => providers[channels[channel].provider].setup
/** The name of the network of a channel, as customers know it. */
export const networkName = (channel: Channel): string => channels[channels[channel].network as Channel].name

type Described = (typeof describedChannels)[Channel]
export type MetaProduct = NonNullable<Described['metaProduct']>
/** The products whose accounts are connected by a login at Meta. */
export type LoginProduct = Extract<Described, { provider: 'graph' }>['metaProduct']
export const metaProducts = channelNames.flatMap((name) => describedChannels[name].metaProduct ?? [])
export const loginProducts = metaProducts.filter((product) => setupOf(channelOfProduct(product)) === 'login') as LoginProduct[]
export function channelOfProduct(product: MetaProduct): Channel {
  return channelNames.find((name) => channels[name].metaProduct === product)!
}
/** The product to log in for; null: the channel is set up otherwise. */
export const loginProductOf = (channel: Channel): LoginProduct | null =>
  loginProducts.find((one) => channelOfProduct(one) === channel) ?? null
