/** Whether `npm run test:soak` runs: the tests of faults with larger counts. */
export const isSoak = process.env.GUICHE_SOAK === '1'

/** How often a test does something, in `npm test` and in a soak. The environment variable overrides both. */
export function times(once: number, soak: number, variable = ''): number {
  const given = process.env[variable]
  return given === undefined ? (isSoak ? soak : once) : Number(given)
}
