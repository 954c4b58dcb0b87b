import { version } from '#domain/version/contract.ts'
import { label } from '#domain/version/label.ts'
import { type Area, calls } from '../module.ts'

export const versionArea: Area = { calls: [calls('version', version, () => ({ show: async () => ({ version: label }) }))] }
