import { Button } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { useController, useFormState, useWatch } from 'react-hook-form'
import type { Option } from '#domain/chatbot/contract.ts'
import { optionFault } from '#domain/chatbot/rules.ts'
import { fileListChoices } from '#web/file-list/choices.ts'
import { useWords } from '#web/i18n.ts'
import { valuesAtom } from '#web/setting/atoms.ts'
import { queueChoices, userChoices } from '#web/ticket/choices.ts'
import { useLabel } from '#web/ui/fieldLabels.ts'
import { serves } from '#web/user/serving.ts'
import css from './Bot.module.css'
import { OptionEditor } from './OptionEditor.tsx'
import { blankOption, ledFrom, numbered } from './options.ts'
import { Phone } from './Phone.tsx'
import { botWords } from './words.ts'

const ofQueue = ['name', 'greetingMessage', 'fileListId', 'closeTicket', 'integrationId'] as const
type Watched = [name: string, greeting: string | null, fileListId: number | null, closeTicket: boolean, integrationId: number | null]

/** The option itself shows this error. */
const hasShort = (tree: Option[]): boolean => tree.some(({ name, chatbots }) => name.trim().length < 4 || hasShort(chatbots))

/** The tree of a queue’s options beside a simulated phone. */
export function BotField({ label }: { label: string }) {
  useLabel('chatbots', label)
  const t = useWords(botWords)
  const { field, fieldState } = useController({ name: 'chatbots' })
  const { submitCount } = useFormState()
  const [id, ...rest] = useWatch<any>({ name: ['id', ...ofQueue] }) as [number | undefined, ...Watched]
  const queues = useAtomValue(queueChoices.all).filter((queue) => queue.id !== id)
  const everybody = useAtomValue(userChoices.all)
  const files = useAtomValue(fileListChoices.all)
  const tree = field.value as Option[]
  const trees = useAtomValue(ledFrom(id ?? null, tree))
  const users = everybody.map((user) => ({ ...user, serves: serves(user, id ?? 0) }))
  const fault = optionFault(tree, id ?? null, (one) => users.find((user) => user.id === one)?.serves ?? true)
  const [name, greetingMessage, fileListId, closeTicket, integrationId] = rest
  const settings = useAtomValue(valuesAtom)
  const queueFields = { greetingMessage, fileListId, closeTicket, integrationId }
  const others = queues.map((queue) => ({ ...queue, chatbots: trees.get(queue.id)?.chatbots ?? [] }))
  const put = (next: Option[]) => field.onChange(next)
  return (
    <div className={css.bot}>
      <div>
        <p className={css.lead}>{t('lead')}</p>
        <OptionEditor options={tree} leads={{ queues, users, files }} fault={fault} strict={submitCount > 0} onChange={put} />
        <Button icon={<Plus />} text={t('add')} onClick={() => put([...tree, blankOption()])} />
        {fieldState.error?.message && !fault && !hasShort(tree) && (
          <p className={css.problem} role="alert">
            {fieldState.error.message}
          </p>
        )}
      </div>
      <Phone
        key={JSON.stringify([tree, queueFields, others, settings])}
        settings={settings}
        own={{ id: id ?? 0, name, ...queueFields, chatbots: numbered(tree) }}
        others={others}
      />
    </div>
  )
}
