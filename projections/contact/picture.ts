import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'

/** How files are addressed: only who serves them knows. `day`: addresses of another day may be over. */
type Addresses = { url: (companyId: number, file: { key: string; mime: string; name: string }) => string; day: () => number }
const served = new WeakMap<Kysely<Database>, Addresses>()
export const serveFiles = (db: Kysely<Database>, addresses: Addresses): void => void served.set(db, addresses)
export const today = (db: Kysely<Database>): number => served.get(db)?.day() ?? 0

/** As it stands by a contact: which file. */
export const pictureText = ({ key, mime }: { key: string; mime: string }): string => `${key} ${mime}`
/** As it is shown: where the picture is. */
export function pictureAt(db: Kysely<Database>, companyId: number, text: string | null): string | null {
  const [key = '', mime = ''] = text?.split(' ') ?? []
  return key === '' || mime === '' ? null : (served.get(db)?.url(companyId, { key, mime, name: 'picture' }) ?? null)
}
