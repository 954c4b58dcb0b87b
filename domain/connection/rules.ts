import { dayMs } from '#domain/duration/rules.ts'
import type { ConnectionRow } from './contract.ts'

/** The fields of a connection that its rules check. */
export type Ruled = {
  queueIds: number[]
  greetingMessage: string | null
  ratingMessage: string | null
  expiresTicketNPS: number
  expiresTicket: number
  timeInactiveMessage: number
  inactiveMessage: string | null
  sendIdQueue: number | null
  timeSendQueue: string
  collectiveVacationMessage: string | null
  collectiveVacationStart: string | null
  collectiveVacationEnd: string | null
  enableImportMessage: boolean
  queueIdImportMessages: number | null
  importOldMessages: string | null
  importRecentMessages: string | null
}
/** `before`: the stored connection; `today`: the current day in the company's time zone. */
export type Around = { before: Ruled | null; userRating: boolean; now: number; today: string }
export type Fault = { field: keyof Ruled; rule: 'required' | 'minimum' | 'maximum' | 'greeting' }

const blank = (text: string | null) => (text ?? '').trim() === ''
export const yearOfMinutes = 525_600
const daysBefore = (today: string, days: number) => new Date(Date.parse(today) - days * dayMs).toISOString().slice(0, 10)

type Rule = { of: (keyof Ruled)[]; always?: true; fault: (is: Ruled, around: Around) => Fault | false }
/** Each rule with its fields. A rule runs when one of its fields is given, or with `always` at every save. */
const rules: Rule[] = [
  // R-CONN-10, A-CONN-09
  {
    of: ['queueIds', 'greetingMessage'],
    fault: (is) => is.queueIds.length > 1 && blank(is.greetingMessage) && { field: 'greetingMessage', rule: 'greeting' },
  },
  // R-CONN-05
  {
    of: ['ratingMessage', 'expiresTicketNPS'],
    always: true,
    fault(is, { userRating }) {
      if (blank(is.ratingMessage)) return userRating && { field: 'ratingMessage', rule: 'required' }
      return is.expiresTicketNPS === 0 && { field: 'expiresTicketNPS', rule: 'minimum' }
    },
  },
  // A-EXP-03: a warning must come before the expiry, and it needs an expiry and a text
  {
    of: ['expiresTicket', 'timeInactiveMessage', 'inactiveMessage'],
    fault({ expiresTicket: ends, timeInactiveMessage: warns, inactiveMessage }) {
      if (warns === 0) return false
      if (ends === 0) return { field: 'expiresTicket', rule: 'required' }
      if (warns >= ends) return { field: 'timeInactiveMessage', rule: 'maximum' }
      return blank(inactiveMessage) && { field: 'inactiveMessage', rule: 'required' }
    },
  },
  // R-CONN-06
  {
    of: ['sendIdQueue', 'timeSendQueue'],
    fault(is) {
      if (Number(is.timeSendQueue) > yearOfMinutes) return { field: 'timeSendQueue', rule: 'maximum' }
      const timed = Number(is.timeSendQueue) > 0
      if (timed && is.sendIdQueue === null) return { field: 'sendIdQueue', rule: 'required' }
      return !timed && is.sendIdQueue !== null && { field: 'timeSendQueue', rule: 'required' }
    },
  },
  // R-CONN-07, A-VAC-01
  {
    of: ['collectiveVacationMessage', 'collectiveVacationStart', 'collectiveVacationEnd'],
    fault(is, { before, today }) {
      const days = ['collectiveVacationStart', 'collectiveVacationEnd'] as const
      const old = days.find((one) => is[one] !== null && is[one] !== before?.[one] && is[one]! < daysBefore(today, 10))
      if (old) return { field: old, rule: 'minimum' }
      const absent = !blank(is.collectiveVacationMessage) && days.find((one) => is[one] === null)
      if (absent) return { field: absent, rule: 'required' }
      const [start, end] = [is.collectiveVacationStart, is.collectiveVacationEnd]
      if (blank(is.collectiveVacationMessage) && (start ?? end) !== null) return { field: 'collectiveVacationMessage', rule: 'required' }
      return start !== null && end !== null && end < start && { field: 'collectiveVacationEnd', rule: 'minimum' }
    },
  },
  // R-CONN-08
  {
    of: ['enableImportMessage', 'queueIdImportMessages', 'importOldMessages', 'importRecentMessages'],
    fault(is, { now }) {
      if (!is.enableImportMessage) return false
      if (is.queueIdImportMessages === null) return { field: 'queueIdImportMessages', rule: 'required' }
      const old = is.importOldMessages === null ? null : Date.parse(is.importOldMessages)
      const recent = is.importRecentMessages === null ? null : Date.parse(is.importRecentMessages)
      if (old === null) return { field: 'importOldMessages', rule: 'required' }
      const twoYearsAgo = new Date(now)
      twoYearsAgo.setUTCFullYear(twoYearsAgo.getUTCFullYear() - 2)
      if (old < twoYearsAgo.getTime() - dayMs) return { field: 'importOldMessages', rule: 'minimum' }
      if (old > now) return { field: 'importOldMessages', rule: 'maximum' }
      if (recent !== null && recent < old) return { field: 'importRecentMessages', rule: 'minimum' }
      return recent !== null && recent > now && { field: 'importRecentMessages', rule: 'maximum' }
    },
  },
]

/** Returns the first violated rule of a connection that is saved with these fields, or null. */
export function connectionFault(given: object, is: Ruled, around: Around): Fault | null {
  for (const { of, always, fault } of rules) {
    const found = (always || around.before === null || of.some((field) => Object.hasOwn(given, field))) && fault(is, around)
    if (found) return found
  }
  return null
}

type ConnectionStatus = { status: string; reason: string | null }
/** Messages come and go: it is connected, its provider answers, and a worker serves it. */
export const isUp = ({ status, silentSince, unleasedSince }: Pick<ConnectionRow, 'status' | 'silentSince' | 'unleasedSince'>): boolean =>
  status === 'CONNECTED' && silentSince === null && unleasedSince === null
/** A user disconnected it; only a user starts it again. */
export const isEnded = ({ status, reason }: ConnectionStatus): boolean => status === 'DISCONNECTED' && reason === null
const unlinked: (string | null)[] = [null, 'LOGGED_OUT', 'TAKEN']
/** A number that is linked by a code lost its link, and the phone must be linked again. */
export const isUnlinked = ({ status, reason, number }: ConnectionStatus & { number: string | null }): boolean =>
  number === null || status === 'TIMEOUT' || (status === 'DISCONNECTED' && unlinked.includes(reason))

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** Creates a token of 30 letters and digits (R-CONN-11). */
export function newToken(): string {
  const made: string[] = []
  while (made.length < 30)
    for (const byte of crypto.getRandomValues(new Uint8Array(40))) {
      const letter = letters[byte & 63] // two of the 64 values have no letter and are skipped, so that all letters are equally likely
      if (letter !== undefined && made.length < 30) made.push(letter)
    }
  return made.join('')
}

/** The reasons of an outage as users read them. A provider may send other codes too. */
export const outages = {
  LOGGED_OUT: [
    'foi desvinculada no celular',
    'it was unlinked on the phone',
    'fue desvinculada en el teléfono',
    'telefondan bağlantısı kaldırıldı',
  ],
  FORBIDDEN: ['o canal bloqueou o número', 'the channel has blocked the number', 'el canal bloqueó el número', 'kanal numarayı engelledi'],
  REPLACED: [
    'outro aparelho ou programa assumiu a sessão',
    'another device or program took over the session',
    'otro dispositivo o programa tomó la sesión',
    'oturumu başka bir cihaz ya da program devraldı',
  ],
  TOO_OLD: [
    'o canal não aceita mais esta versão do programa',
    'the channel no longer accepts this version of the program',
    'el canal ya no acepta esta versión del programa',
    'kanal programın bu sürümünü artık kabul etmiyor',
  ],
  MULTI_DEVICE: [
    'o WhatsApp do celular não aceita aparelhos conectados',
    'WhatsApp on the phone does not accept linked devices',
    'el WhatsApp del teléfono no acepta dispositivos vinculados',
    'telefondaki WhatsApp bağlı cihaz kabul etmiyor',
  ],
  CODE_EXPIRED: [
    'o código não foi lido a tempo',
    'its code was not scanned in time',
    'su código no se leyó a tiempo',
    'kodu zamanında okunmadı',
  ],
  TAKEN: [
    'este celular já está em outra conexão da empresa',
    'this phone is already in another connection of the company',
    'este teléfono ya está en otra conexión de la empresa',
    'bu telefon zaten şirketin başka bir bağlantısında',
  ],
  TOKEN_EXPIRED: [
    'a autorização do canal venceu',
    'the channel’s authorisation has expired',
    'la autorización del canal venció',
    'kanalın yetkisi doldu',
  ],
  NOT_REGISTERED: [
    'o número ainda não foi registrado na API do WhatsApp: registre-o na Meta',
    'the number is not registered with the WhatsApp API yet: register it at Meta',
    'el número aún no fue registrado en la API de WhatsApp: regístrelo en Meta',
    'numara henüz WhatsApp API’ye kaydedilmedi: Meta’da kaydedin',
  ],
  UNSUBSCRIBED: [
    'a Meta deixou de avisar o que os clientes escrevem: tente de novo',
    'Meta no longer reports what customers write: try again',
    'Meta dejó de avisar lo que escriben los clientes: inténtelo de nuevo',
    'Meta müşterilerin yazdıklarını artık bildirmiyor: yeniden deneyin',
  ],
  NO_WEBHOOK: [
    'o webhook deste servidor não está cadastrado no app da Meta: fale com quem o opera',
    'the webhook of this server is not entered in its app at Meta: ask its operator',
    'el webhook de este servidor no está registrado en su app de Meta: hable con quien lo opera',
    'bu sunucunun webhook’u Meta uygulamasına girilmemiş: sunucuyu işletene danışın',
  ],
  GONE: [
    'o canal não encontra mais esta conta',
    'the channel can no longer find this account',
    'el canal ya no encuentra esta cuenta',
    'kanal bu hesabı artık bulamıyor',
  ],
  UNREACHABLE: [
    'o servidor não alcança o WhatsApp: sem rede, ou um firewall no caminho',
    'the server cannot reach WhatsApp: no network, or a firewall in between',
    'el servidor no alcanza WhatsApp: sin red, o un firewall en el camino',
    'sunucu WhatsApp’a ulaşamıyor: ağ yok ya da arada bir güvenlik duvarı var',
  ],
  AWAY: ['o canal não respondeu', 'the channel did not answer', 'el canal no respondió', 'kanal yanıt vermedi'],
  SILENT: [
    'nada volta do canal, embora ela conste como conectada',
    'the channel does not respond, although it shows as connected',
    'nada vuelve del canal, aunque figura como conectada',
    'bağlı görünüyor ama kanaldan yanıt gelmiyor',
  ],
} as const satisfies Record<string, readonly [string, string, string, string]>
/** How long before the channel's authorization expires users are warned, in milliseconds. */
export const expirySoonMs = 7 * dayMs
export const endsSoon = ({ tokenExpiresAt }: { tokenExpiresAt: string | null }, now: number): boolean =>
  tokenExpiresAt !== null && Date.parse(tokenExpiresAt) < now + expirySoonMs
export const isOutage = (code: string): code is keyof typeof outages => code in outages
