/** What acts on the open ticket, in the sheet, the menu and beside the buttons alike. */
export const ticketKeys = {
  accept: 'act+s',
  write: 'act+r',
  transfer: 'act+m',
  giveBack: 'act+d',
  resolve: 'act+e',
  notes: 'act+o',
  print: 'mod+p',
} as const
