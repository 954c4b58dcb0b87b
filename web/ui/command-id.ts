import { useRef } from 'react'

/** Returns the command id for a content. It stays the same while the content does, so a retry after a lost answer sends nothing twice. */
export function useCommandId(): (content: string) => string {
  const command = useRef({ content: '', id: '' })
  return (content) => {
    if (command.current.content !== content) command.current = { content, id: crypto.randomUUID() }
    return command.current.id
  }
}
