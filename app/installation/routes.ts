import type { installation } from '#domain/installation/contract.ts'
import { localUrlOf } from '../config.ts'
import type { AppContext } from '../context.ts'
import type { Handlers } from '../http/serve.ts'
import { missingRoles, readRoleState } from '../observability/roles.ts'

export const installationRoutes = ({ db, config }: Pick<AppContext, 'db' | 'config'>): Handlers<typeof installation> => ({
  show: async () => ({
    missingRoles: missingRoles(await readRoleState(db)),
    publicUrl: config.publicUrl,
    localUrl: localUrlOf(config),
  }),
})
