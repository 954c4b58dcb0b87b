import type { Static, TSchema } from 'typebox'
import * as Type from 'typebox'
import { admin, anyone, type Gate, signedIn, superAdmin } from '#domain/access.ts'
import { parseContactFields } from '#domain/contact-field/rules.ts'
import { Dictionary, get, put, Text } from '#domain/contract.ts'
import { type CustomerLanguage, customerLanguages, textIn } from '#domain/flow/texts.ts'
import { topic } from '#domain/topic.ts'
import { isCountry, isTimeZone } from '#domain/zone/rules.ts'

/** A setting with its schema, its default and its gates. Every value is text. */
export type Setting = {
  /** `company`: a value per company; `platform`: one value for all. */
  of: 'company' | 'platform'
  shape: TSchema
  /** A check that the schema cannot express. */
  fits?: (value: string) => boolean
  default: string
  /** Settings that every signed-in user may read are part of `me`. */
  read: Gate
  write: Gate
  /** Also readable without sign-in (A-SET-04). */
  public?: true
  /** Sealed at rest, and answered only as set or not set (A-SET-06). */
  secret?: true
  /** A text that is used while another setting has this value; it must not be empty then. */
  usedWhile?: readonly [key: string, value: string]
  /** The key of a text. The setting cannot be switched on while the text is empty, and has no effect if it becomes empty. */
  needs?: string
  /** The setting has no effect while this one is off. */
  under?: string
  /** The setting has no effect yet. */
  idle?: true
}

const toggle = (value: 'enabled' | 'disabled') => ({ shape: Type.Enum(['enabled', 'disabled']), default: value })
const truth = (value: 'true' | 'false') => ({ shape: Type.Enum(['true', 'false']), default: value })
const choice = (first: string, ...others: string[]) => ({ shape: Type.Enum([first, ...others]), default: first })
const text = (value = '') => ({ shape: Text(4000), default: value })
const minutes = (value: string) => ({ shape: Type.String({ pattern: '^[1-9]\\d{0,3}$' }), default: value })
const link = { shape: Type.String({ maxLength: 500, pattern: '^(https?://\\S+)?$' }), default: '' }
/** A link to a page, an e-mail address or a phone number. */
const reach = { shape: Type.String({ maxLength: 500, pattern: '^((https://|mailto:|tel:)\\S+)?$' }), default: '' }
const colour = (value: string) => ({ shape: Type.String({ pattern: '^#[0-9a-fA-F]{6}$' }), default: value })
const fileName = { shape: Type.String({ maxLength: 200, pattern: '^[\\w.-]*$' }), default: '' }
/** ISO 3166 country code. */
const phoneCountry = { shape: Text(2, 2), fits: isCountry, default: 'BR' }
const timeZone = { shape: Text(60, 1), fits: isTimeZone, default: 'America/Sao_Paulo' }

const readableByAll = { of: 'company', read: signedIn, write: admin } as const
const readableByAdmins = { of: 'company', read: admin, write: admin } as const
const platform = { of: 'platform', read: anyone, write: superAdmin, public: true } as const
export const mostPort = 65_535
const nobody: Gate = () => 'ERR_NO_PERMISSION'
/** The mail server that sends mail to users. */
const mailSetting = { of: 'platform', read: superAdmin, write: superAdmin } as const
const idle = true

/** Every setting, one per line, with its published key (A-SET-01 to A-SET-06). */
export const settings = {
  timeZone: { ...readableByAll, ...timeZone }, // A-TZ-01
  phoneCountry: { ...readableByAll, ...phoneCountry }, // A-PHONE-02, A-CONTACT-03
  scheduleType: { ...readableByAll, ...choice('disabled', 'queue', 'company', 'connection') },
  /** The company is never closed, so its hours count as set up. */
  alwaysOpen: { ...readableByAll, ...toggle('disabled') },
  userRating: { ...readableByAll, ...toggle('disabled') },
  requiredTag: { ...readableByAll, ...toggle('disabled') },
  closeTicketOnTransfer: { ...readableByAll, ...truth('false') },
  showNotificationPending: { ...readableByAll, ...truth('false') },
  userRandom: { ...readableByAdmins, ...toggle('disabled') },
  DirectTicketsToWallets: { ...readableByAdmins, ...toggle('disabled') },
  /** Maximum number of open tickets per agent; empty: no limit (A-ROT-01). */
  maxOpenTickets: { ...readableByAdmins, shape: Type.String({ pattern: '^([1-9]\\d{0,3})?$' }), default: '' },
  /** Minutes after which a waiting time is marked as due and as late. */
  waitingDueMinutes: { ...readableByAll, ...minutes('10') },
  waitingLateMinutes: { ...readableByAll, ...minutes('30') },
  /** The first answer within so many minutes, in service hours or at any hour; empty: no target (A-COUNT-15). */
  firstAnswerTarget: { ...readableByAdmins, shape: Type.String({ pattern: '^([1-9]\\d{0,3})?$' }), default: '' },
  firstAnswerTargetOpenHours: { ...readableByAdmins, ...toggle('enabled') },
  /** Extra fields of contacts with their types, one a line. */
  contactFields: { ...readableByAll, shape: Text(10_000), fits: (text) => parseContactFields(text) !== null, default: '' },
  campaignsEnabled: { ...readableByAll, ...toggle('enabled'), idle },
  chatBotType: { ...readableByAdmins, ...choice('text') },
  /** Whether admins of a new company see the remaining setup steps. */
  firstSteps: { ...readableByAll, ...toggle('enabled') },
  /** Whether a user may be signed in on several devices at once (A-AUTH-04). */
  severalDevices: { ...readableByAll, ...toggle('disabled') },

  /** The language of built-in texts to customers. */
  customerLanguage: { ...readableByAll, ...choice('pt-BR', 'en', 'es', 'tr') },
  sendSignMessage: { ...readableByAll, ...toggle('enabled') },
  sendGreetingAccepted: { ...readableByAll, ...toggle('disabled') },
  greetingAcceptedMessage: { ...readableByAll, ...text(), usedWhile: ['sendGreetingAccepted', 'enabled'] },
  sendMsgTransfTicket: { ...readableByAll, ...toggle('disabled') },
  transferMessage: { ...readableByAll, ...text(textIn('pt-BR', 'transferred')), usedWhile: ['sendMsgTransfTicket', 'enabled'] },
  sendFarewellWaitingTicket: { ...readableByAll, ...toggle('enabled') },
  sendGreetingMessageOneQueues: { ...readableByAll, ...toggle('enabled') },
  /** A-BOT-05. */
  handOverMessage: { ...readableByAdmins, ...text(textIn('pt-BR', 'lost')) },
  sendQueuePosition: { ...readableByAdmins, ...toggle('disabled') },
  sendQueuePositionMessage: { ...readableByAdmins, ...text(), usedWhile: ['sendQueuePosition', 'enabled'] },
  acceptAudioMessageContact: { ...readableByAdmins, ...toggle('enabled') },
  acceptCallWhatsapp: { ...readableByAdmins, ...toggle('enabled') },
  AcceptCallWhatsappMessage: { ...readableByAdmins, ...text(), usedWhile: ['acceptCallWhatsapp', 'disabled'] },

  enableLGPD: { ...readableByAll, ...toggle('disabled') },
  lgpdHideNumber: { ...readableByAll, ...toggle('disabled'), under: 'enableLGPD' },
  lgpdDeleteMessage: { ...readableByAll, ...toggle('disabled') },
  lgpdConsent: { ...readableByAll, ...toggle('disabled'), under: 'enableLGPD', needs: 'lgpdMessage' }, // A-LGPD-01
  lgpdMessage: { ...readableByAll, ...text(), under: 'enableLGPD' },
  lgpdLink: { ...readableByAdmins, ...link, under: 'enableLGPD' },
  /** Answers a message that neither accepts nor refuses, below the repeated text; empty: only the text is repeated. */
  lgpdUnclearMessage: { ...readableByAdmins, ...text(textIn('pt-BR', 'oneOrTwo')), under: 'lgpdConsent' },
  /** Answers a refusal; empty: the ticket is closed without a text. */
  lgpdRefusedMessage: { ...readableByAdmins, ...text(textIn('pt-BR', 'consentRefused')), under: 'lgpdConsent' },

  mailHost: { ...mailSetting, shape: Type.String({ maxLength: 250, pattern: '^[\\w.:-]*$' }), default: '' },
  mailPort: {
    ...mailSetting,
    shape: Type.String({ pattern: '^[1-9]\\d{0,4}$' }),
    fits: (port) => Number(port) <= mostPort,
    default: '587',
  },
  mailSecurity: { ...mailSetting, ...choice('starttls', 'tls', 'none') },
  mailUser: { ...mailSetting, shape: Text(250), default: '' },
  mailPassword: { ...mailSetting, shape: Text(500), default: '', secret: true },
  mailFrom: { ...mailSetting, shape: Type.String({ maxLength: 250, pattern: '^([^\\s@<>]+@[^\\s@<>]+)?$' }), default: '' },
  /** The time of the restored backup while the installation is in read-only mode; the operator ends that mode. */
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

/** Whether a switch is on; some are `enabled`, others `true`. */
export const on = <K extends SettingKey>(now: Pick<Settings, K>, key: K): boolean => now[key] === 'enabled' || now[key] === 'true'

/** The language of built-in texts to customers. */
export const customerLanguageOf = (now: Pick<Settings, 'customerLanguage'>): CustomerLanguage => now.customerLanguage as CustomerLanguage

const defaultTexts = {
  transferMessage: 'transferred',
  handOverMessage: 'lost',
  lgpdUnclearMessage: 'oneOrTwo',
  lgpdRefusedMessage: 'consentRefused',
} as const satisfies Partial<Record<SettingKey, Parameters<typeof textIn>[1]>>
/** Returns the settings with their default texts in the company's language. */
export function withDefaultTexts(now: Settings): Settings {
  const texts = Object.entries(defaultTexts) as [keyof typeof defaultTexts, Parameters<typeof textIn>[1]][]
  const unchanged = texts.filter(([key, name]) => customerLanguages.some((language) => textIn(language, name) === now[key]))
  return { ...now, ...Object.fromEntries(unchanged.map(([key, name]) => [key, textIn(customerLanguageOf(now), name)])) }
}

/** Whether phone numbers are masked for users who are not admins (R-LGPD-01). */
export const hidesNumbers = (now: Pick<Settings, 'enableLGPD' | 'lgpdHideNumber'>): boolean =>
  on(now, 'enableLGPD') && on(now, 'lgpdHideNumber')

/** The texts that the current settings use. */
export const textsInUse = (now: Settings): SettingKey[] =>
  (Object.keys(settings) as SettingKey[]).filter((key) => {
    const { usedWhile }: Setting = settings[key]
    return usedWhile !== undefined && now[usedWhile[0] as SettingKey] === usedWhile[1]
  })

/** The empty text that a setting would need with this value; null: none. */
export function missingText(now: Settings, key: SettingKey, to: string): SettingKey | null {
  const { needs } = (settings[key] ?? {}) as Partial<Setting>
  if (needs && to === 'enabled' && isBlank(now, needs)) return needs as SettingKey
  return textsInUse({ ...now, [key]: to }).find((text) => isBlank(now, text) && (settings[text] as Setting).usedWhile![0] === key) ?? null
}
const isBlank = (now: Settings, text: string): boolean => now[text as SettingKey].trim() === ''
/** Whether the setting is on although its text is empty. */
export const lacksText = (now: Settings, key: SettingKey): boolean => on(now, key) && missingText(now, key, now[key]) !== null

const waitingLimits: SettingKey[] = ['waitingDueMinutes', 'waitingLateMinutes']
/** Whether with this value a waiting time would be marked as due only after it is late, so never. */
export function isDueAfterLate(now: Settings, key: SettingKey, to: string): boolean {
  const next: Settings = { ...now, [key]: to }
  return waitingLimits.includes(key) && Number(next.waitingDueMinutes) > Number(next.waitingLateMinutes)
}

const Value = Type.Union([Type.String(), Type.Boolean()])
/** A setting with its value; a secret has `set` or an empty value. Settings that the specification calls boolean have true or false. */
export const SettingRow = Type.Object({ key: Type.String(), value: Value })
export type SettingRow = Static<typeof SettingRow>
export type StoredSetting = { key: string; value: string }

const booleans = Object.entries(settings).flatMap(([key, { shape }]) =>
  'enum' in shape && (shape.enum as string[]).includes('true') ? [key] : [],
)
/** The row as clients receive it; the stored value is text. */
export const publishSetting = <Row extends StoredSetting>(row: Row): Row & SettingRow =>
  booleans.includes(row.key) ? { ...row, value: (row.value === 'true') as never } : row
/** The stored text of a published value. */
export const storedValue = (value: SettingRow['value']): string => String(value)
/** A changed setting as a live update. */
export type SetSetting = SettingRow & { id: number; companyId: number }

/** Published clients may send a switch as a boolean. */
const Given = Type.Union([Text(4000), Type.Boolean()])
const Key = Text(100, 1)

export const settingCalls = {
  list: get('/settings', {
    may: signedIn,
    summary: 'Lists every setting that the caller may read, also those of the platform.',
    answer: Type.Array(SettingRow),
  }),
  find: get('/setting/:key', { may: signedIn, summary: 'Shows one setting.', answer: SettingRow, errors: ['ERR_NO_SETTING_FOUND'] }),
  set: put('/settings/:key', {
    may: admin,
    summary: 'Changes one setting of the company or the platform; only a super user changes those of the platform.',
    body: Type.Object({ value: Given }, { additionalProperties: false }),
    answer: SettingRow,
    idempotent: true,
    errors: ['ERR_NO_SETTING_FOUND'],
  }),
  ofCompany: get('/companySettings/:companyId', {
    may: signedIn,
    summary: 'Shows the settings of the caller’s company by key.',
    answer: Dictionary(Value),
    errors: ['ERR_NOT_FOUND'],
  }),
  one: get('/companySettingOne', {
    may: signedIn,
    summary: 'Shows one setting by its key.',
    query: Type.Object({ column: Key }),
    answer: Dictionary(Value),
    errors: ['ERR_NO_SETTING_FOUND'],
  }),
  setOne: put('/companySettings', {
    may: admin,
    summary: 'Changes one setting, as PUT /settings/{key} does.',
    body: Type.Object({ column: Key, data: Given }, { additionalProperties: false }),
    answer: SettingRow,
    idempotent: ({ column }: { column: string }) => ({ key: column }),
    errors: ['ERR_NO_SETTING_FOUND'],
  }),
  userCreation: get('/settings/userCreation', {
    may: anyone,
    summary: 'Shows whether sign-up is enabled.',
    answer: Type.Object({ userCreation: Type.Enum(['enabled', 'disabled']) }),
  }),
  public: get('/public-settings/:key', {
    may: anyone,
    summary: 'Shows a public setting; null if it is not set.',
    answer: Type.Union([Type.String(), Type.Null()]),
    errors: ['ERR_NO_SETTING_FOUND'],
  }),
}

export const settingTopic = topic<SetSetting>(
  'setting',
  'setting',
  (viewer, { key }) => isSetting(key) && settings[key].read(viewer) === null,
)
