import * as Type from 'typebox'

const address = (description: string, usual: string) =>
  Type.String({ description, default: usual, pattern: '^https?://[\\w.:\\[\\]-]+(/[^\\s?#]*)?$' })
const secret = Type.Optional(Type.String({ writeOnly: true, description: 'without a blank', pattern: '^\\S{1,500}$' }))

/** Environment variables for Meta: the Graph URL, and the app that all companies of this installation share. */
export const metaEnvironment = {
  GRAPH_URL: address('a URL such as https://graph.facebook.com', 'https://graph.facebook.com'),
  GRAPH_VERSION: Type.String({ default: 'v25.0', description: 'a version such as v25.0', pattern: '^v\\d{1,3}\\.\\d$' }),
  META_LOGIN_URL: address('a URL such as https://www.facebook.com', 'https://www.facebook.com'),
  META_APP_ID: Type.Optional(Type.String({ description: 'digits', pattern: '^\\d{1,30}$' })),
  META_APP_SECRET: secret,
  META_VERIFY_TOKEN: secret,
}
type Environment = Type.Static<Type.TObject<typeof metaEnvironment>>

export type MetaSettings = {
  graphUrl: string
  graphVersion: string
  /** The timeout of a Graph call, if it differs from the default. */
  graphTimeoutMs?: number
  loginUrl: string
  appId: string | null
  appSecret: string | null
  verifyToken: string | null
}
export const metaSettings = (env: Environment): MetaSettings => ({
  graphUrl: env.GRAPH_URL.replace(/\/+$/, ''),
  graphVersion: env.GRAPH_VERSION,
  loginUrl: env.META_LOGIN_URL.replace(/\/+$/, ''),
  appId: env.META_APP_ID ?? null,
  appSecret: env.META_APP_SECRET ?? null,
  verifyToken: env.META_VERIFY_TOKEN ?? null,
})

/** Warnings for the start, one line each: an incomplete app configuration, and the return URL of its login. */
export function metaRemarks({ meta: { appId, appSecret }, publicUrl, host, port }: MetaEnvironment): string[] {
  const nobody = 'nobody can connect a page or an Instagram account'
  if (appId !== null && appSecret === null) return [`META_APP_SECRET: is missing beside META_APP_ID: ${nobody}`]
  if (appId === null && appSecret !== null) return [`META_APP_ID: is missing beside META_APP_SECRET: ${nobody}`]
  if (appId === null || publicUrl !== null) return []
  return [`PUBLIC_URL: is missing beside META_APP_ID: its login leads back to http://${host}:${port}/connections`]
}
type MetaEnvironment = { meta: MetaSettings; publicUrl: string | null; host: string; port: number }
