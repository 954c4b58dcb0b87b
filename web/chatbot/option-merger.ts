import { useAtomValue } from 'jotai'
import type { Option } from '#domain/chatbot/contract.ts'
import { fileListChoices } from '#web/file-list/choices.ts'
import { useWords } from '#web/i18n.ts'
import { queueChoices, userChoices } from '#web/ticket/choices.ts'
import type { FieldMerger } from '#web/ui/edit-conflict.ts'
import { uiWords } from '#web/ui/words.ts'
import { mergeTrees, type OptionField, takeTheirs } from './merge.ts'
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
  return (start: Option[], theirs: Option[], mine: Option[]) => {
    const { tree, clashes } = mergeTrees(start, theirs, mine)
    return {
      value: tree,
      clashes: clashes.map((clash) => {
        const { id, name, field } = clash
        const side = (option: Option | null) => (option === null ? t('removedIt') : field ? valueIn(option, field) : t('changedIt'))
        return {
          key: `${id} ${field}`,
          label: field ? t('clashField', { name, field: t(labels[field]) }) : t('clashOf', { name }),
          mine: side(clash.mine),
          theirs: side(clash.theirs),
          take: (value: Option[]) => takeTheirs(value, clash),
        }
      }),
    }
  }
}
