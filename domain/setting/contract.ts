/** A company's settings, each with its default (A-SET-05). The keys are the published ones; every value is text. */
export const defaults = {
  userRating: 'disabled',
  sendSignMessage: 'enabled',
  sendFarewellWaitingTicket: 'enabled',
  sendGreetingAccepted: 'disabled',
  greetingAcceptedMessage: '',
  sendMsgTransfTicket: 'disabled',
  transferMessage: 'Você foi transferido para o setor {fila}.',
  closeTicketOnTransfer: 'false',
  showNotificationPending: 'false',
  requiredTag: 'disabled',
  enableLGPD: 'disabled',
  lgpdHideNumber: 'disabled',
  lgpdDeleteMessage: 'disabled',
  scheduleType: 'disabled',
  campaignsEnabled: 'enabled',
} as const
export type SettingKey = keyof typeof defaults
export type Settings = Record<SettingKey, string>

/** A switch may be said as enabled or as true. */
export const on = (settings: Settings, key: SettingKey): boolean => settings[key] === 'enabled' || settings[key] === 'true'

/** Numbers come masked to whoever is no admin (R-LGPD-01). */
export const hidesNumbers = (settings: Settings): boolean => on(settings, 'enableLGPD') && on(settings, 'lgpdHideNumber')
