import { on, type SettingKey, type Settings } from '#domain/setting/contract.ts'
import type { OptionWord } from './words.ts'

/** The options in order of display. A text follows the switch that uses it. */
export const groups: { name: OptionWord; keys: SettingKey[] }[] = [
  {
    name: 'attendance',
    keys: [
      ...(['requiredTag', 'closeTicketOnTransfer', 'showNotificationPending', 'userRating'] as const),
      ...(['waitingDueMinutes', 'waitingLateMinutes'] as const),
      ...(['userRandom', 'DirectTicketsToWallets', 'maxOpenTickets', 'campaignsEnabled', 'severalDevices', 'firstSteps'] as const),
      ...(['contactFields'] as const),
      ...(['firstAnswerTarget', 'firstAnswerTargetOpenHours'] as const),
    ],
  },
  { name: 'time', keys: ['timeZone', 'phoneCountry', 'scheduleType', 'alwaysOpen'] },
  {
    name: 'messages',
    keys: [
      ...(['customerLanguage', 'sendSignMessage', 'sendGreetingAccepted', 'greetingAcceptedMessage'] as const),
      ...(['sendMsgTransfTicket', 'transferMessage'] as const),
      ...([
        'sendFarewellWaitingTicket',
        'sendGreetingMessageOneQueues',
        'handOverMessage',
        'sendQueuePosition',
        'sendQueuePositionMessage',
      ] as const),
      ...(['acceptAudioMessageContact', 'acceptCallWhatsapp', 'AcceptCallWhatsappMessage'] as const),
    ],
  },
  {
    name: 'privacy',
    keys: [
      ...(['enableLGPD', 'lgpdHideNumber', 'lgpdDeleteMessage', 'lgpdConsent', 'lgpdMessage', 'lgpdLink'] as const),
      ...(['lgpdUnclearMessage', 'lgpdRefusedMessage'] as const),
    ],
  },
  {
    name: 'platform',
    keys: ['userCreation', 'supportUrl', 'mailHost', 'mailPort', 'mailSecurity', 'mailUser', 'mailPassword', 'mailFrom'],
  },
]

/** The confirmation for a change that cannot be undone or affects everybody at once. */
export function confirmationFor(key: SettingKey, to: string, now: Settings): OptionWord | null {
  if (key === 'enableLGPD' && to === 'disabled' && on(now, 'lgpdHideNumber')) return 'askShowNumbers'
  if (key === 'lgpdHideNumber' && to === 'disabled' && on(now, 'enableLGPD')) return 'askShowNumbers'
  if (key === 'severalDevices' && to === 'disabled') return 'askOneDevice'
  if (key === 'lgpdDeleteMessage' && to === 'enabled') return 'askForget'
  if (key === 'timeZone') return 'askZone'
  return null
}
