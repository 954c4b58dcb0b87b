import { greetingOfOne, type MenuQueue } from '#domain/flow/menus.ts'

/**
 * Which greeting a new customer reads on a connection that offers only this queue, as a key of the settings' words
 * (A-BOT-02).
 */
export function greetingNote(queue: Pick<MenuQueue, 'greetingMessage' | 'closeTicket'>, greetsForOne: boolean) {
  if (greetingOfOne({ greetingMessage: null, greetsForOne, queue }) !== '') return 'queueGreets'
  return queue.greetingMessage?.trim() ? 'connectionGreetsByChoice' : 'connectionGreets'
}
