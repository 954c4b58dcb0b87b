import { useEffect, useState } from 'react'
import { ticketTopic } from '#domain/ticket/topic.ts'
import { live } from '#web/socket.ts'

type TakenBy = { id: number; name: string }

/** The agent who accepted the open ticket that is no longer visible; null if unknown. */
export function useTakenBy(): TakenBy | null {
  const [taken, setTaken] = useState<TakenBy | null>(null)
  useEffect(
    () =>
      live.subscribe(ticketTopic.name, (frames) => {
        for (const { action, id, takenBy } of frames) {
          const name = (takenBy as { name?: unknown } | undefined)?.name
          if (action === 'delete' && typeof name === 'string') setTaken({ id: Number(id), name })
        }
      }),
    [],
  )
  return taken
}
