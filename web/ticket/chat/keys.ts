/** Shortcut keys of the open ticket, for the shortcuts sheet, the menu and the buttons. */
export const ticketKeys = {
  accept: 'act+s',
  write: 'act+r',
  transfer: 'act+m',
  giveBack: 'act+d',
  resolve: 'act+e',
  notes: 'act+o',
  print: 'mod+p',
} as const
