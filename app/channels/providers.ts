import { isProvider, type Provider, providerNames } from '#domain/channel/channels.ts'
import type { Config } from '../config.ts'
import type { SessionDriver } from '../connection/state.ts'
import type { AppContext } from '../context.ts'
import type { Deps as MetaDeps } from '../meta/calling.ts'
import { checkCloudMessage, checkMessengerMessage } from '../meta/check.ts'
import { cloudChannel } from '../meta/cloud.ts'
import { messengerChannel } from '../meta/messenger.ts'
import { createReparser } from '../meta/parse-webhook-event.ts'
import { metaSessions } from '../meta/session.ts'
import { sandboxProvider } from '../sandbox/provider.ts'
import { sandboxSessions } from '../sandbox/sessions.ts'
import { whatsappChannel } from '../whatsapp/channel.ts'
import { whatsappSessions } from '../whatsapp/sessions.ts'
import type { Channel } from './channel.ts'

type Settings = Pick<Config, 'sandbox' | 'whatsappUrl'>
/** The server's part of a provider; `domain/channel/channels.ts` describes the rest. */
type ProviderDriver = {
  /** Absent: each installation has the provider. */
  isEnabled?: (config: Settings) => boolean
  sessions: SessionDriver
  createAdapter: (ctx: AppContext) => Channel
  /** Checks an uncertain message. Any process may do that, also without the lease. */
  check?: (deps: MetaDeps) => NonNullable<Channel['check']>
}

const drivers: Readonly<Record<Provider, ProviderDriver>> = {
  sandbox: {
    isEnabled: ({ sandbox }) => sandbox,
    sessions: sandboxSessions,
    createAdapter: sandboxProvider,
  },
  beta: {
    isEnabled: ({ whatsappUrl }) => whatsappUrl !== null,
    sessions: whatsappSessions,
    createAdapter: ({ caches }) => whatsappChannel(caches.whatsappSockets),
  },
  cloud: {
    sessions: metaSessions,
    createAdapter: (ctx) => ({ ...cloudChannel(ctx), understand: createReparser(ctx) }),
    check: checkCloudMessage,
  },
  graph: {
    sessions: metaSessions,
    createAdapter: (ctx) => ({ ...messengerChannel(ctx), understand: createReparser(ctx) }),
    check: checkMessengerMessage,
  },
}

/** Returns the driver of a provider that this installation has. */
export function driverOf(provider: string, config: Settings): ProviderDriver | undefined {
  const driver = isProvider(provider) ? drivers[provider] : undefined
  return driver?.isEnabled?.(config) === false ? undefined : driver
}
export const enabledProviders = (config: Settings): Provider[] => providerNames.filter((name) => driverOf(name, config))
