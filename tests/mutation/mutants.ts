import { domainMutants } from './domain-mutants.ts'
import type { Mutant } from './mutant.ts'
import { outsideMutants } from './outside-mutants.ts'

export const mutants: Mutant[] = [...domainMutants, ...outsideMutants]
