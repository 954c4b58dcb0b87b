import {
  CellTower,
  Chat,
  Cog,
  ColumnLayout,
  Dashboard as DashboardIcon,
  Edit,
  GlobeNetwork,
  History,
  Layers,
  Lightning,
  MobilePhone,
  Paperclip,
  Pause,
  People,
  Person,
  Pulse,
  Shield,
  Tag,
  Th,
} from '@blueprintjs/icons'
import type { Atom } from 'jotai'
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { every, type Gate, mayEditLanes } from '#domain/access.ts'
import { groups as calls } from './calls.ts'
import { someOffAtom } from './connection/off.ts'
import { sandboxExistsAtom } from './sandbox/exists.ts'
import type { MenuWord } from './shell/words.ts'
import { Inbox } from './ticket/Inbox.tsx'

export const groups = ['attend', 'talk', 'administer'] as const
export type Group = (typeof groups)[number]
type Icon = ComponentType<{ size?: number }>

export type Screen = {
  path: string
  /** The gate of the screen's main call. */
  may: Gate
  /** Its name, also for the command palette and the page title. */
  word: MenuWord
  /** Its menu entry in this group; `g` and then the key opens it. */
  menu?: { group: Group; icon: Icon; href: string; key: string }
  /** Whether the screen exists on this server, if the server decides that. */
  exists?: Atom<boolean>
  /** Whether the menu entry shows a warning. */
  warns?: Atom<boolean>
  show: ComponentType | LazyExoticComponent<ComponentType>
}

const named = <K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) =>
  lazy(async () => ({ default: (await load())[name] }))

/** Every screen, once; route guard, menu and palette read this list. */
export const screens: Screen[] = [
  {
    path: '/tickets/:uuid/history',
    may: calls.history.show.may,
    word: 'history',
    show: named(() => import('./history/History.tsx'), 'History'),
  },
  {
    path: '/tickets/:uuid?',
    may: calls.tickets.list.may,
    word: 'inbox',
    menu: { group: 'attend', icon: Chat, href: '/tickets', key: 'i' },
    show: Inbox, // part of the first page, because most users start here
  },
  {
    path: '/search',
    may: calls.messageSearch.list.may,
    word: 'search',
    show: named(() => import('./message-search/MessageSearch.tsx'), 'MessageSearch'),
  },
  {
    path: '/',
    may: calls.dashboard.show.may,
    word: 'dashboard',
    menu: { group: 'attend', icon: DashboardIcon, href: '/', key: 'd' },
    show: named(() => import('./dashboard/Dashboard.tsx'), 'Dashboard'),
  },
  {
    path: '/moments',
    may: calls.panel.moments.may,
    word: 'panel',
    menu: { group: 'attend', icon: Pulse, href: '/moments', key: 'm' },
    show: named(() => import('./panel/Panel.tsx'), 'Panel'),
  },
  {
    path: '/Kanban',
    may: calls.kanban.board.may,
    word: 'kanban',
    menu: { group: 'attend', icon: ColumnLayout, href: '/Kanban', key: 'k' },
    show: named(() => import('./kanban/Kanban.tsx'), 'Kanban'),
  },
  {
    path: '/TagsKanban',
    may: every(calls.kanban.board.may, mayEditLanes),
    word: 'kanbanLanes',
    show: named(() => import('./kanban/KanbanLanes.tsx'), 'KanbanLanes'),
  },
  {
    path: '/contacts/:id',
    may: calls.contacts.find.may,
    word: 'contacts',
    show: named(() => import('./contact/ContactProfile.tsx'), 'ContactProfile'),
  },
  {
    path: '/contacts',
    may: calls.contacts.list.may,
    word: 'contacts',
    menu: { group: 'attend', icon: People, href: '/contacts', key: 'c' },
    show: named(() => import('./contact/Contacts.tsx'), 'Contacts'),
  },
  {
    path: '/reports',
    may: calls.report.tickets.may,
    word: 'reports',
    menu: { group: 'administer', icon: Th, href: '/reports', key: 'x' },
    show: named(() => import('./report/Report.tsx'), 'Report'),
  },
  {
    path: '/history',
    may: calls.history.list.may,
    word: 'histories',
    menu: { group: 'administer', icon: History, href: '/history', key: 'h' },
    show: named(() => import('./history/Histories.tsx'), 'Histories'),
  },
  {
    path: '/quick-messages',
    may: calls.quickReplies.list.may,
    word: 'quickReplies',
    menu: { group: 'talk', icon: Lightning, href: '/quick-messages', key: 'r' },
    show: named(() => import('./quick-reply/QuickReplies.tsx'), 'QuickReplies'),
  },
  {
    path: '/files',
    may: calls.fileLists.create.may, // users who only choose a list do not need the screen
    word: 'fileLists',
    menu: { group: 'talk', icon: Paperclip, href: '/files', key: 'f' },
    show: named(() => import('./file-list/FileLists.tsx'), 'FileLists'),
  },
  {
    path: '/tags',
    may: calls.tags.list.may,
    word: 'tags',
    menu: { group: 'talk', icon: Tag, href: '/tags', key: 't' },
    show: named(() => import('./tag/Tags.tsx'), 'Tags'),
  },
  {
    path: '/users',
    may: calls.users.create.may, // users who only read colleagues find them in pickers
    word: 'users',
    menu: { group: 'administer', icon: Person, href: '/users', key: 'u' },
    show: named(() => import('./user/Users.tsx'), 'Users'),
  },
  {
    path: '/queues',
    may: calls.queues.create.may, // users who only read queues find them in the inbox
    word: 'queues',
    menu: { group: 'administer', icon: Layers, href: '/queues', key: 'q' },
    show: named(() => import('./queue/Queues.tsx'), 'Queues'),
  },
  {
    path: '/connections',
    may: calls.connections.create.may,
    word: 'connections',
    menu: { group: 'administer', icon: CellTower, href: '/connections', key: 'w' },
    warns: someOffAtom,
    show: named(() => import('./connection/Connections.tsx'), 'Connections'),
  },
  {
    path: '/connections/:id/health',
    may: calls.traffic.ofConnection.may,
    word: 'health',
    show: named(() => import('./traffic/Health.tsx'), 'Health'),
  },
  {
    path: '/allConnections',
    may: calls.connections.all.may,
    word: 'allConnections',
    menu: { group: 'administer', icon: GlobeNetwork, href: '/allConnections', key: 'e' },
    show: named(() => import('./connection/AllConnections.tsx'), 'AllConnections'),
  },
  {
    path: '/settings',
    may: calls.settings.set.may,
    word: 'settings',
    menu: { group: 'administer', icon: Cog, href: '/settings', key: 'o' },
    show: named(() => import('./setting/Settings.tsx'), 'Settings'),
  },
  {
    path: '/audit',
    may: calls.audits.list.may,
    word: 'changes',
    menu: { group: 'administer', icon: Edit, href: '/audit', key: 'a' },
    show: named(() => import('./audit/Changes.tsx'), 'Changes'),
  },
  {
    path: '/security-log',
    may: calls.security.list.may,
    word: 'security',
    menu: { group: 'administer', icon: Shield, href: '/security-log', key: 'l' },
    show: named(() => import('./security/SecurityLog.tsx'), 'SecurityLog'),
  },
  {
    path: '/parked',
    may: calls.parked.list.may,
    word: 'parked',
    menu: { group: 'administer', icon: Pause, href: '/parked', key: 'p' },
    show: named(() => import('./parked/Parked.tsx'), 'Parked'),
  },
  {
    path: '/sandbox',
    may: calls.sandbox.customers.may,
    word: 'sandbox',
    menu: { group: 'administer', icon: MobilePhone, href: '/sandbox', key: 's' },
    exists: sandboxExistsAtom,
    show: named(() => import('./sandbox/Sandbox.tsx'), 'Sandbox'),
  },
]
