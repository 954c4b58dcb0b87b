import { version } from '#domain/version/contract.ts'
import { label } from '#domain/version/label.ts'
import { calls, type FeatureModule } from '../module.ts'

export const versionModule: FeatureModule = { calls: [calls('version', version, () => ({ show: async () => ({ version: label }) }))] }
