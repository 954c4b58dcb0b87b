import { type installation, reportedStores } from '#domain/installation/contract.ts'
import { localUrlOf } from '../config.ts'
import type { AppContext } from '../context.ts'
import type { Handlers } from '../http/serve.ts'
import { missingRoles, readRoleState } from '../observability/roles.ts'
import { findUnavailableStores } from '../observability/stores.ts'

type Deps = Pick<AppContext, 'db' | 'projectorNames' | 'config' | 'healthChecks'>

export const installationRoutes = (deps: Deps): Handlers<typeof installation> => ({
  show: async () => ({
    missingRoles: missingRoles(await readRoleState(deps)),
    unavailable: await findReported(deps.healthChecks),
    publicUrl: deps.config.publicUrl,
    localUrl: localUrlOf(deps.config),
  }),
})

async function findReported(healthChecks: AppContext['healthChecks']) {
  const reported = Object.fromEntries(Object.entries(healthChecks).filter(([name]) => (reportedStores as readonly string[]).includes(name)))
  const unavailable = await findUnavailableStores({ healthChecks: reported })
  return reportedStores.filter((name) => unavailable.includes(name))
}
