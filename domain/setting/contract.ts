import type { Static, TSchema } from 'typebox'
import * as Type from 'typebox'
import { admin, anyone, type Gate, signedIn, superAdmin } from '#domain/access.ts'
import { Dictionary, get, put, Text } from '#domain/contract.ts'
import { type Spoken, spoken, textIn } from '#domain/flow/texts.ts'
import { topic } from '#domain/topic.ts'
import { isCountry, isTimeZone } from '#domain/zone/rules.ts'

/** What is set here: of which shape, what it is until somebody sets it, and who may. Every value is text. */
export type Setting = {
  /** Each company has its own, or there is one for all. */
  of: 'company' | 'platform'
  shape: TSchema
  /** What a shape cannot say. */
  fits?: (value: string) => boolean
  default: string
  /** What everybody who is signed in may read stands in `me`. */
  read: Gate
  write: Gate
  /** Also told to strangers (A-SET-04). */
  public?: true
  /** Sealed, and answered only as set or not (A-SET-06). */
  secret?: true
  /** A text that is said while another setting stands so: it is not empty then. */
  usedWhile?: readonly [key: string, value: string]
  /** The key of a text: the setting cannot be switched on while it is empty, and has no effect if it is emptied later. */
  needs?: string
  /** Without effect while that one is off. */
  under?: string
  /** Nothing obeys it yet. */
  idle?: true
}

const toggle = (value: 'enabled' | 'disabled') => ({ shape: Type.Enum(['enabled', 'disabled']), default: value })
const truth = (value: 'true' | 'false') => ({ shape: Type.Enum(['true', 'false']), default: value })
const choice = (first: string, ...others: string[]) => ({ shape: Type.Enum([first, ...others]), default: first })
const text = (value = '') => ({ shape: Text(4000), default: value })
const link = { shape: Type.String({ maxLength: 500, pattern: '^(https?://\\S+)?$' }), default: '' }
/** Where somebody can be written to or called. */
const reach = { shape: Type.String({ maxLength: 500, pattern: '^((https://|mailto:|tel:)\\S+)?$' }), default: '' }
const colour = (value: string) => ({ shape: Type.String({ pattern: '^#[0-9a-fA-F]{6}$' }), default: value })
const fileName = { shape: Type.String({ maxLength: 200, pattern: '^[\\w.-]*$' }), default: '' }
/** ISO 3166, two capitals. */
const phoneCountry = { shape: Text(2, 2), fits: isCountry, default: 'BR' }
const timeZone = { shape: Text(60, 1), fits: isTimeZone, default: 'America/Sao_Paulo' }

const known = { of: 'company', read: signedIn, write: admin } as const
const ours = { of: 'company', read: admin, write: admin } as const
const platform = { of: 'platform', read: anyone, write: superAdmin, public: true } as const
const nobody: Gate = () => 'ERR_NO_PERMISSION'
/** The mail server by which the house writes to its users. */
const mailed = { of: 'platform', read: superAdmin, write: superAdmin } as const
const idle = true

/** Every setting, one a line (A-SET-01 to A-SET-06). The keys are the published ones. */
export const settings = {
  timeZone: { ...known, ...timeZone }, // A-TZ-01
  phoneCountry: { ...known, ...phoneCountry }, // A-PHONE-02, A-CONTACT-03
  scheduleType: { ...known, ...choice('disabled', 'queue', 'company', 'connection') },
  userRating: { ...known, ...toggle('disabled') },
  requiredTag: { ...known, ...toggle('disabled') },
  closeTicketOnTransfer: { ...known, ...truth('false') },
  showNotificationPending: { ...known, ...truth('false') },
  userRandom: { ...ours, ...toggle('disabled') },
  DirectTicketsToWallets: { ...ours, ...toggle('disabled') },
  /** Of one agent, open at once; empty: any number (A-ROT-01). */
  maxOpenTickets: { ...ours, shape: Type.String({ pattern: '^([1-9]\\d{0,3})?$' }), default: '' },
  campaignsEnabled: { ...known, ...toggle('enabled'), idle },
  chatBotType: { ...ours, ...choice('text') },
  /** Whether a new company’s admins are shown what is left to set up. */
  firstSteps: { ...known, ...toggle('enabled') },

  /** Which language the house’s own lines to customers are in. */
  customerLanguage: { ...known, ...choice('pt-BR', 'en', 'es', 'tr') },
  sendSignMessage: { ...known, ...toggle('enabled') },
  sendGreetingAccepted: { ...known, ...toggle('disabled') },
  greetingAcceptedMessage: { ...known, ...text(), usedWhile: ['sendGreetingAccepted', 'enabled'] },
  sendMsgTransfTicket: { ...known, ...toggle('disabled') },
  transferMessage: { ...known, ...text(textIn('pt-BR', 'transferred')), usedWhile: ['sendMsgTransfTicket', 'enabled'] },
  sendFarewellWaitingTicket: { ...known, ...toggle('enabled') },
  sendGreetingMessageOneQueues: { ...known, ...toggle('enabled') },
  /** A-BOT-05. */
  handOverMessage: { ...ours, ...text(textIn('pt-BR', 'lost')) },
  sendQueuePosition: { ...ours, ...toggle('disabled') },
  sendQueuePositionMessage: { ...ours, ...text(), usedWhile: ['sendQueuePosition', 'enabled'] },
  acceptAudioMessageContact: { ...ours, ...toggle('enabled') },
  acceptCallWhatsapp: { ...ours, ...toggle('enabled') },
  AcceptCallWhatsappMessage: { ...ours, ...text(), usedWhile: ['acceptCallWhatsapp', 'disabled'] },

  enableLGPD: { ...known, ...toggle('disabled') },
  lgpdHideNumber: { ...known, ...toggle('disabled'), under: 'enableLGPD' },
  lgpdDeleteMessage: { ...known, ...toggle('disabled') },
  lgpdConsent: { ...known, ...toggle('disabled'), under: 'enableLGPD', needs: 'lgpdMessage' }, // A-LGPD-01
  lgpdMessage: { ...known, ...text(), under: 'enableLGPD' },
  lgpdLink: { ...ours, ...link, under: 'enableLGPD' },

  mailHost: { ...mailed, shape: Type.String({ maxLength: 250, pattern: '^[\\w.:-]*$' }), default: '' },
  mailPort: { ...mailed, shape: Type.String({ pattern: '^[1-9]\\d{0,4}$' }), default: '587' },
  mailSecurity: { ...mailed, ...choice('starttls', 'tls', 'none') },
  mailUser: { ...mailed, shape: Text(250), default: '' },
  mailPassword: { ...mailed, shape: Text(500), default: '', secret: true },
  mailFrom: { ...mailed, shape: Type.String({ maxLength: 250, pattern: '^([^\\s@<>]+@[^\\s@<>]+)?$' }), default: '' },
  /** Of which moment the backup is that this house was restored from, while nothing is sent or received here; its operator lets it go. */
  restoredFrom: { of: 'platform', read: signedIn, write: nobody, shape: Type.String({ maxLength: 40 }), default: '' },
  supportUrl: { ...platform, ...reach }, // A-SUPPORT-01
  userCreation: { ...platform, ...toggle('enabled'), idle },
  primaryColorLight: { ...platform, ...colour('#0000FF'), idle },
  primaryColorDark: { ...platform, ...colour('#39ACE7'), idle },
  appName: { ...platform, ...{ shape: Text(60), default: '' }, idle },
  appLogoLight: { ...platform, ...fileName, idle },
  appLogoDark: { ...platform, ...fileName, idle },
  appLogoFavicon: { ...platform, ...fileName, idle },
} as const satisfies Record<string, Setting>

export type SettingKey = keyof typeof settings
export type Settings = Record<SettingKey, string>

export const isSetting = (key: string): key is SettingKey => Object.hasOwn(settings, key)
export const defaults = Object.fromEntries(Object.entries(settings).map(([key, { default: value }]) => [key, value])) as Settings

/** A switch may be said as enabled or as true. */
export const on = <K extends SettingKey>(now: Pick<Settings, K>, key: K): boolean => now[key] === 'enabled' || now[key] === 'true'

/** In which language the house speaks to customers. */
export const spokenBy = (now: Settings): Spoken => now.customerLanguage as Spoken

/** With the texts that nobody has written otherwise in the company’s language. */
export function worded(now: Settings): Settings {
  const inLanguage = (key: SettingKey, name: 'transferred' | 'lost') =>
    spoken.some((language) => textIn(language, name) === now[key]) ? textIn(spokenBy(now), name) : now[key]
  return { ...now, transferMessage: inLanguage('transferMessage', 'transferred'), handOverMessage: inLanguage('handOverMessage', 'lost') }
}

/** Numbers come masked to whoever is no admin (R-LGPD-01). */
export const hidesNumbers = (now: Pick<Settings, 'enableLGPD' | 'lgpdHideNumber'>): boolean =>
  on(now, 'enableLGPD') && on(now, 'lgpdHideNumber')

/** The texts that would be said by a setting as it stands now. */
export const textsInUse = (now: Settings): SettingKey[] =>
  (Object.keys(settings) as SettingKey[]).filter((key) => {
    const { usedWhile }: Setting = settings[key]
    return usedWhile !== undefined && now[usedWhile[0] as SettingKey] === usedWhile[1]
  })

/** The text that a setting would have said if it were set so, while nobody has written one. */
export function unwritten(now: Settings, key: SettingKey, to: string): SettingKey | null {
  const { needs } = (settings[key] ?? {}) as Partial<Setting>
  if (needs && to === 'enabled' && isBlank(now, needs)) return needs as SettingKey
  return textsInUse({ ...now, [key]: to }).find((text) => isBlank(now, text) && (settings[text] as Setting).usedWhile![0] === key) ?? null
}
const isBlank = (now: Settings, text: string): boolean => now[text as SettingKey].trim() === ''
/** The setting is on, but the text that it needs is empty. */
export const lacksText = (now: Settings, key: SettingKey): boolean => on(now, key) && unwritten(now, key, now[key]) !== null

/** One as it stands; of a secret only whether it is: `set`, or nothing. */
export const SettingRow = Type.Object({ key: Type.String(), value: Type.String() })
export type SettingRow = Static<typeof SettingRow>
/** The row of a setting that somebody has set, as it goes to those who have the page open. */
export type SetSetting = SettingRow & { id: number; companyId: number }

/** A switch of the published language may come as a truth value. */
const Given = Type.Union([Text(4000), Type.Boolean()])
const Key = Text(100, 1)

export const settingCalls = {
  list: get('/settings', {
    may: signedIn,
    says: 'Every setting that the caller may read, the platform’s too.',
    answer: Type.Array(SettingRow),
  }),
  find: get('/setting/:key', { may: signedIn, says: 'One setting.', answer: SettingRow, refuses: ['ERR_NO_SETTING_FOUND'] }),
  set: put('/settings/:key', {
    may: admin,
    says: 'Sets one setting, wherever it is kept; the platform’s by a super user alone.',
    body: Type.Object({ value: Given }, { additionalProperties: false }),
    answer: SettingRow,
    once: true,
    refuses: ['ERR_NO_SETTING_FOUND'],
  }),
  ofCompany: get('/companySettings/:companyId', {
    may: signedIn,
    says: 'The settings of the caller’s company by their keys.',
    answer: Dictionary(Type.String()),
    refuses: ['ERR_NOT_FOUND'],
  }),
  one: get('/companySettingOne', {
    may: signedIn,
    says: 'One setting, by its key.',
    query: Type.Object({ column: Key }),
    answer: Dictionary(Type.String()),
    refuses: ['ERR_NO_SETTING_FOUND'],
  }),
  setOne: put('/companySettings', {
    may: admin,
    says: 'Sets one setting, as PUT /settings/{key} does.',
    body: Type.Object({ column: Key, data: Given }, { additionalProperties: false }),
    answer: SettingRow,
    once: ({ column }: { column: string }) => ({ key: column }),
    refuses: ['ERR_NO_SETTING_FOUND'],
  }),
  userCreation: get('/settings/userCreation', {
    may: anyone,
    says: 'Whether a stranger may sign up.',
    answer: Type.Object({ userCreation: Type.Enum(['enabled', 'disabled']) }),
  }),
  public: get('/public-settings/:key', {
    may: anyone,
    says: 'One of the settings that strangers see too: its value, or nothing where nobody has set it.',
    answer: Type.Union([Type.String(), Type.Null()]),
    refuses: ['ERR_NO_SETTING_FOUND'],
  }),
}

export const settingTopic = topic<SetSetting>(
  'setting',
  'setting',
  (viewer, { key }) => isSetting(key) && settings[key].read(viewer) === null,
)
