import { useAtomValue } from 'jotai'
import type { Option } from '#domain/chatbot/contract.ts'
import { fileListChoices } from '#web/file-list/choices.ts'
import { useWords } from '#web/i18n.ts'
import { queueChoices, userChoices } from '#web/ticket/choices.ts'
import type { FieldMerger, PartClash } from '#web/ui/edit-conflict.ts'
import { uiWords } from '#web/ui/words.ts'
import { mergeTrees, type OptionClash, type OptionField, takeTheirs } from './merge.ts'
import { botWords, typeWords } from './words.ts'

const labels = {
  ...{ name: 'name', greetingMessage: 'message', queueType: 'type', closeTicket: 'closes' },
  ...{ optQueueId: 'queue', optUserId: 'user', optFileId: 'file', optIntegrationId: 'type' },
} as const satisfies Record<OptionField, keyof typeof botWords>

/** Merges two edits of a bot menu by option, and names the values of a clash in words. */
export function useOptionMerger(): FieldMerger {
  const t = useWords(botWords)
  const tType = useWords(typeWords)
  const tUi = useWords(uiWords)
  const lists = {
    optQueueId: useAtomValue(queueChoices.all),
    optUserId: useAtomValue(userChoices.all),
    optFileId: useAtomValue(fileListChoices.all),
  }
  const valueIn = (option: Option, field: OptionField): string => {
    const value = option[field]
    if (field === 'queueType') return tType(option.queueType)
    if (field === 'closeTicket') return tUi(option.closeTicket ? 'yes' : 'no')
    if (field === 'optUserId' && value === null) return t('anyone')
    if (field in lists) return lists[field as keyof typeof lists].find(({ id }) => id === value)?.name ?? tUi('emptied')
    return String(value ?? '').trim() || tUi('emptied')
  }
  function inWords(clash: OptionClash): Omit<PartClash, 'take'> {
    if (clash.kind === 'menu') return { key: 'menu', label: t('clashMenu'), mine: t('movedIn'), theirs: t('movedIn') }
    const { id, name, mine, theirs } = clash
    if (clash.kind === 'branch') {
      const side = (option: Option | null) => t(option === null ? 'removedIt' : option.chatbots.length > 0 ? 'changedBranch' : 'changedIt')
      return { key: `${id}`, label: t('clashOf', { name }), mine: side(mine), theirs: side(theirs) }
    }
    const { field } = clash
    const label = t('clashField', { name, field: t(labels[field]) })
    return { key: `${id} ${field}`, label, mine: valueIn(clash.mine, field), theirs: valueIn(clash.theirs, field) }
  }
  return (start: Option[], theirs: Option[], mine: Option[]) => {
    const { tree, clashes } = mergeTrees(start, theirs, mine)
    return {
      value: tree,
      clashes: clashes.map((clash) => ({ ...inWords(clash), take: (value: Option[]) => takeTheirs(value, clash) })),
    }
  }
}
