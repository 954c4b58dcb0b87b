import { historyField, isolateHistory, redo, undo } from '@codemirror/commands'
import { EditorSelection, EditorState, type StateCommand, Transaction } from '@codemirror/state'
import { difference } from './difference.ts'

/** A text with its selection. */
export type SelectedText = { body: string; from: number; to: number }
/** `typed` and `deleted` letters join into steps; a `whole` change, such as a paste, is a step of its own. */
export type EditKind = 'typed' | 'composed' | 'deleted' | 'whole'
/** `caret`: the caret after the change. `at`: its time in milliseconds. */
export type Edit = { before: string; after: string; caret: number; kind: EditKind; at: number }

/** A pause after which typing begins a new step. */
const pauseMs = 2000

const create = (doc: string) => EditorState.create({ doc, selection: EditorSelection.cursor(doc.length), extensions: [historyField] })
/** One time for all changes, later than CodeMirror's delay of a group: steps are separated here and not by its clock. */
const at = Transaction.time.of(1000)
const userEvents = { typed: 'input.type', composed: 'input.type.compose', deleted: 'delete', whole: 'input' } as const

/** The steps of one text field, which undo and redo walk. The field itself stays a plain textarea. */
export function createTextHistory(body: string) {
  let state = create(body)
  let lastAt = 0
  const dispatch = (transaction: Transaction) => {
    state = transaction.state
  }
  const change = (after: string, caret: number, kind: EditKind, isolation: 'before' | 'full' | null) => {
    const { from, to, insert } = difference(state.doc.toString(), after, caret)
    if (from === to && insert === '') return
    const annotations = [at, Transaction.userEvent.of(userEvents[kind]), ...(isolation ? [isolateHistory.of(isolation)] : [])]
    dispatch(state.update({ changes: { from, to, insert }, selection: EditorSelection.cursor(caret), annotations }))
  }
  /** Takes over a text that was not edited in the field. A sent text is not brought back. */
  const sync = (text: string) => {
    if (text === '' && state.doc.length > 0) state = create('')
    else change(text, text.length, 'whole', 'full')
  }
  const step =
    (command: StateCommand) =>
    (text: string): SelectedText | null => {
      sync(text)
      if (!command({ state, dispatch })) return null
      const { from, to } = state.selection.main
      return { body: state.doc.toString(), from, to }
    }
  return {
    record(edit: Edit): void {
      sync(edit.before)
      const isLater = edit.at - lastAt > pauseMs
      lastAt = edit.at
      change(edit.after, edit.caret, edit.kind, isolationOf(edit, isLater))
    },
    select({ body: text, from, to }: SelectedText): void {
      const { main } = state.selection
      if ((main.from === from && main.to === to) || state.doc.toString() !== text) return
      dispatch(state.update({ selection: EditorSelection.range(from, to), annotations: [at] }))
    },
    undo: step(undo),
    redo: step(redo),
  }
}

/** Typing starts a new step at each word and after a pause. Larger changes are steps of their own. */
function isolationOf({ before, after, caret, kind }: Edit, isLater: boolean): 'before' | 'full' | null {
  const { from, to, insert } = difference(before, after, caret)
  if (kind === 'whole' || (kind !== 'composed' && [...insert].length > 1) || to - from > 2) return 'full'
  const isWordStart = /^\S/.test(insert) && /(^|\s)$/.test(before.slice(0, from))
  return isLater || (kind === 'typed' && isWordStart) ? 'before' : null
}

const histories = new Map<string, ReturnType<typeof createTextHistory>>()
/** The history of a draft, kept while the page lives. */
export function historyOf(key: string, body: string) {
  const history = histories.get(key) ?? createTextHistory(body)
  histories.set(key, history)
  return history
}
