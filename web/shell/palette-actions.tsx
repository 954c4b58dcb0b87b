import { useAtomValue, useSetAtom } from 'jotai'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { contacts } from '#domain/contact/contract.ts'
import { contactImports } from '#domain/contact-import/contract.ts'
import { type TicketRow, tickets } from '#domain/ticket/contract.ts'
import { importOpenAtom } from '#web/contact/atoms.ts'
import { saveContacts } from '#web/contact/save-contacts.ts'
import { contactWords } from '#web/contact/words.ts'
import { importWords } from '#web/contact-import/words.ts'
import { languageNames, languages, useLanguage, useWords } from '#web/i18n.ts'
import { chooseLanguage, store, useMay, useMe } from '#web/session.ts'
import { useTicketActions } from '#web/ticket/actions.ts'
import { dialogAtom } from '#web/ticket/atoms.ts'
import { useTicketCommands } from '#web/ticket/chat/useTicketCommands.tsx'
import { ticketWords } from '#web/ticket/words.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { userWords } from '#web/user/words.ts'
import { sheetOpenAtom } from './atoms.ts'
import { useAway } from './away.ts'
import { askToSignOut } from './leaving.ts'
import { themeAtom } from './theme.ts'
import { findWords, menuWords, shellWords } from './words.ts'

export type Hit = { id: string; group: string; mark: ReactNode; text: string; more?: ReactNode; run: () => void }

/** The actions of the open ticket, by the names of its buttons and its menu. */
export function OfTicket({ ticket, children }: { ticket: TicketRow; children: (hits: Hit[]) => ReactNode }) {
  const t = useWords(findWords)
  const { main, groups } = useTicketCommands(ticket, useTicketActions(ticket))
  const group = t('ticket', { name: ticket.contact.name })
  return children(
    [...main, ...groups.flat()].map(({ id, icon, text, keys, run }) => ({
      ...{ id: `ticket-action-${id}`, group, mark: icon, text, run },
      ...(keys !== undefined && { more: <kbd>{keys}</kbd> }),
    })),
  )
}

/** What can be done on every screen. */
export function useActionHits(): Hit[] {
  const tShell = useWords(shellWords)
  const group = useWords(findWords)('actions')
  const theme = useAtomValue(themeAtom)
  const other = theme === 'dark' ? 'light' : 'dark'
  const setSheetOpen = useSetAtom(sheetOpenAtom)
  const contactHits = useContactHits()
  const hits: Omit<Hit, 'group' | 'mark'>[] = [
    ...useNewTicketHits(),
    ...contactHits,
    ...useOwnHits(),
    { id: 'theme', text: tShell(other), run: () => store.set(themeAtom, other) },
    { id: 'keys', text: tShell('shortcuts'), more: <kbd>?</kbd>, run: () => setSheetOpen(true) },
    { id: 'out', text: tShell('signOut'), run: () => void askToSignOut() },
  ]
  return hits.map((hit) => ({ ...hit, group, mark: null }))
}

type ActionHit = Omit<Hit, 'group' | 'mark'>
function useNewTicketHits(): ActionHit[] {
  const t = useWords(ticketWords)
  const may = useMay(tickets.open)
  const [path, go] = useLocation()
  const run = () => {
    if (!/^\/tickets(\/[^/]+)?$/.test(path)) go('/tickets') // the inbox shows the dialog
    store.set(dialogAtom, { kind: 'new' })
  }
  return may ? [{ id: 'new-ticket', text: t('newTicket'), run }] : []
}

/** Import and export of contacts. */
function useContactHits(): ActionHit[] {
  const t = useWords(contactWords)
  const tImport = useWords(importWords)
  const screen = useWords(menuWords)('contacts')
  const mayImport = useMay(contactImports.upload)
  const mayExport = useMay(contacts.export)
  const act = useAsyncAction()
  const [, go] = useLocation()
  const openImport = () => {
    go('/contacts')
    store.set(importOpenAtom, true)
  }
  const save = (call: 'export' | 'exportText') => void act(() => saveContacts(call, {}), { done: t('exported') })()
  const exported = (['export', 'exportText'] as const).map((call) => ({
    id: call,
    text: `${screen} · ${t('export')} · ${t(call === 'export' ? 'exportExcel' : 'exportText')}`,
    run: () => save(call),
  }))
  return [...(mayImport ? [{ id: 'import', text: `${screen} · ${tImport('open')}`, run: openImport }] : []), ...(mayExport ? exported : [])]
}

/** Status and language of the user. */
function useOwnHits(): ActionHit[] {
  const t = useWords(shellWords)
  const tUser = useWords(userWords)
  const now = useLanguage()
  const me = useMe()
  const act = useAsyncAction()
  const toggleAway = useAway()
  const others = languages.filter((language) => language !== now)
  return [
    { id: 'away', text: tUser('goAway'), more: t(me.away ? 'on' : 'off'), run: () => void toggleAway() },
    ...others.map((language) => ({
      id: `language-${language}`,
      text: `${t('language')} · ${languageNames[language]}`,
      run: () => void act(() => chooseLanguage(language))(),
    })),
  ]
}
