import type { ErrorCode } from './errors.ts'

/** What an admin switches on or off for one user. */
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

/** Who asks: all that any rule may know of them, the same on the server and in the browser. */
export type Viewer = {
  id: number
  name: string
  companyId: number
  profile: 'admin' | 'user'
  super: boolean
  flags: Record<Flag, boolean>
  plan: Partial<Record<PlanFlag, boolean>>
  queueIds: number[]
  /** Those they served until the queue was retired: what was closed there stays in their sight (A-QUEUE-01). */
  retiredQueueIds: number[]
  /** Numbers are shown to them with the middle hidden (R-LGPD-01, A-LGPD-04). */
  masked: boolean
  /** Of their company: in which days and hours are meant (A-TZ-01). */
  timeZone: string
  /** Of their company: whose numbers may be typed without a country (A-PHONE-02). */
  phoneCountry: string
}

/** A gate answers null to let the viewer pass, or the code it refuses with. Server and screens ask the same gate. */
export type Gate = (viewer: Viewer | null) => ErrorCode | null

export const anyone: Gate = () => null
export const signedIn: Gate = (v) => (v ? null : 'ERR_SESSION_EXPIRED')
export const admin: Gate = (v) => when(v, v?.profile === 'admin')
export const superAdmin: Gate = (v) => when(v, v?.super === true)
export const flag =
  (name: Flag): Gate =>
  (v) =>
    when(v, v?.flags[name] === true)
/** An absent plan flag counts as enabled (R-PERM-15). */
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

/** Replays histories, verifies and exports them (A-ROLE-00). */
export const auditor = either(admin, flag('allowAudit'))

/** Whoever may change something: everybody but who has the auditor's flag and nothing else, no queue and no other flag (A-ROLE-00). */
export const acting: Gate = (v) => signedIn(v) ?? (v && onlyAudits(v) ? 'ERR_NO_PERMISSION' : null)
const onlyAudits = ({ profile, queueIds, flags: granted }: Viewer): boolean =>
  profile === 'user' && queueIds.length === 0 && flags.every((name) => granted[name] === (name === 'allowAudit'))

/** Of a company its own, and a super user of all. */
export const anyAdmin = either(admin, superAdmin)
/** Whoever may set up connections: `allowConnections` counts as admin (A-CONN-07). */
export const mayConnect = either(admin, flag('allowConnections'))

/** Lanes are made, changed and removed by who sees the dashboard (R-PERM-10). */
export const mayEditLanes = either(admin, flag('showDashboard'))

/** The board, and moving what stands on it. */
export const seesBoard = plan('useKanban')
export const moves = every(acting, seesBoard)

const when = (viewer: Viewer | null, allowed: boolean) => signedIn(viewer) ?? (allowed ? null : ('ERR_NO_PERMISSION' as const))
