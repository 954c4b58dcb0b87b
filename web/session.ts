import { atom, getDefaultStore, useAtomValue } from 'jotai'
import type { Gate, PlanFlag, Viewer } from '#domain/access.ts'
import { defaults, hidesNumbers, type SetSetting, type SettingKey, type Settings, settingTopic } from '#domain/setting/contract.ts'
import type { Me } from '#domain/user/contract.ts'
import { type Flags, grantedBy } from '#domain/user/rules.ts'
import { dayIn } from '#domain/zone/rules.ts'
import { ApiError, api, onSession, token, tokenOwnerKey } from './api.ts'
import { changeLanguage, type Language, languageStorageKey } from './i18n.ts'
import { watchIdle } from './idle.ts'
import { live } from './socket.ts'
import { dropFormsOfOthers, storeOpenForms } from './ui/form-recovery.ts'
import { displayZone, showIn } from './ui/moment.ts'
import { goAhead, nowDate } from './ui/now.ts'

export const store = getDefaultStore()

/** The signed-in user as the server said it; null while nobody is. */
export const meAtom = atom<Me | null>(null)
/** starting: nothing is known yet; failed: there is a token, but the server could not be asked. */
export const sessionAtom = atom<'starting' | 'failed' | 'in' | 'out'>('starting')
/** Why the session ended, for the sign-in screen. */
export const endedAtom = atom<'expired' | 'elsewhere' | null>(null)

export const viewerAtom = atom((get) => {
  const me = get(meAtom)
  return me && viewerOf(me)
})
const settingsIn = (me: Me | null): Settings => ({
  ...defaults,
  ...(Object.fromEntries((me?.company.settings ?? []).map(({ key, value }) => [key, value])) as Partial<Record<SettingKey, string>>),
})
export const settingsAtom = atom((get) => settingsIn(get(meAtom)))
store.sub(settingsAtom, () => {
  const { timeZone } = store.get(settingsAtom)
  if (timeZone !== displayZone()) showIn(timeZone)
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
    retiredQueueIds: [], // what they still read of those, the server says
    masked: me.masked,
    timeZone: settingsIn(me).timeZone,
    phoneCountry: settingsIn(me).phoneCountry,
  }
}

/** Whether the viewer may make this call: the same gate the server asks. */
export const useMay = (call: { may: Gate }): boolean => call.may(useAtomValue(viewerAtom)) === null
/** For views that stand only inside the shell, where somebody is signed in. */
export function useViewer(): Viewer {
  return useAtomValue(viewerAtom) ?? notSignedIn()
}
export function useMe(): Me {
  return useAtomValue(meAtom) ?? notSignedIn()
}
export const useSettings = (): Settings => useAtomValue(settingsAtom)
export const viewer = (): Viewer => store.get(viewerAtom) ?? notSignedIn()
function notSignedIn(): never {
  throw new Error('nobody is signed in here')
}

/** Nothing that one typed stays on this device once they have signed out. */
async function removeTypedText(userId: number): Promise<void> {
  const [{ forgetDrafts }, { forgetFiles }, { forgetUnsent }] = await Promise.all([
    import('./message/composer/drafts.ts'),
    import('./message/composer/cupboard.ts'),
    import('./message/unsent.ts'),
  ])
  forgetUnsent(localStorage, userId)
  forgetDrafts(localStorage, userId)
  await forgetFiles(userId)
}
/** What others typed here and have not sent is sealed for them; what was sealed for who signs in is theirs again. */
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
const ignoreErrors = (work: Promise<void>) => work.catch(() => {}) // a storage that is forbidden keeps nothing

const startSession = async (me: Me) => {
  token.keep(token.get(), me.id)
  const waits = isSealedFor(me.id)
  const handed = ignoreErrors(sealDraftsOfOthers(me))
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

/** The server has said so, whatever day it is here. */
const unpaidAtom = atom(false)
/** Its company has not paid: nothing but this is answered (A-AUTH-06). */
export const expiredAtom = atom((get) => {
  const me = get(meAtom)
  return me !== null && (get(unpaidAtom) || (daysLeft(me) ?? 0) < 0)
})
/** Until when the company is paid for may have changed. */
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

/** A-AUTH-05: the due day itself is still valid; company 1 and a company without a date never expire. Whole days in the company's zone. */
export function daysLeft({ companyId, company: { dueDate } }: Pick<Me, 'companyId' | 'company'>, today = nowDate()): number | null {
  if (dueDate === null || companyId === 1) return null
  const day = dayIn(store.get(settingsAtom).timeZone, today)
  return Math.round((Date.parse(dueDate.slice(0, 10)) - Date.parse(day)) / 86_400_000)
}

export async function signIn(body: { email: string; password: string; remember: boolean }): Promise<Me> {
  const { token: given, user } = await api.session.login({ body })
  token.keep(given, user.id)
  await startSession(user)
  return user
}

/** Sets one's own password by a link. Whoever was signed in here leaves nothing behind: another user begins on a new page. */
export async function setPassword(body: { token: string; password: string }): Promise<void> {
  const entered = await api.session.setPassword({ body })
  token.keep(entered.token, entered.user.id)
  location.assign('/tickets')
}

/** A new page is the surest way to leave nothing of one user behind for the next. */
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
  leaving = true // what is answered with 401 from now on ends nothing
  await api.session.logout().catch(() => {})
  const me = store.get(meAtom)
  if (me) await ignoreErrors(removeTypedText(me.id))
  sessionStorage.clear()
  localStorage.removeItem(tokenOwnerKey)
  endSession(null)
}

/** Runs once, before the first screen. */
export async function resume(): Promise<void> {
  const why = sessionStorage.getItem('ended') // kept until somebody signs in: a reload makes it no less true
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

/** A-AUTH-04: the notice stands for a second, then the door. Tabs of one browser share the session and stay. */
live.subscribe('auth', (frames) => {
  const me = store.get(meAtom)
  const taken = frames.some(
    ({ user, sessionId }) => me !== null && (user as { id?: number } | undefined)?.id === me.id && sessionId !== me.sessionId,
  )
  if (!taken) return
  store.set(endedAtom, 'elsewhere')
  setTimeout(() => endSession('elsewhere'), 1000)
})
/** The clock of the house was moved on. */
live.subscribe('clock', (frames) => {
  const me = store.get(meAtom)
  if (me) store.set(meAtom, { ...me, aheadMs: Math.max(me.aheadMs, ...frames.map(({ aheadMs }) => Number(aheadMs) || 0)) })
})
/** Set by an admin somewhere: it holds here from now on. */
live.subscribe(settingTopic.name, (frames) => {
  const me = store.get(meAtom)
  if (!me) return
  if (frames.some(({ action }) => action === 'refresh')) return void reloadMe()
  const set = new Map(frames.flatMap(({ setting }) => (setting ? [[(setting as SetSetting).key, (setting as SetSetting).value]] : [])))
  const known = me.company.settings.map(({ key, value }) => ({ key, value: set.get(key) ?? value }))
  const now = { ...me, company: { ...me.company, settings: known } }
  store.set(meAtom, { ...now, masked: me.profile === 'user' && hidesNumbers(settingsIn(now)) })
})
/** Rights and settings may have changed while nothing was heard. */
const reloadMe = () =>
  api.session.me().then(
    (me) => store.set(meAtom, me),
    () => {},
  )
live.onReconnect(() => void reloadMe())
/** Signing out in one tab signs out the others; where the session ended by itself, each keeps what is half-filled in it. */
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
