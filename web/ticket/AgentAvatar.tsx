import { atom, useAtomValue } from 'jotai'
import { atomFamily } from 'jotai-family'
import { Avatar } from '#web/ui/Avatar.tsx'
import { userChoices } from './choices.ts'

const pictureOf = atomFamily((id: number) => atom((get) => get(userChoices.all).find((one) => one.id === id)?.profileImage ?? null))

/** An agent with the current picture. */
export const AgentAvatar = ({ id, ...of }: { id: number; name: string; size: number }) => (
  <Avatar {...of} picture={useAtomValue(pictureOf(id))} />
)
