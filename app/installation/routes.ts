import { type installation, reportedStores } from '#domain/installation/contract.ts'
import { localUrlOf } from '../config.ts'
import type { AppContext } from '../context.ts'
import type { Handlers } from '../http/serve.ts'
import { findUnavailableStores } from '../observability/registry.ts'
import { missingRoles, readRoleState } from '../observability/roles.ts'

export const installationRoutes = ({
  db,
  config,
  healthChecks,
}: Pick<AppContext, 'db' | 'config' | 'healthChecks'>): Handlers<typeof installation> => ({
  show: async () => ({
    missingRoles: missingRoles(await readRoleState(db)),
    unavailable: await findReported(healthChecks),
    publicUrl: config.publicUrl,
    localUrl: localUrlOf(config),
  }),
})

async function findReported(healthChecks: AppContext['healthChecks']) {
  const reported = Object.fromEntries(Object.entries(healthChecks).filter(([name]) => (reportedStores as readonly string[]).includes(name)))
  const unavailable = await findUnavailableStores({ healthChecks: reported })
  return reportedStores.filter((name) => unavailable.includes(name))
}
