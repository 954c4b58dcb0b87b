import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'

/** Builds file URLs, which only the web process can sign. `day`: a URL of another day may have expired. */
type Addresses = { url: (companyId: number, file: { key: string; mime: string; name: string }) => string; day: () => number }
/**
 * By database, because projections cannot import the signing of the web process, and tests run several processes' contexts in one. It is
 * no cache: a value is registered once, when the media store opens.
 */
const served = new WeakMap<Kysely<Database>, Addresses>()
export const serveFiles = (db: Kysely<Database>, addresses: Addresses): void => void served.set(db, addresses)
export const today = (db: Kysely<Database>): number => served.get(db)?.day() ?? 0

/** The stored form of a contact's picture. */
export const pictureText = ({ key, mime }: { key: string; mime: string }): string => `${key} ${mime}`
/** The URL of the picture. */
export function pictureAt(db: Kysely<Database>, companyId: number, text: string | null): string | null {
  const [key = '', mime = ''] = text?.split(' ') ?? []
  return key === '' || mime === '' ? null : (served.get(db)?.url(companyId, { key, mime, name: 'picture' }) ?? null)
}
