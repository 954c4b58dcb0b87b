import { createHash } from 'node:crypto'
import { decryptPollVote, proto } from '@whiskeysockets/baileys'
import type { Kept } from './account.ts'

type Cast = { vote: proto.Message.IPollEncValue; poll: Kept; voters: string[]; creators: string[] }

/** What somebody chose in a poll, by their vote, which is sealed with the poll's own secret and the addresses of both; null: it does not open. */
export function chosenIn({ vote, poll, voters, creators }: Cast): string[] | null {
  const { messageContextInfo, pollCreationMessage, pollCreationMessageV2, pollCreationMessageV3 } = proto.Message.decode(poll.message)
  const options = (pollCreationMessage ?? pollCreationMessageV2 ?? pollCreationMessageV3)?.options ?? []
  const pollEncKey = messageContextInfo?.messageSecret
  if (!pollEncKey) return null
  for (const pollCreatorJid of creators)
    for (const voterJid of voters)
      try {
        const { selectedOptions } = decryptPollVote(vote, { pollCreatorJid, pollMsgId: poll.id, pollEncKey, voterJid })
        const chosen = new Set(selectedOptions.map((hash) => Buffer.from(hash).toString('hex')))
        return options.flatMap(({ optionName }) => (chosen.has(hashOf(optionName ?? '')) ? [optionName!] : []))
      } catch {} // sealed with another of their addresses
  return null
}

const hashOf = (option: string) => createHash('sha256').update(option).digest('hex')
