import { atom, getDefaultStore, useAtomValue } from 'jotai'
import type { Gate, PlanFlag, Viewer } from '#domain/access.ts'
import { dayMs } from '#domain/duration/rules.ts'
import {
  customerLanguageOf,
  defaults,
  hidesNumbers,
  type SetSetting,
  type SettingKey,
  type Settings,
  settingTopic,
  storedValue,
} from '#domain/setting/contract.ts'
import type { Me } from '#domain/user/contract.ts'
import { type Flags, grantedBy } from '#domain/user/rules.ts'
import { dayIn } from '#domain/zone/rules.ts'
import { ignoreErrors } from '#web/ignore-errors.ts'
import { ApiError, api, onSession, token, tokenOwnerKey } from './api.ts'
import { changeLanguage, type Language, languageStorageKey } from './i18n.ts'
import { watchIdle } from './idle.ts'
import { sortNamesIn } from './name-order.ts'
import { live } from './socket.ts'
import { dropFormsOfOthers, storeOpenForms } from './ui/form-recovery.ts'
import { displayZone, showIn } from './ui/moment.ts'
import { goAhead, nowDate } from './ui/now.ts'

export const store = getDefaultStore()

/** The signed-in user as the server returned it; null without a session. */
export const meAtom = atom<Me | null>(null)
/** starting: nothing is known yet; failed: there is a token, but the server could not be reached. */
export const sessionAtom = atom<'starting' | 'failed' | 'in' | 'out'>('starting')
/** Why the session ended, for the sign-in screen. */
export const endedAtom = atom<'expired' | 'elsewhere' | null>(null)

export const viewerAtom = atom((get) => {
  const me = get(meAtom)
  return me && viewerOf(me)
})
const settingsIn = (me: Me | null): Settings => ({
  ...defaults,
  ...(Object.fromEntries((me?.company.settings ?? []).map(({ key, value }) => [key, storedValue(value)])) as Partial<
    Record<SettingKey, string>
  >),
})
export const settingsAtom = atom((get) => settingsIn(get(meAtom)))
store.sub(settingsAtom, () => {
  const { timeZone } = store.get(settingsAtom)
  if (timeZone !== displayZone()) showIn(timeZone)
})

store.sub(meAtom, () => {
  const me = store.get(meAtom)
  if (me) sortNamesIn(viewerOf(me).companyLanguage)
})

store.sub(meAtom, () => goAhead(store.get(meAtom)?.aheadMs ?? 0))

export function viewerOf(me: Me): Viewer {
  return {
    id: me.id,
    name: me.name,
    companyId: me.companyId,
    profile: me.profile,
    super: me.super,
    flags: grantedBy(me) as Flags,
    plan: me.plan as Partial<Record<PlanFlag, boolean>>,
    queueIds: me.queues.map(({ id }) => id),
    retiredQueueIds: [], // the server decides what they still read of those
    reportQueueIds: me.reportQueues?.map(({ id }) => id) ?? null,
    masked: me.masked,
    timeZone: settingsIn(me).timeZone,
    phoneCountry: settingsIn(me).phoneCountry,
    companyLanguage: customerLanguageOf(settingsIn(me)),
  }
}

/** Whether the viewer may make this call, by the gate that the server also checks. */
export const useMay = (call: { may: Gate }): boolean => call.may(useAtomValue(viewerAtom)) === null
/** For components inside the shell, where a user is always signed in. */
export function useViewer(): Viewer {
  return useAtomValue(viewerAtom) ?? notSignedIn()
}
export function useMe(): Me {
  return useAtomValue(meAtom) ?? notSignedIn()
}
export const useSettings = (): Settings => useAtomValue(settingsAtom)
export const viewer = (): Viewer => store.get(viewerAtom) ?? notSignedIn()
function notSignedIn(): never {
  throw new Error('No user is signed in')
}

/** Removes everything that a user typed on this device, after they sign out. */
async function removeTypedText(userId: number): Promise<void> {
  const [{ forgetSearches }, { forgetDrafts }, { forgetFiles }, { forgetUnsent }] = await Promise.all([
    import('./message-search/recent.ts'),
    import('./message/composer/drafts.ts'),
    import('./message/composer/cupboard.ts'),
    import('./message/unsent.ts'),
  ])
  forgetSearches(localStorage, userId)
  forgetUnsent(localStorage, userId)
  forgetDrafts(localStorage, userId)
  await forgetFiles(userId)
}
/** Seals the unsent texts of other users on this device, and opens those sealed for this user. */
async function sealDraftsOfOthers({ id, draftKey }: Me): Promise<void> {
  const [{ openPair, sealFor, sealTexts, unseal, unsealTexts }, { sealFiles, unsealFiles }] = await Promise.all([
    import('./sealing.ts'),
    import('./message/composer/cupboard.ts'),
  ])
  const mine = await openPair(id, draftKey)
  await Promise.all([unsealTexts(id, mine), unsealFiles(id, (sealed) => unseal(mine, sealed))])
  localStorage.removeItem(sealedFilesOf(id))
  const owners = await sealFiles(id, sealFor)
  for (const owner of owners) localStorage.setItem(sealedFilesOf(owner), 'yes')
  await sealTexts(id)
}
const sealedFilesOf = (userId: number) => `sealed-${userId}-files`
const isSealedFor = (userId: number) => Object.keys({ ...localStorage }).some((name) => name.startsWith(`sealed-${userId}-`))
const keepIfAllowed = (work: Promise<void>) => ignoreErrors(work, 'a forbidden storage keeps nothing')

const startSession = async (me: Me) => {
  token.keep(token.get(), me.id)
  const waits = isSealedFor(me.id)
  const handed = keepIfAllowed(sealDraftsOfOthers(me))
  if (waits) await handed // before the first field reads its draft
  dropFormsOfOthers(me.email)
  store.set(endedAtom, null)
  sessionStorage.removeItem('ended')
  sessionStorage.removeItem('endedFor')
  store.set(meAtom, me)
  store.set(sessionAtom, 'in')
  live.start()
  watchIdle(live.idle)
  changeLanguage(localStorage.getItem(languageStorageKey) ?? me.language)
}

/** The server refused a call as unpaid, whatever the date is here. */
const unpaidAtom = atom(false)
/** Whether the company has not paid: every other call is refused (A-AUTH-06). */
export const expiredAtom = atom((get) => {
  const me = get(meAtom)
  return me !== null && (get(unpaidAtom) || (daysLeft(me) ?? 0) < 0)
})
/** Reloads the company's due date. */
export async function refreshPayment(): Promise<void> {
  const me = await api.session.me()
  store.set(meAtom, me)
  if ((daysLeft(me) ?? 0) >= 0) store.set(unpaidAtom, false)
}
onSession.unpaid = () => {
  if (store.get(unpaidAtom)) return
  store.set(unpaidAtom, true)
  void api.session.me().then(
    (me) => store.set(meAtom, me),
    () => {},
  )
}

/**
 * A-AUTH-05: the due day itself is still valid. Company 1 and a company without a date never expire. Whole days in
 * the company's zone.
 */
export function daysLeft({ companyId, company: { dueDate } }: Pick<Me, 'companyId' | 'company'>, today = nowDate()): number | null {
  if (dueDate === null || companyId === 1) return null
  const day = dayIn(store.get(settingsAtom).timeZone, today)
  return Math.round((Date.parse(dueDate.slice(0, 10)) - Date.parse(day)) / dayMs)
}

export async function signIn(body: { email: string; password: string; remember: boolean }): Promise<Me> {
  const { token: given, user } = await api.session.login({ body })
  token.keep(given, user.id)
  await startSession(user)
  return user
}

/** Sets the user's own password by a link. A new page keeps nothing of a previously signed-in user. */
export async function setPassword(body: { token: string; password: string }): Promise<void> {
  const entered = await api.session.setPassword({ body })
  token.keep(entered.token, entered.user.id)
  location.assign('/tickets')
}

/** Loads a new page, the safest way to keep nothing of one user for the next. */
const endSession = (why: 'expired' | 'elsewhere' | null) => {
  token.keep(null)
  if (why) {
    sessionStorage.setItem('ended', store.get(endedAtom) ?? why)
    sessionStorage.setItem('endedFor', store.get(meAtom)?.email ?? '')
    storeOpenForms(store.get(meAtom)?.email ?? '')
  }
  if (location.pathname === '/login') store.set(sessionAtom, 'out')
  else location.assign(why ? `/login?to=${encodeURIComponent(location.pathname + location.search)}` : '/login')
}

let leaving = false
export async function signOut(): Promise<void> {
  leaving = true // a later 401 no longer ends the session
  await ignoreErrors(api.session.logout(), 'the session expires by itself')
  const me = store.get(meAtom)
  if (me) await keepIfAllowed(removeTypedText(me.id))
  sessionStorage.clear()
  localStorage.removeItem(tokenOwnerKey)
  endSession(null)
}

/** Runs once, before the first screen. */
export async function resume(): Promise<void> {
  const why = sessionStorage.getItem('ended') // kept until the next sign-in, so that a reload still shows it
  store.set(endedAtom, why === 'expired' || why === 'elsewhere' ? why : null)
  if (!token.get()) return store.set(sessionAtom, 'out')
  store.set(sessionAtom, 'starting')
  try {
    await startSession(await api.session.me())
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) store.set(sessionAtom, 'failed')
  }
}

export async function chooseLanguage(language: Language): Promise<void> {
  changeLanguage(language)
  localStorage.setItem(languageStorageKey, language)
  const me = store.get(meAtom)
  if (me) await api.users.language({ params: { id: me.id }, body: { language } })
}

/**
 * A-AUTH-04: shows the notice for a second, then the sign-in page. Tabs of one browser share the session and stay.
 */
live.subscribe('auth', (frames) => {
  const me = store.get(meAtom)
  const taken = frames.some(
    ({ user, sessionId }) => me !== null && (user as { id?: number } | undefined)?.id === me.id && sessionId !== me.sessionId,
  )
  if (!taken) return
  store.set(endedAtom, 'elsewhere')
  setTimeout(() => endSession('elsewhere'), 1000)
})
/** The simulated clock was moved forward. */
live.subscribe('clock', (frames) => {
  const me = store.get(meAtom)
  if (me) store.set(meAtom, { ...me, aheadMs: Math.max(me.aheadMs, ...frames.map(({ aheadMs }) => Number(aheadMs) || 0)) })
})
/** An admin changed a setting. */
live.subscribe(settingTopic.name, (frames) => {
  const me = store.get(meAtom)
  if (!me) return
  if (frames.some(({ action }) => action === 'refresh')) return void reloadMe()
  const set = new Map(frames.flatMap(({ setting }) => (setting ? [[(setting as SetSetting).key, (setting as SetSetting).value]] : [])))
  const known = me.company.settings.map(({ key, value }) => ({ key, value: set.get(key) ?? value }))
  const now = { ...me, company: { ...me.company, settings: known } }
  store.set(meAtom, { ...now, masked: me.profile === 'user' && hidesNumbers(settingsIn(now)) })
})
/** Rights and settings may have changed during the disconnection. */
const reloadMe = () =>
  api.session.me().then(
    (me) => store.set(meAtom, me),
    () => {},
  )
live.onReconnect(() => void reloadMe())
/** Signing out in one tab signs out the others. After an expired session each tab keeps its half-filled forms. */
window.addEventListener('storage', ({ key, newValue }) => {
  if (key !== 'token' || newValue !== null || leaving || store.get(sessionAtom) !== 'in') return
  if (localStorage.getItem(tokenOwnerKey) === null) location.assign('/login')
  else endSession('expired')
})
onSession.ended = () => leaving || endSession(store.get(sessionAtom) === 'out' ? null : 'expired')
onSession.replaced = () => {
  leaving = true
  location.assign('/tickets')
}
onSession.entered = ({ user }) => {
  const me = store.get(meAtom)
  if (me && me.id !== user.id) {
    onSession.replaced()
    throw new ApiError('ERR_SESSION_EXPIRED', {}, 401)
  }
  store.set(meAtom, user as Me)
}
