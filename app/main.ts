import { pino } from 'pino'
import { demoAccounts, demoPassword } from './demo/accounts.ts'
import { seedDemo } from './demo/seed.ts'
import { openHouse, unquoted } from './house.ts'
import { openHealthServer } from './http/health.ts'
import { openProjector } from './roles/projector.ts'
import { openWeb } from './roles/web.ts'
import { openWorker } from './roles/worker.ts'
import { readSettings, SettingsFault } from './settings.ts'
import { openStores } from './stores.ts'

const began = performance.now()
const redact = { paths: ['password', 'token', 'authorization', '*.password', '*.token', '*.authorization'], censor: '[hidden]' }

try {
  await main()
} catch (error) {
  if (error instanceof SettingsFault) for (const fault of error.faults) console.error(fault)
  else console.error(error instanceof Error ? (error.stack ?? error.message) : error)
  process.exit(1)
}

/** Reads the settings, opens the stores, starts the roles asked for, and takes all of it down in turn when told to stop. */
async function main(): Promise<void> {
  const settings = readSettings(process.env)
  const logger = pino({ level: settings.logLevel, redact, serializers: { err: unquoted } }, pino.destination({ sync: false }))
  const stores = await openStores(settings, logger)
  const house = await openHouse({ settings, ...stores, logger })
  const roles = new AbortController()
  const running: Promise<void>[] = []

  if (settings.demo) {
    const started = performance.now()
    const seeded = await seedDemo(house)
    if (seeded) console.log(`The demo company was made in ${Math.round(performance.now() - started)} ms.`)
  }
  if (settings.roles.includes('projector')) running.push(openProjector(house, roles.signal))
  if (settings.roles.includes('worker')) running.push(openWorker(house, roles.signal))
  const server = settings.roles.includes('web') ? await openWeb(house) : openHealthServer(house)
  await server.listen({ port: settings.port, host: settings.host })

  let stopping = false
  const stop = async () => {
    await server.close()
    roles.abort()
    await Promise.race([Promise.allSettled(running), new Promise((resolve) => setTimeout(resolve, 8000))])
    await house.close()
    await stores.close()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      stop().then(
        () => process.exit(0),
        (error) => {
          logger.error({ err: error }, 'the stop was not clean')
          process.exit(1)
        },
      )
    })
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'a rejection nobody handled'))
  const [address] = server.addresses()
  announce(typeof address === 'object' ? address.port : settings.port, settings)
}

function announce(port: number, { host, demo, sandbox, roles }: ReturnType<typeof readSettings>): void {
  const address = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`
  const lines = [`Guichê (${roles.join(', ')}) at ${address} after ${Math.round(performance.now() - began)} ms`]
  if (roles.includes('web') && sandbox) lines.push(`  customers' phones: ${address}/sandbox`)
  if (roles.includes('web') && demo) lines.push(`  sign in as ${demoAccounts.map(({ email }) => email).join(', ')} with ${demoPassword}`)
  console.log(lines.join('\n'))
}
