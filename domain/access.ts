import type { ErrorCode } from './errors.ts'
import type { CustomerLanguage } from './flow/texts.ts'

/** Permissions that an admin grants to one user. */
export const flags = [
  'allTicket',
  'allowGroup',
  'allHistoric',
  'allUserChat',
  'userClosePendingTicket',
  'showDashboard',
  'allowRealTime',
  'allowConnections',
  'allowAudit',
] as const
export type Flag = (typeof flags)[number]

export const planFlags = [
  'useWhatsapp',
  'useFacebook',
  'useInstagram',
  'useCampaigns',
  'useSchedules',
  'useInternalChat',
  'useExternalApi',
  'useKanban',
  'useOpenAi',
  'useIntegrations',
] as const
export type PlanFlag = (typeof planFlags)[number]

/** The caller, with everything that an access rule may use. Server and browser hold the same values. */
export type Viewer = {
  id: number
  name: string
  companyId: number
  profile: 'admin' | 'user'
  super: boolean
  flags: Record<Flag, boolean>
  plan: Partial<Record<PlanFlag, boolean>>
  queueIds: number[]
  /** Retired queues that the user served. Tickets that were closed there stay visible (A-QUEUE-01). */
  retiredQueueIds: number[]
  /** The queues that dashboard, panel and report are limited to; null: all, empty: none (A-VIS-04). */
  reportQueueIds: number[] | null
  /** Phone numbers are masked for this user (R-LGPD-01, A-LGPD-04). */
  masked: boolean
  /** The company's time zone, which days and hours refer to (A-TZ-01). */
  timeZone: string
  /** The company's country. Its numbers may be typed without a country code (A-PHONE-02). */
  phoneCountry: string
  /** The company's language, in whose alphabet names are sorted. */
  companyLanguage: CustomerLanguage
}

/** Returns null if the viewer may pass, otherwise the error code. Server and screens evaluate the same gate. */
export type Gate = (viewer: Viewer | null) => ErrorCode | null

export const anyone: Gate = () => null
export const signedIn: Gate = (v) => (v ? null : 'ERR_SESSION_EXPIRED')
export const admin: Gate = (v) => when(v, v?.profile === 'admin')
export const superAdmin: Gate = (v) => when(v, v?.super === true)
export const flag =
  (name: Flag): Gate =>
  (v) =>
    when(v, v?.flags[name] === true)
/** A missing plan flag counts as enabled (R-PERM-15). */
export const plan =
  (name: PlanFlag): Gate =>
  (v) =>
    v?.plan[name] === false ? 'ERR_NO_PLAN' : signedIn(v)

export const every =
  (...gates: Gate[]): Gate =>
  (v) =>
    gates.map((gate) => gate(v)).find((code) => code !== null) ?? null
export const either =
  (...gates: Gate[]): Gate =>
  (v) =>
    gates.some((gate) => gate(v) === null) ? null : (signedIn(v) ?? 'ERR_NO_PERMISSION')

/** May replay, verify and export ticket histories (A-ROLE-00). */
export const auditor = either(admin, flag('allowAudit'))

/** May change data: every user except a pure auditor, who has `allowAudit`, no other flag and no queue (A-ROLE-00). */
export const acting: Gate = (v) => signedIn(v) ?? (v && onlyAudits(v) ? 'ERR_NO_PERMISSION' : null)
const onlyAudits = ({ profile, queueIds, flags: granted }: Viewer): boolean =>
  profile === 'user' && queueIds.length === 0 && flags.every((name) => granted[name] === (name === 'allowAudit'))

/** An admin for the own company, or a super user for every company. */
export const anyAdmin = either(admin, superAdmin)
/** May set up connections: `allowConnections` counts as admin (A-CONN-07). */
export const mayConnect = either(admin, flag('allowConnections'))

const unmasked: Gate = (v) => (v?.masked ? 'ERR_NO_PERMISSION' : null)
/** May import a table of contacts. A masked user could otherwise ask for many numbers at once (A-LGPD-04). */
export const importsContacts = every(acting, unmasked)

/** May see what became of an own import. */
export const seesImports = every(signedIn, unmasked)

/** May see dashboard and reports. */
export const seesDashboard = either(admin, flag('showDashboard'))

/** May see the real-time panel. */
export const seesPanel = either(admin, flag('allowRealTime'))

/** Whether dashboard, panel and report of the viewer include a queue. Tickets without a queue are outside every limit (A-VIS-04). */
export const reportsOn = ({ reportQueueIds }: Pick<Viewer, 'reportQueueIds'>, queueId: number | null): boolean =>
  reportQueueIds === null || (queueId !== null && reportQueueIds.includes(queueId))

/**
 * Whether a list of agents shows the viewer a user: one who serves a queue that the viewer sees, or who has tickets of those. Admins serve no
 * queue in particular. `projections/report/agents.ts` is the same rule for numbers (A-VIS-04).
 */
export const listsAgent = (
  viewer: Pick<Viewer, 'reportQueueIds'>,
  { profile, queues }: { profile: string; queues: { id: number }[] },
  hasTickets: boolean,
): boolean => viewer.reportQueueIds === null || hasTickets || (profile === 'user' && queues.some(({ id }) => reportsOn(viewer, id)))

/** May create, change and delete lanes: users who see the dashboard (R-PERM-10). */
export const mayEditLanes = seesDashboard

/** May set the order of the lanes. */
export const arrangesLanes = every(acting, mayEditLanes)

/** Gates for reading the board and for moving its tickets. */
export const seesBoard = plan('useKanban')
export const moves = every(acting, seesBoard)

const when = (viewer: Viewer | null, allowed: boolean) => signedIn(viewer) ?? (allowed ? null : ('ERR_NO_PERMISSION' as const))
