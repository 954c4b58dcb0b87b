/** Ids of our Postgres advisory locks: the first of two numbers, or the only one. */
export const lockIds = {
  /** By processor name: the process that runs it. */
  follower: 7302,
  /** Creation of a company or of the demo. */
  founding: 7304,
  /** Creation of the demo; other processes wait until it is complete. */
  demo: 7333,
  /** By worker: held while its session is alive. */
  worker: 7306,
  /** By company: writing the next entry of its security log. */
  security: 7326,
  /** By account and by address: a sign-in in progress. */
  signIn: 7327,
  /** By company: measuring an upload against the quota. */
  upload: 7331,
  /** By user: the start of an import from a phone. */
  phoneImport: 7335,
} as const
