/** What Postgres' advisory locks of ours are about: the first of two numbers, or the only one. */
export const lockIds = {
  /** By name: who follows the log under it. */
  follower: 7302,
  /** Who makes a company, or the demo. */
  founding: 7304,
  /** Who makes the demo: who comes meanwhile works when it stands. */
  demo: 7333,
  /** By connection: who holds it, as earlier releases know it. */
  connection: 7305,
  /** By worker: that its session lives. */
  worker: 7306,
  /** By company: who writes the next entry of its security log. */
  security: 7326,
  /** By account, and by address: a sign-in that is being looked at. */
  signIn: 7327,
  /** By company: whose upload is being measured. */
  upload: 7331,
} as const
