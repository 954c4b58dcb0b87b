import { useLocation } from 'wouter'
import { isStored } from '#domain/answers.ts'
import type { TicketChange, TicketRow } from '#domain/ticket/contract.ts'
import { ratingScales } from '#domain/ticket/rules.ts'
import { ticketTopic } from '#domain/ticket/topic.ts'
import { ApiError, api } from '#web/api.ts'
import { translate } from '#web/i18n.ts'
import { unsent } from '#web/message/unsent.ts'
import { addPendingChange } from '#web/pending-changes.ts'
import { viewer as me, store, useViewer } from '#web/session.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { placeNow } from '#web/ui/place.ts'
import { failure, toast, toastUndo } from '#web/ui/toaster.ts'
import { arriveAt } from './arrive.ts'
import { applyTicket, dialogAtom, drawerAtom, dropTicket, sentAway, tabAtom, tagAskedAtom, underWay } from './atoms.ts'
import type { Coloured } from './dialogs/dialog.ts'
import { nextAfter } from './next.ts'
import { awaitTicket, expected } from './optimistic.ts'

export const change = (ticket: TicketRow, body: TicketChange) =>
  underWay([ticket.id], async () => {
    const answer = await api.tickets.change({ params: { id: ticket.id }, body })
    if (isStored(answer)) return awaitTicket(expected(ticket, body, me(), answer), me())
    applyTicket(answer)
    return answer
  })
/** Confirms an action and offers to undo it for ten seconds (A-TICKET-07). `answered`: the row after the action. */
function undoable(ticket: TicketRow, answered: TicketRow, done: string, go: (to: string) => void): void {
  toastUndo(done, translate(ticketWords, 'undo'), async () => {
    const isStill = placeNow()
    const seen = answered.id === ticket.id ? { seen: answered.revision } : {} // a transfer may answer with the ticket that continues
    const answer = await api.tickets.undo({ params: { id: ticket.id }, body: seen })
    const now = isStored(answer) ? awaitTicket({ ...ticket, revision: answer.revision }, me()) : answer
    sentAway.delete(ticket.uuid)
    applyTicket(now)
    if (isStill()) store.set(tabAtom, now.status === 'pending' ? 'pending' : now.status === 'group' ? 'group' : 'open')
    if (now.status !== 'pending') arriveAt(now, isStill, go)
  })
}
/** The detail of ERR_OTHER_OPEN_TICKET contains the agent of the ticket (A-TICKET-02). */
type Name = Omit<Coloured, 'id'>
export type Taken = { userId?: number | null; user: Name | null; queue: Name | null; ticket?: { id: number; uuid: string } | null }
export const busy = ({ userId = null, user, queue }: Omit<Taken, 'ticket'>) => store.set(dialogAtom, { kind: 'busy', userId, user, queue })

/**
 * Runs an action that would overtake messages that are still being sent, after them. If one of them fails, the agent decides
 * first.
 */
async function afterMessages({ id, contact: { name } }: TicketRow, work: () => Promise<void>): Promise<void> {
  const mine = unsent(localStorage, me().id).filter(({ ticketId, state }) => ticketId === id && state !== 'failed' && state !== 'stored')
  const keys = mine.map(({ key }) => key)
  const sent = import('#web/message/all-sent.ts').then(({ allSent }) => allSent(id, keys))
  const slow = setTimeout(() => toast(translate(ticketWords, 'waitsForMessages', { name })), 1500)
  const isSent = await sent.finally(() => clearTimeout(slow))
  if (isSent) await work()
  else toast(translate(ticketWords, 'messagesNotSent', { name }), 'warning')
}

/** Marks the ticket before the call, because the live update may arrive before the answer. */
async function sendingAway({ uuid }: TicketRow, work: () => Promise<void>): Promise<void> {
  sentAway.add(uuid)
  await work().catch((error: unknown) => {
    sentAway.delete(uuid)
    throw error
  })
}

/** Runs an action on a ticket: knows whether one is pending, handles its refusals and leaves the ticket afterwards. */
function useTicketWork(ticket: TicketRow) {
  const viewer = useViewer()
  const act = useAsyncAction()
  const [, go] = useLocation()

  const refused = ({ code, detail }: ApiError, isStill: () => boolean): boolean => {
    if (code !== 'ERR_TAG_REQUIRED' && !isStill()) return false // no dialog may open while the agent does something else
    if (code === 'ERR_QUEUE_REQUIRED') store.set(dialogAtom, { kind: 'queue', ticket })
    else if (code === 'ERR_OTHER_OPEN_TICKET') {
      const taken = detail as unknown as Taken
      if (taken.userId === viewer.id && taken.ticket) go(`/tickets/${taken.ticket.uuid}`)
      else busy(taken)
    } else if (code === 'ERR_TAG_REQUIRED') {
      const tag = () => {
        go(`/tickets/${ticket.uuid}`)
        store.set(drawerAtom, true)
        store.set(tagAskedAtom, ticket.contactId)
      }
      toast(translate(ticketWords, 'tagRequired'), 'warning', { action: { text: translate(ticketWords, 'addTag'), run: tag } })
    } else return false
    return true
  }
  return {
    viewer,
    go,
    pending: act.pending,
    refused,
    run: (work: (isStill: () => boolean) => Promise<unknown>) => {
      const isStill = placeNow()
      return act(() => work(isStill), { refused: (refusal) => refused(refusal, isStill) })
    },
    /** Goes to the next ticket or to the list, if the ticket is still open on the screen. */
    leave: ({ uuid }: TicketRow, isStill: () => boolean, next: TicketRow | null = null) => {
      if (location.pathname.endsWith(uuid) && isStill()) go(next ? `/tickets/${next.uuid}` : '/tickets')
    },
  }
}
type TicketWork = ReturnType<typeof useTicketWork>

/** Accepts a ticket, gives it back or transfers it. */
function createAssignmentActions(ticket: TicketRow, { viewer, go, run, leave }: TicketWork) {
  const name = { name: ticket.contact.name }
  /** The first agent gets the ticket (A-TICKET-04, A-TICKET-05). */
  const take = async (queueId: number | null = null): Promise<TicketRow | null> => {
    const isStill = placeNow()
    const now = await change(ticket, { status: 'open', userId: viewer.id, ...(queueId !== null && { queueId }) })
    store.set(dialogAtom, (asked) => (asked?.kind === 'queue' && asked.ticket.id === ticket.id ? null : asked))
    if (now.userId !== viewer.id) {
      if (isStill()) busy(now)
      else toast(failure(new ApiError('ERR_OTHER_OPEN_TICKET', {}, 409)), 'warning')
      return null
    }
    if (isStill()) store.set(tabAtom, now.status === 'group' ? 'group' : 'open')
    arriveAt(now, isStill, go)
    return now
  }
  const taking = (taken: (now: TicketRow) => void) =>
    ticket.queueId === null
      ? store.set(dialogAtom, { kind: 'queue', ticket })
      : void run(async () => {
          const now = await take()
          if (now) taken(now)
        })()
  const giveBack = (row: TicketRow) =>
    void run((isStill) =>
      afterMessages(row, async () => {
        const now = await change(row, { status: 'pending', userId: null })
        undoable(row, now, translate(ticketWords, 'returned', name), go)
        if (isStill()) store.set(tabAtom, 'pending')
        leave(row, isStill)
      }),
    )()
  return {
    take,
    /**
     * Accepts a waiting ticket or reopens a closed one; asks for a queue if the ticket has none (R-TICKET-03,
     * R-TICKET-14).
     */
    accept: () => taking(() => {}),
    /**
     * Accepts by a key that may have been meant for something else, so it confirms the action and offers to undo
     * it.
     */
    acceptByKey: () =>
      taking((now) => {
        const back = { text: translate(ticketWords, 'giveBackShort'), run: () => giveBack(now) }
        toast(translate(ticketWords, ticket.status === 'closed' ? 'reopened' : 'accepted', name), 'success', {
          action: back,
          timeout: 10_000,
        })
      }),
    giveBack: () => giveBack(ticket),
    transfer: ({ whom, ...to }: { userId: number | null; queueId: number; msgTransfer: string; whom: string }) =>
      afterMessages(ticket, () =>
        sendingAway(ticket, async () => {
          const isStill = placeNow()
          const now = await change(ticket, { ...to, msgTransfer: to.msgTransfer.trim() || null, isTransfered: true })
          undoable(ticket, now, translate(ticketWords, 'transferredTo', { ...name, whom }), go)
          if (isStill()) go('/tickets') // A-TICKET-14
        }),
      ),
  }
}

/** Resolves, ignores or deletes a ticket. */
function createEndActions(ticket: TicketRow, { viewer, go, run, leave }: TicketWork) {
  const name = { name: ticket.contact.name }
  return {
    resolve: (farewell: boolean, rates = false) =>
      void run((isStill) =>
        afterMessages(ticket, async () => {
          const next = nextAfter(ticket, (row) => allowed(row, viewer).write)
          const now = await change(ticket, {
            status: 'closed',
            userId: viewer.id,
            sendFarewellMessage: farewell,
            ...(!farewell && { amountUsedBotQueues: 0 }), // R-TICKET-09
            ...(rates && { ratingId: ratingScales[0].id }),
          })
          if (rates && now.status === 'closed') toast(translate(ticketWords, 'resolvedUnrated'), 'warning')
          undoable(ticket, now, translate(ticketWords, 'resolved', name), go)
          leave(ticket, isStill, next)
        }),
      )(),
    ignore: () =>
      run(async (isStill) => {
        const now = await change(ticket, { status: 'closed', sendFarewellMessage: false, amountUsedBotQueues: 0 })
        undoable(ticket, now, translate(ticketWords, 'ignored', name), go)
        leave(ticket, isStill)
      })(),
    remove: () =>
      sendingAway(ticket, async () => {
        const isStill = placeNow()
        await underWay([ticket.id], async () => {
          const answer = await api.tickets.remove({ params: { id: ticket.id } })
          if (isStored(answer)) addPendingChange(ticketTopic, { op: 'drop', id: ticket.id }, () => false)
          dropTicket(ticket)
        })
        leave(ticket, isStill)
        toast(translate(ticketWords, 'removed'))
      }),
  }
}

/** The actions of an agent on a ticket. Each answers with the changed ticket. */
export function useTicketActions(ticket: TicketRow) {
  const work = useTicketWork(ticket)
  return {
    pending: work.pending,
    refused: work.refused,
    ...createAssignmentActions(ticket, work),
    ...createEndActions(ticket, work),
  }
}
export type TicketActions = ReturnType<typeof useTicketActions>

/**
 * The actions that status and viewer allow, by the same rules as on the server (A-TICKET-08, A-TICKET-10,
 * A-TICKET-21).
 */
export function allowed(
  ticket: TicketRow,
  viewer: { id: number; profile: string; flags: { showDashboard: boolean; userClosePendingTicket: boolean } },
) {
  const { status, userId } = ticket
  const admin = viewer.profile === 'admin'
  const mine = userId === viewer.id
  const serving = status === 'open' || status === 'group'
  const gone = ticket.whatsapp === null // nothing can be sent without the connection (A-CONN-06)
  return {
    accept: status === 'pending' || status === 'lgpd' || (status === 'open' && userId === null),
    reopen: (status === 'closed' || status === 'nps') && !gone,
    resolve: serving,
    rate: status === 'open' && userId !== null,
    closeWaiting: status === 'pending' && (admin || viewer.flags.showDashboard),
    ignore: (status === 'pending' || status === 'lgpd') && (admin || viewer.flags.userClosePendingTicket),
    giveBack: serving && (admin || mine),
    transfer: serving || status === 'pending',
    anew: status === 'closed' && gone,
    write: status === 'group' || (status === 'open' && (admin || mine)),
  }
}
